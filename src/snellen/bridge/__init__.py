"""Bridges to other tools: Inspect AI tasks and logs. Nothing here is imported until it is asked for."""

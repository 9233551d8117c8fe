"""Pictures and their twins, from one description: what several tasks use."""

"""The eleven kinds, a module each."""

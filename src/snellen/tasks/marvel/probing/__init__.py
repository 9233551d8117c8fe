"""How perception questions about panels are found: what is in plain sight, and what can be asked about it."""

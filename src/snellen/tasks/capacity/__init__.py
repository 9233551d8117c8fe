"""MME-CC: the eleven tasks of cognitive capacity."""

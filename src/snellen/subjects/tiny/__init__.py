"""The tiny model that the package ships: a real one, with a real habit, run without torch."""

"""How the two reference models were made: recipes as data, lessons, the training loop. Not part of the package."""

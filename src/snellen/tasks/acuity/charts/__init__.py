"""The charts of the battery, by what they are made of: letters, stripes, coloured dots, lines and dots."""

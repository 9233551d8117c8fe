"""*small*: a language model of 135 M parameters that learns to see."""

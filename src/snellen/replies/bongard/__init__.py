"""Bongard replies read against facts: what a rule says of every picture, what a description has of its picture."""

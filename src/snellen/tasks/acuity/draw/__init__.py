"""The eye chart: everything the acuity battery shows, drawn from frozen descriptions.

Each module holds one test: a description, `painted` (its pixels) and `words` (its twin, exact enough to answer from).
`sheet.picture` turns painted pixels and words into the picture a subject gets.
"""

"""Activation steering: does moving one activation towards a donor change the answer, and what does that prove?

`rows` (what is asked, splits), `logistic`, `router`, `patches` and `outcomes` are plain arithmetic on plain tables.
`decoder`, `prefix` and `tails` are the edge to the model: they read activations, and go on from changed ones.
`study` puts both together and keeps what was done in a folder; `curves` draws it.
"""

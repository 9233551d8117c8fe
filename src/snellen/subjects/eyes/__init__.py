"""Eyes of known optics: what is left of a picture once somebody shrank it and imperfect eyes looked at it.

`scaling` is what servers do (fewer pixels), `optics` what eyes do (blur, faint things lost, colours confused, patches);
`sight` puts them together in one frozen value, written `cap=768,blur=1.5,contrast=0.05`, and looks through it.

Nobody answers here yet. Whoever does, as `sim/eyes:...`, takes `sight.sight_of(pairs)` for its settings and
`sight.look(pixels, sight)` for all it knows of a picture.
"""

"""Eyes of known optics, and who looks through them: `sim/eyes:cap=768,blur=1.5,contrast=0.05,count=7`.

`scaling` is what servers do to a picture (fewer pixels), `optics` what eyes do (blur, faint things lost, colours
confused, patches); `sight` puts them together in one frozen value and looks through it. `observer` answers: it finds in
the words which kind of chart is asked about (`asked`), looks at where something is (`glimpse`) and takes the nearest of
what may be there, drawn by the same hand and sent through the same optics (`matching`, `letters`, `stripes`, `plates`,
`things`, `lines`), under noise and with limits that wobble from look to look (`gaze`).
"""

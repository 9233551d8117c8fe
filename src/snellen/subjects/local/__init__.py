"""Hugging Face image-text models on this machine: `local/PATH_OR_HUB_ID[:setting=value,...]`.

`loading` reads a model folder, `prompting` turns messages into what a model is given: both are of use on their own.
Nothing here loads torch or transformers before a model is needed.
"""

from snellen.subjects.local.torchvision import prepare_torchvision

prepare_torchvision()

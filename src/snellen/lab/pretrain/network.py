"""The model of a recipe, as the stock class, and the forward pass that lessons need."""

from typing import Any

import torch
from torch import Tensor

from snellen.lab.pretrain.recipe import Build
from snellen.subjects.tiny.tokens import END, IMAGE, PAD, Vocabulary


def config(build: Build, known: Vocabulary) -> Any:
    from transformers import Idefics3Config

    pad, end = known.numbers[PAD], known.numbers[END]
    return Idefics3Config(
        image_token_id=known.numbers[IMAGE],
        scale_factor=build.shuffle,
        pad_token_id=pad,
        tie_word_embeddings=True,
        vision_config={
            "hidden_size": build.width,
            "intermediate_size": 4 * build.width,
            "num_hidden_layers": build.vision_layers,
            "num_attention_heads": build.heads,
            "image_size": build.side,
            "patch_size": build.patch,
        },
        text_config={
            "model_type": "llama",
            "vocab_size": len(known),
            "hidden_size": build.width,
            "intermediate_size": 3 * build.width,
            "num_hidden_layers": build.text_layers,
            "num_attention_heads": build.heads,
            "num_key_value_heads": build.heads,
            "pad_token_id": pad,
            "bos_token_id": pad,
            "eos_token_id": end,
            "max_position_embeddings": 512,
            "tie_word_embeddings": True,
        },
    )


def fresh_model(build: Build, known: Vocabulary, seed: int) -> Any:
    from transformers import Idefics3ForConditionalGeneration

    torch.manual_seed(seed)
    return Idefics3ForConditionalGeneration._from_config(config(build, known), attn_implementation="sdpa")


class Pupil(torch.nn.Module):  # type: ignore[misc]
    """The model with the one forward pass that learning takes: logits where an answer is to be said."""

    def __init__(self, model: Any) -> None:
        super().__init__()
        self.model = model
        self.image = model.config.image_token_id

    def hurry(self) -> None:
        """Compile both passes: the model is so small that starting its kernels one by one takes longer than they do."""
        self.compile(dynamic=False)
        self.features = torch.compile(self.features, dynamic=False)  # type: ignore[method-assign]

    def features(self, pictures: Tensor) -> Tensor:
        """What the model sees in each picture: tokens by width."""
        scaled = pictures.permute(0, 3, 1, 2).float() / 127.5 - 1
        eye, connector = self.model.model.vision_model, self.model.model.connector
        # The stock embedding works out each picture's places in a loop. Here all pictures are whole and places known.
        patches = eye.embeddings.patch_embedding(scaled).flatten(2).transpose(1, 2)
        placed = patches + eye.embeddings.position_embedding.weight
        hidden = eye.post_layernorm(eye.encoder(inputs_embeds=placed).last_hidden_state)
        out: Tensor = connector(hidden)
        return out

    def forward(self, tokens: Tensor, features: Tensor | None) -> Tensor:
        """Logits after every token. `features`: of each row's picture, in the order of rows."""
        embedded = self.model.get_input_embeddings()(tokens)
        if features is not None:
            here = (tokens == self.image).unsqueeze(-1)
            embedded = embedded.masked_scatter(here, features.to(embedded.dtype))
        hidden = self.model.model.text_model(inputs_embeds=embedded, use_cache=False).last_hidden_state
        out: Tensor = self.model.lm_head(hidden)
        return out

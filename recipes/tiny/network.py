"""The forward pass that lessons need."""

from typing import Any

import torch
from torch import Tensor


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

"""The study of replies: what was said on the way to an answer, and how subjects think aloud."""

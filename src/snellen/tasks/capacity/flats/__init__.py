"""Generated flats: rooms joined by doorways, furnished sensibly, and photos taken in them."""

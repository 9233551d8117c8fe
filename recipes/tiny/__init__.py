"""Models made from nothing on this project's own items: recipes as data, lessons, the loop, the finished folder."""

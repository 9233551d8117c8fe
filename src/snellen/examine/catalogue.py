"""Items that were made before: enough of each to know its trials without making it again."""

from snellen.engine import ItemRecord, Store
from snellen.tasks.making import ItemRequest


class Catalogue:
    """The items a store knows of, by their place in an order."""

    def __init__(self, store: Store | None) -> None:
        self._store = store
        self._sources: dict[str, dict[int, ItemRecord]] = {}

    def record(self, order: ItemRequest, place: int) -> ItemRecord | None:
        """The item at this place, if it was made before."""
        if self._store is None or (address := order.address(place)) is None:
            return None
        source, index = address
        if source not in self._sources:
            self._sources[source] = self._store.made(source)
        return self._sources[source].get(index)

    def unknown_from(self, order: ItemRequest, first: int, most: int) -> int:
        """How many items from this place on, at most so many, were not made before; the first is taken to be one."""
        most = min(most, order.size - first)
        return next((k for k in range(1, most) if self.record(order, first + k)), most)

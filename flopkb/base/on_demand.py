"""A mapping whose values are worked out when they are asked for (a leaf)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TypeVar

K = TypeVar("K")
V = TypeVar("V")


class OnDemand(Mapping[K, V]):
    """All keys are known from the start; the value of each is made when it is first asked for, and once."""

    __slots__ = ("_keys", "_known", "_make")

    def __init__(self, keys: Iterable[K], make: Callable[[K], V]) -> None:
        self._keys = dict.fromkeys(keys)
        self._known: dict[K, V] = {}
        self._make = make

    def __getitem__(self, key: K) -> V:
        if key not in self._known:
            if key not in self._keys:
                raise KeyError(key)
            self._known[key] = self._make(key)
        return self._known[key]

    def __contains__(self, key: object) -> bool:
        return key in self._keys

    def __iter__(self) -> Iterator[K]:
        return iter(self._keys)

    def __len__(self) -> int:
        return len(self._keys)

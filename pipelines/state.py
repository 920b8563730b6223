"""What is remembered from frame to frame, as plain values: to go on later exactly where the work stood.

A state is a dict of None, numbers, text, arrays, and lists and dicts of these. Every class that remembers something has
`state()`, which returns one, and `restore(state)`, which takes it back; what it computes then is the same to the bit.
The `take_...` functions read a value and raise ConfigError where something else stands, as in one of another version.
"""

from __future__ import annotations

import io
import json
from collections.abc import Mapping
from typing import Final, cast
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from pipelines.errors import ConfigError

State = Mapping[str, object]
"""Keys are text; see the module for the values."""

_ARRAY: Final = "$array"
_PLAIN: Final = "plain"


def dump_state(state: State) -> bytes:
    """Return a state as bytes: NumPy's own archive, in which arrays keep their bits, and JSON for the rest.

    Raises
    ------
    TypeError
        If it holds a value that is none of those that a state may hold.
    """
    arrays: dict[str, NDArray[np.generic]] = {}

    def keep(value: object) -> object:
        if not isinstance(value, np.ndarray):
            raise TypeError(f"{type(value).__name__} is not a value that a state may hold")
        name = f"a{len(arrays)}"
        arrays[name] = value
        return {_ARRAY: name}

    # Python writes the shortest text that gives the same float again.
    plain = json.dumps(state, default=keep).encode()
    stream = io.BytesIO()
    np.savez(stream, allow_pickle=False, **{_PLAIN: np.frombuffer(plain, np.uint8)}, **arrays)
    return stream.getvalue()


def load_state(data: bytes) -> State:
    """Return the state that `dump_state` wrote. Nothing in it is executed.

    Raises
    ------
    ValueError
        If the data are damaged.
    """
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as archive:
            arrays = {name: archive[name] for name in archive.files}

        def bring(value: dict[str, object]) -> object:
            name = value.get(_ARRAY)
            return arrays[name] if isinstance(name, str) else value

        return cast(State, json.loads(arrays.pop(_PLAIN).tobytes(), object_hook=bring))
    except (OSError, BadZipFile, KeyError, EOFError) as error:
        raise ValueError(f"the saved state is damaged: {error}") from error


def take_array(state: State, key: str) -> NDArray[np.float32] | None:
    """Return an array of a state, None where there is none."""
    return cast("NDArray[np.float32] | None", _taken(state, key, (np.ndarray, type(None))))


def take_float(state: State, key: str) -> float:
    """Return a number of a state."""
    return float(cast(float, _taken(state, key, (int, float))))


def take_int(state: State, key: str) -> int:
    """Return a whole number of a state."""
    return cast(int, _taken(state, key, int))


def take_state(state: State, key: str) -> State:
    """Return a state within a state."""
    return cast(State, _taken(state, key, dict))


def take_states(state: State, key: str) -> list[State]:
    """Return a list of states within a state."""
    value = cast("list[State]", _taken(state, key, list))
    if not all(isinstance(item, dict) for item in value):
        raise _foreign(key)
    return value


def take_size(state: State, key: str) -> tuple[int, int] | None:
    """Return a width and height of a state, None where there is none."""
    value = cast("tuple[int, ...] | None", _taken(state, key, (list, tuple, type(None))))
    if value is None:
        return None
    if len(value) != 2 or not all(isinstance(side, int) for side in value):
        raise _foreign(key)
    return value[0], value[1]


def _taken(state: State, key: str, kinds: type | tuple[type, ...]) -> object:
    value = state.get(key)
    if not isinstance(value, kinds):
        raise _foreign(key)
    return value


def _foreign(key: str) -> ConfigError:
    return ConfigError(f"the saved state does not fit: it was made by another version ({key})")

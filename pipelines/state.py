"""What is remembered from frame to frame, as plain values: to go on later exactly where the work stood.

A state is a dict of None, numbers, text, arrays, and lists and dicts of these. Every class that remembers something has
`state()`, which returns one, and `restore(state)`, which takes it back; what it computes then is the same to the bit.
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
    """Return an array of a state, None where there is none.

    Raises
    ------
    ConfigError
        If something else stands there: the state is from another version.
    """
    value = state.get(key)
    if value is None or isinstance(value, np.ndarray):
        return value
    raise _foreign(key)


def take_float(state: State, key: str) -> float:
    """Return a number of a state.

    Raises
    ------
    ConfigError
        If something else stands there: the state is from another version.
    """
    value = state.get(key)
    if isinstance(value, (int, float)):
        return float(value)
    raise _foreign(key)


def take_int(state: State, key: str) -> int:
    """Return a whole number of a state.

    Raises
    ------
    ConfigError
        If something else stands there: the state is from another version.
    """
    value = state.get(key)
    if isinstance(value, int):
        return value
    raise _foreign(key)


def take_state(state: State, key: str) -> State:
    """Return a state within a state.

    Raises
    ------
    ConfigError
        If something else stands there: the state is from another version.
    """
    value = state.get(key)
    if isinstance(value, dict):
        return value
    raise _foreign(key)


def take_states(state: State, key: str) -> list[State]:
    """Return a list of states within a state.

    Raises
    ------
    ConfigError
        If something else stands there: the state is from another version.
    """
    value = state.get(key)
    if isinstance(value, list) and all(isinstance(item, dict) for item in value):
        return value
    raise _foreign(key)


def take_size(state: State, key: str) -> tuple[int, int] | None:
    """Return a width and height of a state, None where there is none.

    Raises
    ------
    ConfigError
        If something else stands there: the state is from another version.
    """
    value = state.get(key)
    if value is None:
        return None
    if isinstance(value, (list, tuple)) and len(value) == 2 and all(isinstance(side, int) for side in value):
        return value[0], value[1]
    raise _foreign(key)


def _foreign(key: str) -> ConfigError:
    return ConfigError(f"the saved state does not fit: it was made by another version ({key})")

"""Write nodes at one end of a graph."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike
from onnx import GraphProto, helper, numpy_helper

PREFIX = "twinlens/"


class Nodes:
    """New nodes, each reading the one before.

    Parameters
    ----------
    graph : GraphProto
        Where constants go; the nodes are kept in `made` until the caller places them.
    value : str
        Name of the tensor that the first node reads.
    """

    def __init__(self, graph: GraphProto, value: str, base: str) -> None:
        self.graph = graph
        self.value = value
        self.made: list[Any] = []
        self._base = f"{PREFIX}{base}"

    def constant(self, values: ArrayLike, dtype: DTypeLike = np.float32) -> str:
        """Add a constant and return its name."""
        name = f"{self._base}/constant_{len(self.made)}"
        self.graph.initializer.append(numpy_helper.from_array(np.asarray(values, dtype), name))
        return name

    def add(self, operator: str, *constants: str, **attributes: Any) -> None:
        """Add a node that reads the newest value, and then `constants`."""
        name = f"{self._base}/{len(self.made)}_{operator}"
        self.made.append(helper.make_node(operator, [self.value, *constants], [name], name=name, **attributes))
        self.value = name

    def reshape(self, *shape: int) -> None:
        """Add a Reshape."""
        self.add("Reshape", self.constant(shape, np.int64))

    def finish(self, name: str) -> None:
        """Give the newest value the name of an output of the graph."""
        self.made.append(helper.make_node("Identity", [self.value], [name], name=f"{self._base}/end"))
        self.value = name

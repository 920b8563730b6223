"""Which tensors may carry extra or negated channels.

Two rewrites change what is stored in a tensor without changing the network: channels added up to a round number, which
are zero, and channels kept negated. Both are possible only where every reader can make up for it.
"""

from __future__ import annotations

from models.convert.graph import CONVOLUTIONS, Graph

_LAYOUT_OPS = frozenset(
    {
        "CROPS",
        "REFINE",
        "SELECT",
        "RESHAPE",
        "CONCATENATION",
        "DEPTH_TO_SPACE",
        "STRIDED_SLICE",
        "TransformLandmarks",
        "Landmarks2TransformMatrix",
    }
)
"""Operators to which a channel's position matters."""
_CHANNEL_MIXERS = frozenset({"CONV_2D", "TRANSPOSE_CONV", "Convolution2DTransposeBias"})
"""Operators whose input and output have channels of their own: their weights absorb the difference."""


def exact_tensors(graph: Graph) -> set[int]:
    """Tensors that must have exactly their own channels.

    These are inputs, outputs and what an operator of `_LAYOUT_OPS` touches, and whatever shares its channels with one
    of them through operators that treat each channel by itself.
    """
    exact = {*graph.inputs, *graph.outputs}
    for op in graph.ops:
        if op.kind in _LAYOUT_OPS:
            exact.update(op.ins, op.outs)
    spreading = [op for op in graph.ops if op.kind not in _LAYOUT_OPS | _CHANNEL_MIXERS]
    changed = True
    while changed:
        changed = False
        for op in spreading:
            tensors = {t for t in op.ins + op.outs if t not in graph.const and len(graph.shape[t]) == 4}
            if tensors & exact and not tensors <= exact:
                exact |= tensors
                changed = True
    return exact


def absorbs_sign(graph: Graph, tensor: int) -> bool:
    """Whether every reader of `tensor` can undo negated channels.

    A convolution does it in its weights. A sum does it if its other side is a convolution that nothing else reads,
    which then gives negated channels too, and if the sum itself is read by PRelus only, whose slopes absorb the sign.
    """
    if tensor in graph.outputs:
        return False
    for op in graph.consumers(tensor):
        if op.kind in CONVOLUTIONS:
            continue
        others = [other for other in op.ins if other != tensor]
        if op.kind != "ADD" or op.activation or len(others) != 1:
            return False
        side = graph.producer(others[0])
        if side is None or side.kind not in CONVOLUTIONS or side.activation:
            return False
        if len(graph.consumers(others[0])) != 1 or any(r.kind != "PRELU" for r in graph.consumers(op.outs[0])):
            return False
    return True

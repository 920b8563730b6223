"""Single operators, as each variant writes them, against closed forms in NumPy."""

import copy
from dataclasses import replace

import numpy as np
import pytest

from models.convert.emit_conv import same_pads
from models.convert.graph import Op
from models.convert.options import CPU, GPU, LITERAL
from models.errors import ModelError

VARIANTS = pytest.mark.parametrize("options", [LITERAL, CPU, GPU], ids=["literal", "cpu", "gpu"])
CONVS = replace(LITERAL, prelu_as_convolutions=True)


def prelu(values: np.ndarray, slopes: list[float]) -> np.ndarray:
    """The definition."""
    return np.where(values > 0, values, values * np.float32(slopes))


@pytest.mark.parametrize(
    ("size", "kernel", "stride", "dilation", "expected"),
    [(5, 3, 1, 1, (1, 1)), (6, 3, 2, 1, (0, 1)), (5, 3, 2, 1, (1, 1)), (7, 2, 2, 1, (0, 1)), (8, 3, 1, 2, (2, 2)),
     (4, 1, 2, 1, (0, 0))],
)  # fmt: skip
def test_same_padding(size, kernel, stride, dilation, expected) -> None:
    assert same_pads(size, kernel, stride, dilation) == expected


@VARIANTS
@pytest.mark.parametrize("slopes", [[0.0, 0.25, 1.0], [-0.5, 0.5, 2.5]], ids=["up to 1", "above 1"])
def test_prelu(tiny, run, options, slopes) -> None:
    source = tiny.input(1, 2, 3, 3)
    tiny.graph.outputs = [tiny.prelu(source, slopes)]
    values = tiny.random.normal(size=(1, 2, 3, 3)).astype(np.float32)
    np.testing.assert_allclose(run(tiny.graph, options, {source: values})[0], prelu(values, slopes), atol=1e-6)
    assert ("PRelu" in run.nodes) == (not options.prelu_as_convolutions)


def test_a_slope_above_one_costs_no_third_pass_where_the_sign_can_be_absorbed(tiny, run) -> None:
    source = tiny.input(1, 4, 4, 3)
    curved = tiny.prelu(source, [0.5, 1.5, -2.0])
    branch = tiny.conv(curved, 3, kernel=3)
    total = tiny.add(curved, branch)
    last = tiny.prelu(total, [0.25, 3.0, 1.0])
    tiny.graph.outputs = [tiny.conv(last, 2)]
    values = tiny.random.normal(size=(1, 4, 4, 3)).astype(np.float32)
    literal = run(copy.deepcopy(tiny.graph), LITERAL, {source: values})[0]
    found = run(tiny.graph, CONVS, {source: values})[0]
    np.testing.assert_allclose(found, literal, rtol=0, atol=2e-4)
    # Two PRelus of two convolutions each, and the network's own two: nowhere the form with three passes.
    assert [kind for kind in run.nodes if kind != "Cast"].count("Conv") == 6


@VARIANTS
def test_hard_swish(tiny, run, options) -> None:
    source = tiny.input(1, 1, 5, 1)
    tiny.graph.outputs = [tiny.op("HARD_SWISH", [source], (1, 1, 5, 1))]
    values = np.float32([-4, -3, -1.5, 0, 6]).reshape(1, 1, 5, 1)
    expected = np.float32([0, 0, -0.375, 0, 6]).reshape(1, 1, 5, 1)
    np.testing.assert_allclose(run(tiny.graph, options, {source: values})[0], expected, atol=1e-6)
    assert run.nodes == (["HardSigmoid", "Mul"] if options.split_hard_swish else ["HardSwish"])


@VARIANTS
def test_a_gate_multiplies_every_pixel(tiny, run, options) -> None:
    picture, gate = tiny.input(1, 3, 2, 4), tiny.input(1, 1, 1, 4)
    tiny.graph.outputs = [tiny.op("MUL", [picture, gate], (1, 3, 2, 4), fusedActivationFunction=0)]
    feeds = {t: tiny.random.normal(size=tiny.graph.shape[t]).astype(np.float32) for t in (picture, gate)}
    found = run(tiny.graph, options, feeds)[0]
    np.testing.assert_array_equal(found, feeds[picture] * feeds[gate])
    assert ("Resize" in run.nodes) == options.resize_gates


@VARIANTS
@pytest.mark.parametrize(("code", "expected"), [(0, [-7, 2, 9]), (1, [0, 2, 9]), (3, [0, 2, 6])])
def test_fused_activations(tiny, run, options, code, expected) -> None:
    left, right = tiny.input(1, 1, 3, 1), tiny.input(1, 1, 3, 1)
    tiny.graph.outputs = [tiny.op("ADD", [left, right], (1, 1, 3, 1), fusedActivationFunction=code)]
    feeds = {left: np.float32([-5, 1, 4]).reshape(1, 1, 3, 1), right: np.float32([-2, 1, 5]).reshape(1, 1, 3, 1)}
    np.testing.assert_array_equal(run(tiny.graph, options, feeds)[0].ravel(), expected)


def test_an_unknown_activation_is_refused(tiny, run) -> None:
    left = tiny.input(1, 1, 3, 1)
    tiny.graph.outputs = [tiny.op("ADD", [left, left], (1, 1, 3, 1), fusedActivationFunction=4)]
    with pytest.raises(ModelError, match="tiny: the fused activation 4 is not supported"):
        run(tiny.graph, LITERAL, {left: np.zeros((1, 1, 3, 1), np.float32)})


@VARIANTS
def test_channel_padding_of_a_residual_block(tiny, run, options) -> None:
    source = tiny.input(1, 4, 4, 5)
    inner = tiny.conv(source, 20, kernel=3)
    first = tiny.conv(inner, 20)
    wider = tiny.op("PAD", [first, tiny.const(np.int32([[0, 0], [0, 0], [0, 0], [0, 4]]))], (1, 4, 4, 24))
    total = tiny.add(wider, tiny.conv(first, 24, kernel=3))
    tiny.graph.outputs = [tiny.conv(total, 2)]
    values = tiny.random.normal(size=(1, 4, 4, 5)).astype(np.float32)
    literal = run(copy.deepcopy(tiny.graph), LITERAL, {source: values})[0]
    np.testing.assert_allclose(run(tiny.graph, options, {source: values})[0], literal, rtol=2e-5, atol=1e-3)
    # 20 and 24 channels are both stored as 32: with rounding there is nothing left to pad.
    assert ("Pad" in run.nodes) == (options.align == 1)


def test_channel_padding_beyond_the_block_is_a_convolution(tiny, run) -> None:
    source = tiny.input(1, 2, 2, 3)
    first = tiny.conv(source, 16)
    wider = tiny.op("PAD", [first, tiny.const(np.int32([[0, 0], [0, 0], [0, 0], [0, 4]]))], (1, 2, 2, 20))
    tiny.graph.outputs = [tiny.conv(wider, 2)]
    values = tiny.random.normal(size=(1, 2, 2, 3)).astype(np.float32)
    literal = run(copy.deepcopy(tiny.graph), LITERAL, {source: values})[0]
    np.testing.assert_allclose(run(tiny.graph, CPU, {source: values})[0], literal, rtol=1e-5, atol=1e-5)
    assert "Pad" not in run.nodes
    assert run.nodes.count("Conv") == 3


@VARIANTS
def test_spatial_padding_goes_into_the_convolution(tiny, run, options) -> None:
    source = tiny.input(1, 4, 5, 2)
    paddings = tiny.const(np.int32([[0, 0], [0, 1], [1, 0], [0, 0]]))
    padded = tiny.op("PAD", [source, paddings], (1, 5, 6, 2))
    tiny.graph.outputs = [tiny.conv(padded, 3, kernel=3, padding=1)]
    weights, bias = (tiny.graph.const[t] for t in tiny.graph.ops[1].ins[1:])
    values = tiny.random.normal(size=(1, 4, 5, 2)).astype(np.float32)
    found = run(tiny.graph, options, {source: values})[0]
    framed = np.pad(values, [(0, 0), (0, 1), (1, 0), (0, 0)])
    windows = np.lib.stride_tricks.sliding_window_view(framed[0], (3, 3), axis=(0, 1))
    expected = np.einsum("yxcij,oijc->yxo", windows, weights) + bias
    np.testing.assert_allclose(found[0], expected, rtol=0, atol=1e-5)
    assert ("Pad" in run.nodes) == (not options.fold_pads)


@VARIANTS
@pytest.mark.parametrize("builtin", [False, True], ids=["custom", "builtin"])
def test_a_transposed_convolution_paints_blocks(tiny, run, options, builtin) -> None:
    source = tiny.input(1, 2, 3, 4)
    weights = tiny.random.normal(size=(1, 2, 2, 4)).astype(np.float32)
    kernel, bias = tiny.const(weights), tiny.const(np.float32([0.5]))
    if builtin:
        size = tiny.const(np.int32([1, 4, 6, 1]))
        out = tiny.op("TRANSPOSE_CONV", [size, kernel, source, bias], (1, 4, 6, 1), strideH=2, strideW=2, padding=0)
    else:
        custom = np.int32([1, 2, 2]).tobytes()
        out = tiny.op("Convolution2DTransposeBias", [source, kernel, bias], (1, 4, 6, 1), custom)
    tiny.graph.outputs = [out]
    values = tiny.random.normal(size=(1, 2, 3, 4)).astype(np.float32)
    expected = sum(np.kron(values[0, :, :, c], weights[0, :, :, c]) for c in range(4)) + 0.5
    np.testing.assert_allclose(run(tiny.graph, options, {source: values})[0][0, :, :, 0], expected, rtol=0, atol=1e-5)


def test_an_overlapping_transposed_convolution_is_refused(tiny, run) -> None:
    source = tiny.input(1, 2, 2, 1)
    kernel, bias = tiny.const(np.ones((1, 3, 3, 1), np.float32)), tiny.const(np.float32([0]))
    custom = np.int32([1, 2, 2]).tobytes()
    tiny.graph.outputs = [tiny.op("Convolution2DTransposeBias", [source, kernel, bias], (1, 4, 4, 1), custom)]
    with pytest.raises(ModelError, match="overlapping windows"):
        run(tiny.graph, LITERAL, {source: np.zeros((1, 2, 2, 1), np.float32)})


def test_half_precision_is_used_only_where_it_is_exact(tiny, run) -> None:
    source = tiny.input(1, 1, 1, 8)
    exact, other = np.full((8, 1, 1, 8), 0.5, np.float32), np.full((8, 1, 1, 8), 0.1, np.float32)
    results = []
    for weights in (exact, other):
        out = tiny.conv(source, 8)
        tiny.graph.const[tiny.graph.ops[-1].ins[1]] = weights
        results.append(out)
    tiny.graph.outputs = results
    run(tiny.graph, LITERAL, {source: np.ones((1, 1, 1, 8), np.float32)})
    assert run.nodes.count("Cast") == 1


def test_a_merged_operator_keeps_its_groups_apart(tiny, run) -> None:
    source = tiny.input(1, 2, 2, 4)
    padding = tiny.const(np.int32([[0, 0], [0, 0], [0, 0], [0, 1]]))
    out = tiny.graph.fresh((1, 2, 2, 6))
    tiny.graph.ops.append(Op("PAD", [source, padding], [out], groups=2))
    tiny.graph.outputs = [out]
    values = tiny.random.normal(size=(1, 2, 2, 4)).astype(np.float32)
    found = run(tiny.graph, LITERAL, {source: values})[0]
    zero = np.zeros((1, 2, 2, 1), np.float32)
    expected = np.concatenate([values[..., :2], zero, values[..., 2:], zero], axis=3)
    np.testing.assert_array_equal(found, expected)

"""Resizes, means and convolutions trade places without changing what comes out."""

import copy
from dataclasses import replace

import numpy as np

from models.convert.options import LITERAL

COMMUTE = replace(LITERAL, commute_resize=True)
SPLIT = replace(LITERAL, split_means=True)
COMPOSE = replace(LITERAL, commute_resize=True, split_means=True)


def both(run, graph, options, feeds):
    """Outputs of the literal graph, outputs of the rewritten one, and the latter's nodes."""
    literal = run(copy.deepcopy(graph), LITERAL, feeds)
    rewritten = run(graph, options, feeds)
    return literal, rewritten, [kind for kind in run.nodes if kind != "Cast"]


def test_a_convolution_moves_before_the_resize(tiny, run) -> None:
    source = tiny.input(1, 3, 4, 6)
    tiny.graph.outputs = [tiny.conv(tiny.resize(source, 2), 2)]
    feed = {source: tiny.random.normal(size=(1, 3, 4, 6)).astype(np.float32)}
    literal, rewritten, nodes = both(run, tiny.graph, COMMUTE, feed)
    np.testing.assert_allclose(rewritten[0], literal[0], rtol=0, atol=1e-5)
    assert nodes == ["Conv", "Resize"]
    assert literal[0].shape == (1, 6, 8, 2)


def test_a_3x3_convolution_stays_behind_the_resize(tiny, run) -> None:
    source = tiny.input(1, 3, 4, 6)
    tiny.graph.outputs = [tiny.conv(tiny.resize(source, 2), 2, kernel=3)]
    run(tiny.graph, COMMUTE, {source: np.zeros((1, 3, 4, 6), np.float32)})
    assert run.nodes == ["Resize", "Conv"]


def test_a_resize_with_two_readers_stays(tiny, run) -> None:
    source = tiny.input(1, 3, 4, 6)
    large = tiny.resize(source, 2)
    tiny.graph.outputs = [tiny.conv(large, 2), tiny.conv(large, 3)]
    run(tiny.graph, COMMUTE, {source: np.zeros((1, 3, 4, 6), np.float32)})
    assert [kind for kind in run.nodes if kind != "Cast"] == ["Resize", "Conv", "Conv"]


def test_the_mean_of_a_sum_is_the_sum_of_the_means(tiny, run) -> None:
    small, large = tiny.input(1, 3, 4, 5), tiny.input(1, 6, 8, 5)
    total = tiny.add(tiny.resize(small, 2), large)
    axes = tiny.const(np.array([1, 2], np.int32))
    tiny.graph.outputs = [tiny.op("MEAN", [total, axes], (1, 1, 1, 5), keepDims=1)]
    a, b = (tiny.random.normal(size=shape).astype(np.float32) for shape in ((1, 3, 4, 5), (1, 6, 8, 5)))
    literal, rewritten, nodes = both(run, tiny.graph, SPLIT, {small: a, large: b})
    np.testing.assert_allclose(rewritten[0], literal[0], rtol=0, atol=1e-6)
    np.testing.assert_allclose(rewritten[0].ravel(), (a.mean((1, 2)) + b.mean((1, 2))).ravel(), rtol=0, atol=1e-6)
    assert "Add" in nodes
    assert nodes.index("GlobalAveragePool") < nodes.index("Add")


def test_a_mean_over_an_enlargement_by_three_is_not_split(tiny, run) -> None:
    small, large = tiny.input(1, 3, 4, 5), tiny.input(1, 9, 12, 5)
    total = tiny.add(tiny.resize(small, 3), large)
    axes = tiny.const(np.array([1, 2], np.int32))
    tiny.graph.outputs = [tiny.op("MEAN", [total, axes], (1, 1, 1, 5), keepDims=1)]
    run(tiny.graph, SPLIT, {small: np.zeros((1, 3, 4, 5), np.float32), large: np.zeros((1, 9, 12, 5), np.float32)})
    assert run.nodes == ["Resize", "Add", "GlobalAveragePool"]


def test_a_sum_moves_behind_the_convolution(tiny, run) -> None:
    high, low = tiny.input(1, 6, 8, 7), tiny.input(1, 3, 4, 9)
    first = tiny.conv(low, 7)
    total = tiny.add(high, tiny.resize(first, 2))
    mean = tiny.op("GLOBAL_MEAN", [first], (1, 1, 1, 7))
    tiny.graph.outputs = [tiny.conv(total, 4), mean]
    feeds = {
        high: tiny.random.normal(size=(1, 6, 8, 7)).astype(np.float32),
        low: tiny.random.normal(size=(1, 3, 4, 9)).astype(np.float32),
    }
    literal, rewritten, nodes = both(run, tiny.graph, COMPOSE, feeds)
    for before, after in zip(literal, rewritten, strict=True):
        np.testing.assert_allclose(after, before, rtol=0, atol=3e-5)
    # The product of both convolutions, its resize, the mean by way of the first convolution, then the sum at the end.
    assert nodes == ["Conv", "Resize", "GlobalAveragePool", "Conv", "Conv", "Add"]
    assert rewritten[0].shape == (1, 6, 8, 4)

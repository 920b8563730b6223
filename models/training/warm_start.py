"""Start from a network that was trained before: read it back from its ONNX file, and make it slimmer.

The file has its batch normalisation folded into the convolutions. It is put back with the statistics that the features
have on some views, so that the function stays the same but trains as well as a network that always had it.

A slimmer network keeps the channels that matter most to what follows, and what follows is fitted anew by least squares
to do the same with fewer. A smaller depthwise kernel keeps the middle of the old one and its sum. A block that is new
adds nothing at first.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import numpy_helper
from torch import Tensor, nn

from models.errors import ModelError
from models.training.network import DEEP, SLIM, V0, Block, DepthNet, Shape, Unit


def warm_started(path: Path, views: Tensor, shape: Shape) -> DepthNet:
    """Return a network of `shape` that does about what the ONNX file does.

    Parameters
    ----------
    path : Path
        An ONNX file of a network of this shape, of `DEEP`, `SLIM` or `V0`, as training left it or as it is shipped.
    views : Tensor
        Pictures to take statistics from, float32 (n, 3, h, w), RGB in 0..1.
    shape : Shape
        As the file's, or with fewer hidden channels, fewer at the half size, smaller kernels, more blocks.

    Raises
    ------
    ModelError
        If the file is another network.
    """
    weights = convolutions(path)
    known = (DepthNet(one) for one in (shape, DEEP, SLIM, V0))
    network = next((one for one in known if _shapes(one, views) == _shapes_of(weights)), None)
    if network is None:
        raise ModelError(f"{path} is not the network to start from: its convolutions have other shapes")
    network.eval()
    _load(network, weights, _last_factor(path), views)
    old_blocks = {name for name, module in network.named_modules() if isinstance(module, Block)}
    if network.shape != shape:
        network = _slimmed(network, shape, views)
    new_blocks = [
        module for name, module in network.named_modules() if isinstance(module, Block) and name not in old_blocks
    ]
    for block in new_blocks:
        nn.init.zeros_(block.narrow.norm.weight)
    _normalise(network, views)
    for block in new_blocks:  # the weights that normalising took to zero, so that more than the gain is learnt
        block.narrow.conv.reset_parameters()
        nn.init.zeros_(block.narrow.norm.weight)
    return network


def convolutions(path: Path) -> list[tuple[NDArray[np.float32], NDArray[np.float32]]]:
    """Return weights and bias of every convolution of an ONNX file, in the order in which they run."""
    graph = onnx.load(path).graph
    constants = {item.name: numpy_helper.to_array(item) for item in graph.initializer}
    for node in graph.node:
        if node.op_type == "Cast" and node.input[0] in constants:
            constants[node.output[0]] = constants[node.input[0]].astype(np.float32)
    nodes = [node for node in graph.node if node.op_type == "Conv"]
    found = [(constants[node.input[1]], constants[node.input[2]]) for node in nodes]
    first, bias = found[0]
    if first.shape[1] == 1:  # as shipped: reads interleaved BGR as one channel (see models/convert/entry.py)
        channels, _, height, width = first.shape
        separate = first.reshape(channels, height, width // 3, 3).transpose(0, 3, 1, 2)
        found[0] = np.ascontiguousarray(separate[:, ::-1]), bias
    return found


def in_running_order(network: DepthNet, views: Tensor) -> list[Unit]:
    """Return the units in the order in which they run."""
    order: list[Unit] = []
    hooks = [
        unit.register_forward_hook(lambda module, _inputs, _output: order.append(module))
        for unit in network.modules()
        if isinstance(unit, Unit)
    ]
    with torch.no_grad():
        network(views[:1])
    for hook in hooks:
        hook.remove()
    return order


def _shapes(network: DepthNet, views: Tensor) -> list[tuple[int, ...]]:
    modules = [unit.conv for unit in in_running_order(network, views)] + [network.out]
    return [tuple(module.weight.shape) for module in modules]


def _shapes_of(weights: list[tuple[NDArray[np.float32], NDArray[np.float32]]]) -> list[tuple[int, ...]]:
    return [weight.shape for weight, _ in weights]


@torch.no_grad()
def _load(
    network: DepthNet, weights: list[tuple[NDArray[np.float32], NDArray[np.float32]]], factor: float, views: Tensor
) -> None:
    """Put a file's weights into the network, normalisation without effect but for the bias.

    The file takes 0..255, and `factor` was divided out of its last convolution.
    """
    units = in_running_order(network, views)
    for unit, (weight, bias) in zip(units, weights, strict=False):
        unit.conv.weight.copy_(torch.from_numpy(weight.copy()))
        _set_norm(unit.norm, mean=torch.zeros(len(bias)), deviation=torch.ones(len(bias)), bias=torch.tensor(bias))
    units[0].conv.weight *= 255
    network.out.weight.copy_(torch.from_numpy(weights[-1][0] * factor))
    network.out.bias.copy_(torch.from_numpy(weights[-1][1] * factor))


def _last_factor(path: Path) -> float:
    graph = onnx.load(path).graph
    constants = {item.name: numpy_helper.to_array(item) for item in graph.initializer}
    for node in graph.node:
        if node.op_type == "Constant":
            constants[node.output[0]] = numpy_helper.to_array(node.attribute[0].t)
    products = [node for node in graph.node if node.op_type == "Mul"]
    return float(next(constants[name] for name in products[-1].input if name in constants)) if products else 1.0


def _set_norm(norm: nn.BatchNorm2d, mean: Tensor, deviation: Tensor, bias: Tensor) -> None:
    """Make the normalisation add `bias` and nothing else, with these statistics."""
    norm.running_mean.copy_(mean)
    norm.running_var.copy_(deviation**2)
    norm.weight.copy_(torch.sqrt(deviation**2 + norm.eps))
    norm.bias.copy_(bias + mean)


@torch.no_grad()
def _normalise(network: DepthNet, views: Tensor) -> None:
    """Give each unit the statistics of its features, and scale and shift that undo them."""
    units = in_running_order(network, views)
    statistics: dict[nn.Module, tuple[Tensor, Tensor]] = {}
    for unit in units:
        norm = unit.norm
        gain = norm.weight / torch.sqrt(norm.running_var + norm.eps)
        bias = norm.bias - norm.running_mean * gain
        unit.conv.weight *= gain[:, None, None, None]
        _set_norm(norm, torch.zeros_like(bias), torch.ones_like(bias), bias)

    def look(module: nn.Module, _inputs: object, features: Tensor) -> None:
        statistics[module] = features.mean((0, 2, 3)), features.std((0, 2, 3)).clamp_min(1e-3)

    hooks = [unit.conv.register_forward_hook(look) for unit in units]
    network(views)
    for hook, unit in zip(hooks, units, strict=True):
        hook.remove()
        mean, deviation = statistics[unit.conv]
        _set_norm(unit.norm, mean, deviation, unit.norm.bias.clone())


def _captured(network: DepthNet, module: nn.Module, views: Tensor) -> Tensor:
    """Return what a module gives for the views."""
    caught: list[Tensor] = []
    hook = module.register_forward_hook(lambda _module, _inputs, output: caught.append(output))
    network(views)
    hook.remove()
    return caught[0]


# -- fewer channels


@torch.no_grad()
def _slimmed(network: DepthNet, shape: Shape, views: Tensor) -> DepthNet:
    """Return a copy of `shape` that does about the same."""
    slim = DepthNet(shape).eval()
    source, target = dict(network.named_modules()), dict(slim.named_modules())
    for name, unit in target.items():
        old = source.get(name)
        if isinstance(unit, Unit) and isinstance(old, Unit) and unit.conv.weight.shape == old.conv.weight.shape:
            unit.load_state_dict(old.state_dict())
        elif isinstance(unit, Unit) and isinstance(old, Unit) and unit.conv.groups == old.conv.groups > 1:
            unit.load_state_dict({**old.state_dict(), "conv.weight": _middle(old.conv.weight, unit.conv.weight)})
    for name, block in target.items():
        old_block = source.get(name)
        if isinstance(block, Block) and isinstance(old_block, Block):
            features = _captured(network, old_block.widen, views)
            keep = _most_important(features, old_block.narrow.conv.weight, block.widen.conv.out_channels)
            _keep_outputs(block.widen, old_block.widen, keep)
            _refit(
                block.narrow.conv,
                block.narrow.norm.bias,
                old_block.narrow.conv,
                old_block.narrow.norm.bias,
                features,
                keep,
            )
    if slim.shape.decoder[3] != network.shape.decoder[3]:
        _slim_head(network, slim, views)
    else:
        slim.out.load_state_dict(network.out.state_dict())
    return slim


def _middle(kernels: Tensor, like: Tensor) -> Tensor:
    """Return the middle of depthwise kernels, as large as `like`, with the rim's sum spread over it."""
    rim = (kernels.shape[2] - like.shape[2]) // 2
    middle = kernels[:, :, rim : kernels.shape[2] - rim, rim : kernels.shape[3] - rim]
    lost = kernels.sum((2, 3), keepdim=True) - middle.sum((2, 3), keepdim=True)
    return middle + lost / like[0, 0].numel()


def _slim_head(network: DepthNet, slim: DepthNet, views: Tensor) -> None:
    """The channels at the half size: of the sum, and after mixing."""
    finest = slim.shape.decoder[3]
    features = _captured(network, network.depthwise, views)
    keep = _most_important(features, network.mix.conv.weight, finest)
    _keep_outputs(slim.narrow, network.narrow, keep)
    _keep_outputs(slim.depthwise, network.depthwise, keep)
    if isinstance(slim.fit, Unit):  # takes the kept channels of the stem as they are
        slim.fit.conv.weight.copy_(torch.eye(network.shape.decoder[3])[keep][:, :, None, None])
        _set_norm(slim.fit.norm, torch.zeros(finest), torch.ones(finest), torch.zeros(finest))
    mixed = _captured(network, network.mix, views)
    keep_mixed = _most_important(mixed, network.out.weight, finest)
    wide = nn.Conv2d(finest, network.shape.decoder[3], 1)
    wide_bias = torch.zeros(network.shape.decoder[3])
    _refit(wide, wide_bias, network.mix.conv, network.mix.norm.bias, features, keep)
    slim.mix.conv.weight.copy_(wide.weight[keep_mixed])
    _set_norm(slim.mix.norm, torch.zeros(finest), torch.ones(finest), wide_bias[keep_mixed])
    slim_mixed = _captured(slim, slim.mix, views)
    target = _captured(network, network.out, views)
    matrix, bias = _least_squares(slim_mixed, target)
    slim.out.weight.copy_(matrix[:, :, None, None])
    slim.out.bias.copy_(bias)


def _most_important(features: Tensor, reader: Tensor, count: int) -> Tensor:
    """Return the channels with the largest share in what reads them, in their order."""
    share = features.std((0, 2, 3)) * reader.flatten(2).norm(dim=(0, 2))
    return share.argsort(descending=True)[:count].sort().values


def _keep_outputs(unit: Unit, old: Unit, keep: Tensor) -> None:
    unit.conv.weight.copy_(old.conv.weight[keep])
    for name in ("weight", "bias", "running_mean", "running_var"):
        getattr(unit.norm, name).copy_(getattr(old.norm, name)[keep])


def _refit(conv: nn.Conv2d, bias: Tensor, old: nn.Conv2d, old_bias: Tensor, features: Tensor, keep: Tensor) -> None:
    """Fit a pointwise convolution that reads the kept channels to do what the old one did with all of them."""
    target = torch.nn.functional.conv2d(features, old.weight, old_bias)
    matrix, offset = _least_squares(features[:, keep], target)
    conv.weight.copy_(matrix[:, :, None, None])
    bias.copy_(offset)


def _least_squares(features: Tensor, target: Tensor) -> tuple[Tensor, Tensor]:
    """Return the matrix and offset that come closest to `target`."""
    rows = features.movedim(1, -1).flatten(0, -2).double()
    rows = torch.cat([rows, torch.ones(len(rows), 1, dtype=rows.dtype)], 1)
    wanted = target.movedim(1, -1).flatten(0, -2).double()
    square = rows.T @ rows
    square += torch.eye(len(square)) * 1e-6 * square.diagonal().mean()
    solution = torch.linalg.solve(square, rows.T @ wanted).T.float()
    return solution[:, :-1], solution[:, -1]

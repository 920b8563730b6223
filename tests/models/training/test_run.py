"""The network in PyTorch: losses, export, starting from a trained one, and a run of a few seconds from end to end."""

import json
import math
import time
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import onnx
import onnxruntime
import pytest

from models.errors import ModelError
from tests.models.training.makers import save_pictures, save_teacher

torch = pytest.importorskip("torch", reason="PyTorch (dependency group training) is not installed")

from models.training.__main__ import parse_arguments, run  # noqa: E402
from models.training.export import export, to_onnx  # noqa: E402
from models.training.losses import Weights, loss, order_losses, standardised  # noqa: E402
from models.training.metrics import spearman  # noqa: E402
from models.training.network import SLIM, V0, DepthNet, Shape, Unit, depth_map  # noqa: E402
from models.training.train import Config, follow, learning_rate, seeded_network  # noqa: E402
from models.training.warm_start import warm_started  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning:torch.*")


@pytest.fixture(autouse=True)
def one_thread():
    torch.set_num_threads(1)


@pytest.fixture(autouse=True)
def processor_time(monkeypatch):
    """A run of some seconds gets as far on a busy machine as on any other: its clock is that of the processor."""
    monkeypatch.setattr("models.training.train.time", SimpleNamespace(monotonic=time.process_time))


def lively(shape: Shape, seed: int) -> DepthNet:
    """A network whose normalisation does something, as after training."""
    network = seeded_network(shape, seed).eval()
    generator = torch.Generator().manual_seed(seed)
    for unit in network.modules():
        if isinstance(unit, Unit):
            for values, low, high in (
                (unit.norm.running_mean, -0.2, 0.2),
                (unit.norm.running_var, 0.5, 1.5),
                (unit.norm.weight.data, 0.7, 1.3),
                (unit.norm.bias.data, -0.2, 0.2),
            ):
                values.copy_(torch.rand(values.shape, generator=generator) * (high - low) + low)
    return network


def pictures(count: int, size: tuple[int, int] = (64, 96)) -> "torch.Tensor":
    return torch.rand(count, 3, *size, generator=torch.Generator().manual_seed(2))


# -- losses


def test_a_map_is_its_own_label():
    label = torch.rand(3, 1, 24, 40)
    parts = loss(label, label, Weights())
    assert all(float(value) == 0 for value in vars(parts).values())


def test_scale_and_shift_are_asked_for_once():
    """Two parts look at the form alone; the third wants the teacher's own values."""
    label = torch.rand(2, 1, 24, 40)
    parts = loss(3 * label + 1, label, Weights())
    assert float(parts.shape) == pytest.approx(0, abs=1e-5)
    assert float(parts.order) == pytest.approx(0, abs=1e-5)
    assert float(parts.scale) == pytest.approx(float((2 * label + 1).mean()), rel=1e-5)


def test_the_total_is_the_weighted_sum():
    depth, label = torch.rand(2, 1, 24, 40), torch.rand(2, 1, 24, 40)
    weights = Weights(shape=2, gradient=0.5, order=3, rank=4, scale=0.25)
    parts = loss(depth, label, weights)
    wanted = 2 * parts.shape + 0.5 * parts.gradient + 3 * parts.order + 4 * parts.rank + 0.25 * parts.scale
    assert float(parts.total) == pytest.approx(float(wanted))


def test_order_is_the_mean_difference_of_ranks():
    """Uniform values: the rank of x is x, so a map that is off by 0.1 everywhere is off by 0.1 of all ranks."""
    label = torch.linspace(0, 1, 7 * 1000).reshape(1, 1, 70, 100)
    depth = (label + 0.1).clamp(max=1)
    expected = float((depth - label).mean())
    assert float(order_losses(depth, label)[0]) == pytest.approx(expected, rel=0.02)


def test_rank_is_one_less_the_rank_correlation():
    """Of uniform values, whatever they are."""
    rng = torch.Generator().manual_seed(3)
    label = torch.rand(1, 1, 70, 100, generator=rng)
    depth = torch.where(torch.rand(label.shape, generator=rng) < 0.8, label, torch.rand(label.shape, generator=rng))
    expected = 1 - spearman(depth.numpy(), label.numpy())
    assert 0.1 < expected < 0.3
    assert float(order_losses(depth, label)[1]) == pytest.approx(expected, rel=0.04)


def test_order_counts_pixels_and_not_depth():
    """An error on a wall that fills the picture weighs more here than in the plain difference."""
    label = torch.cat([torch.rand(1, 1, 60, 100) * 0.5, 4 + torch.rand(1, 1, 6, 100) * 0.5], 2)
    on_the_wall, on_the_thing = label.clone(), label.clone()
    on_the_wall[:, :, :6] += 0.25
    on_the_thing[:, :, 60:] += 0.25
    assert float(order_losses(on_the_wall, label)[0]) > 3 * float(order_losses(on_the_thing, label)[0])


def test_a_flat_wall_is_not_blown_up():
    noise = torch.randn(1, 1, 24, 40) * 1e-4
    assert float(standardised(noise + 0.5).abs().max()) < 0.05


# -- schedule


def test_learning_rate():
    config = Config(rate=1.0, warm_up=100, last_rate=0.1)
    assert learning_rate(config, 49, 0.0) == pytest.approx(0.5)
    assert learning_rate(config, 1000, 0.5) == pytest.approx(0.1 + 0.9 / 2)
    assert learning_rate(config, 5000, 1.0) == pytest.approx(0.1)
    rates = [learning_rate(config, 500, share / 20) for share in range(21)]
    assert rates == sorted(rates, reverse=True)
    assert rates[5] == pytest.approx(0.1 + 0.9 * (1 + math.cos(math.pi / 4)) / 2)


def test_the_mean_follows():
    mean, network = seeded_network(Shape(), 1), seeded_network(Shape(), 2)
    before = mean.stem.conv.weight.detach().clone()
    follow(mean, network, 0.75)
    torch.testing.assert_close(mean.stem.conv.weight, 0.75 * before + 0.25 * network.stem.conv.weight)


# -- the network and its file


@pytest.mark.parametrize("shape", [Shape(), V0])
def test_the_file_does_what_the_network_does(tmp_path, shape):
    network = lively(shape, 3)
    export(network, tmp_path / "depth.onnx")
    session = onnxruntime.InferenceSession(tmp_path / "depth.onnx", providers=["CPUExecutionProvider"])
    image = pictures(1, (192, 320))
    with torch.no_grad():
        expected = depth_map(network, image).numpy()
    (found,) = session.run(None, {"input": image.numpy() * 255})
    assert expected.shape == found.shape == (1, 1, 192, 320)
    assert np.ptp(expected) > 0.05
    assert np.abs(found - expected).max() < 2e-3 * expected.max()


@pytest.mark.parametrize("shape", [V0, Shape()])
@pytest.mark.parametrize("shipped", [False, True])
def test_starting_from_a_file_changes_nothing(tmp_path, shape, shipped):
    """As training left it, or with the app's uint8 BGR entry."""
    from models.convert.onnx_entry import take_picture

    network = lively(shape, 4)
    model = to_onnx(network)
    onnx.save(take_picture(model) if shipped else model, tmp_path / "old.onnx")
    started = warm_started(tmp_path / "old.onnx", pictures(4), shape)
    with torch.no_grad():
        expected, found = network(pictures(2)), started(pictures(2))
        torch.testing.assert_close(found, expected, atol=5e-3, rtol=5e-3)
        # With its normalisation in training mode, on the pictures that the statistics are from, neither.
        torch.testing.assert_close(started.train()(pictures(4)), network(pictures(4)), atol=2e-2, rtol=2e-2)


def test_slimming_drops_what_is_not_needed(tmp_path):
    """Channels that nobody reads and rims of kernels that are zero go without a trace; a new block adds nothing."""
    network = lively(V0, 5)
    for tap in (0, -1):
        network.to_quarter.depthwise.conv.weight.data[:, :, tap] = 0
        network.to_quarter.depthwise.conv.weight.data[:, :, :, tap] = 0
    for name, module in network.named_modules():
        if name.endswith(".narrow") and name.split(".")[0] in ("eighth", "sixteenth"):
            module.conv.weight.data[:, ::6] = 0
    network.mix.conv.weight.data[:, ::2] = 0
    network.out.weight.data[:, 1::2] = 0
    export(network, tmp_path / "v0.onnx")
    slim = warm_started(tmp_path / "v0.onnx", pictures(8), Shape())
    with torch.no_grad():
        expected, found = network(pictures(8)), slim(pictures(8))
    torch.testing.assert_close(found, expected, atol=1e-2, rtol=1e-2)
    assert len(slim.last) == len(network.last) + 1


def test_a_smaller_kernel_sees_a_flat_surface_as_before(tmp_path):
    """What the rim of the old kernel weighed is spread over the new one."""
    network = lively(SLIM, 8)
    export(network, tmp_path / "slim.onnx")
    started = warm_started(tmp_path / "slim.onnx", pictures(4), Shape())
    flat = torch.ones(1, SLIM.decoder[2], 12, 12)
    with torch.no_grad():
        expected, found = network.to_quarter.depthwise(flat), started.to_quarter.depthwise(flat)
    torch.testing.assert_close(found[..., 2:-2, 2:-2], expected[..., 2:-2, 2:-2], atol=5e-3, rtol=5e-3)


def test_another_network_to_start_from(tmp_path):
    other = Shape(hidden=(64, 96, 192, 128))
    export(lively(other, 6), tmp_path / "other.onnx")
    with pytest.raises(ModelError, match="is not the network to start from"):
        warm_started(tmp_path / "other.onnx", pictures(2), Shape())


def test_multiply_adds_are_those_that_were_meant():
    """Fewer channels, a smaller kernel and one more block at 1/32: a fifteenth less work than the first release."""
    from models.convert.onnx_entry import count_macs

    slim, first = (count_macs(to_onnx(lively(shape, 7))) for shape in (Shape(), V0))
    assert first == 127_655_040  # as its manifest says
    assert 0.9 * first < slim < 0.94 * first


# -- from end to end


@pytest.fixture(scope="module")
def inputs(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("training")
    save_pictures(folder / "images/train", [f"in_{index:04d}.jpg" for index in range(4)])
    save_pictures(folder / "images/heldout", ["in_0100.jpg", "face_0100.jpg"], first_seed=50)
    save_teacher(folder / "teacher.onnx")
    return folder


def command(inputs: Path, out: Path, *more: str) -> list[str]:
    given = {"images": inputs / "images", "teacher": inputs / "teacher.onnx", "out": out, "cache": inputs / "cache"}
    return [part for name, value in given.items() for part in (f"--{name}", str(value))] + ["--composites", "0", *more]


def test_a_run_from_pictures_to_a_file(inputs, tmp_path):
    """The smoke configuration, cut short: views, steps, log, checkpoint, file; then it goes on from the checkpoint."""
    run(parse_arguments(command(inputs, tmp_path, "--smoke", "--minutes", "0.06", "--small-share", "1", "--seed", "3")))
    state = torch.load(tmp_path / "checkpoint.pt", weights_only=True)
    assert state["step"] >= 1
    assert state["config"]["seed"] == 3
    session = onnxruntime.InferenceSession(tmp_path / "depth.onnx", providers=["CPUExecutionProvider"])
    assert session.get_outputs()[0].shape == [1, 1, 192, 320]

    arguments = command(inputs, tmp_path, "--resume", "--smoke", "--minutes", "0.15", "--small-share", "1")
    run(parse_arguments(arguments))
    resumed = torch.load(tmp_path / "checkpoint.pt", weights_only=True)
    assert resumed["step"] > state["step"]
    assert resumed["seconds"] > state["seconds"]


def test_steps_lower_the_loss_and_are_logged(inputs, tmp_path):
    from models.training.data import Views
    from models.training.train import Trainer

    if not (inputs / "cache").exists():
        run(parse_arguments(command(inputs, tmp_path, "--labels-only")))
    config = replace(Config(), minutes=0.12, small_size=(64, 96), small_share=1, warm_up=5, rate=4e-3)
    config = replace(config, checkpoint_minutes=0.04, batch=8)
    trainer = Trainer(config, Views(inputs / "cache", 1), seeded_network(Shape(), 1), tmp_path / "out")
    trainer.run()
    lines = [json.loads(line) for line in (tmp_path / "out/log.jsonl").read_text().splitlines()]
    assert len(lines) >= 2
    assert lines[-1]["total"] < lines[0]["total"]
    assert lines[0]["size"] == [64, 96]
    assert lines[0]["seconds_a_batch"] > 0


def test_half_the_precision_gives_about_the_same_loss(inputs, tmp_path):
    from models.training.data import Views
    from models.training.train import Trainer

    if not (inputs / "cache").exists():
        run(parse_arguments(command(inputs, tmp_path, "--labels-only")))
    views = Views(inputs / "cache", 1)
    batch = views.load(next(views.batches(4))[0], (64, 96))
    found = []
    for half in (False, True):
        trainer = Trainer(Config(half=half), views, seeded_network(Shape(), 1), tmp_path / "run")
        found.append(trainer._learn(batch)["total"])
        assert {value.dtype for value in trainer.network.parameters()} == {torch.float32}
    assert found[0] != found[1]
    assert found[0] == pytest.approx(found[1], rel=0.05)


def test_a_checkpoint_of_another_network(inputs, tmp_path):
    from models.training.data import Views
    from models.training.train import Trainer

    if not (inputs / "cache").exists():
        run(parse_arguments(command(inputs, tmp_path, "--labels-only")))
    views = Views(inputs / "cache", 1)
    Trainer(Config(), views, seeded_network(Shape(), 1), tmp_path / "run").save()
    with pytest.raises(ModelError, match="of a network of another shape"):
        Trainer(Config(), views, seeded_network(V0, 1), tmp_path / "run").resume()


def test_without_pictures(tmp_path, inputs):
    with pytest.raises(ModelError, match="no pictures"):
        run(
            parse_arguments(
                ["--images", str(tmp_path), "--teacher", str(inputs / "teacher.onnx"), "--out", str(tmp_path)]
            )
        )

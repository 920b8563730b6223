"""Fresh views, the coarse run, and processes that train one network together."""

import multiprocessing
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import onnxruntime
import pytest

from models.errors import ModelError
from models.training.fresh import Anew, Fresh
from models.training.teacher import Teacher
from tests.models.training.makers import save_pictures, save_teacher

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="module")
def inputs(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("together")
    save_pictures(folder / "images/train", [f"in_{index:04d}.jpg" for index in range(4)])
    save_pictures(folder / "images/heldout", ["in_0100.jpg"], first_seed=50)
    save_teacher(folder / "teacher.onnx")
    return folder


def with_things(inputs: Path, folder: Path) -> Path:
    """Return a folder of pictures with a bright round cut-out beside them, and a person's mask."""
    shutil.copytree(inputs / "images", folder)
    (folder / "cutouts").mkdir()
    (folder / "masks").mkdir()
    ball = np.zeros((80, 80, 4), np.uint8)
    cv2.circle(ball, (40, 40), 30, (10, 20, 250, 255), -1)
    assert cv2.imwrite(str(folder / "cutouts/ball.png"), ball)
    height, width = cv2.imread(str(folder / "train/in_0000.jpg")).shape[:2]
    mask = np.zeros((height, width), np.uint8)
    cv2.ellipse(mask, (width // 2, height // 2), (30, 50), 0, 0, 360, 255, -1)
    assert cv2.imwrite(str(folder / "masks/in_0000.png"), mask)
    return folder


def anew(inputs: Path, images: Path | None = None, **changes: object) -> Anew:
    made = Anew(images or inputs / "images", inputs / "teacher.onnx", share=1.0)
    return replace(made, **changes)


# -- fresh views


def test_a_fresh_view_has_the_teachers_label_of_its_very_pixels(inputs, tmp_path):
    fresh = Fresh(anew(inputs, with_things(inputs, tmp_path / "images")), seed=3)
    teacher = Teacher(inputs / "teacher.onnx")
    views = [fresh.view() for _ in range(30)]
    for image, label in views:
        assert image.shape == (192, 320, 3)
        assert image.dtype == np.uint8
        assert label.shape == (96, 160)
        np.testing.assert_allclose(label, teacher(image), atol=1e-3)
    assert len({image.tobytes() for image, _ in views}) == 30


def test_things_are_pasted(inputs, tmp_path):
    """The red of the cut-out, which no picture has, is there at once in some views and in none without it."""
    folder = with_things(inputs, tmp_path / "images")
    shutil.rmtree(folder / "masks")
    flat = np.full((150, 200, 3), 120, np.uint8)
    for path in (folder / "train").glob("*.jpg"):
        assert cv2.imwrite(str(path), flat)
    fresh = Fresh(anew(inputs, folder), seed=5)
    pasted = [np.ptp(fresh._with_thing(flat_view()).astype(int), axis=2).max() for _ in range(20)]
    assert np.mean(np.array(pasted) > 60) > 0.6
    shutil.rmtree(folder / "cutouts")
    assert Fresh(anew(inputs, folder), seed=5)._thing() is None


def flat_view() -> np.ndarray:
    return np.full((192, 320, 3), 120, np.uint8)


def test_a_person_is_cut_out_along_the_mask(inputs, tmp_path):
    folder = with_things(inputs, tmp_path / "images")
    shutil.rmtree(folder / "cutouts")
    colour, alpha = Fresh(anew(inputs, folder), seed=1)._thing()
    assert alpha.shape == colour.shape[:2] == (101, 61)
    assert alpha[50, 30] == 255
    assert alpha[0, 0] == 0


def test_each_is_used_as_often_as_asked(inputs):
    fresh = Fresh(anew(inputs, uses=4), seed=2)
    for _ in range(40):
        fresh.next()
    assert 10 <= fresh._made <= 11


def test_no_more_are_kept_than_asked(inputs):
    fresh = Fresh(anew(inputs, uses=1, kept=3), seed=2)
    for _ in range(8):
        fresh.next()
    assert len(fresh._kept) == 3


def test_the_same_seed_makes_the_same_views(inputs):
    first, second = (Fresh(anew(inputs), seed=9) for _ in range(2))
    for _ in range(5):
        np.testing.assert_array_equal(first.view()[0], second.view()[0])


def test_a_mask_without_a_person_ends_the_search(inputs, tmp_path):
    folder = with_things(inputs, tmp_path / "images")
    shutil.rmtree(folder / "cutouts")
    assert cv2.imwrite(str(folder / "masks/in_0000.png"), np.zeros((150, 200), np.uint8))
    assert Fresh(anew(inputs, folder), seed=1)._thing() is None


def test_a_cut_out_without_alpha(inputs, tmp_path):
    folder = with_things(inputs, tmp_path / "images")
    shutil.rmtree(folder / "masks")
    assert cv2.imwrite(str(folder / "cutouts/ball.png"), np.zeros((20, 20, 3), np.uint8))
    with pytest.raises(ModelError, match=r"ball\.png has no alpha channel"):
        Fresh(anew(inputs, folder), seed=1)._thing()


# -- with PyTorch

torch = pytest.importorskip("torch", reason="PyTorch (dependency group training) is not installed")

from models.training.__main__ import parse_arguments, run  # noqa: E402
from models.training.coarse import CoarseNet  # noqa: E402
from models.training.data import Views  # noqa: E402
from models.training.losses import Weights, loss  # noqa: E402
from models.training.network import DepthNet, Shape  # noqa: E402
from models.training.replicas import Replicas  # noqa: E402
from models.training.train import Config, Trainer, predictor, seeded_network  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning:torch.*")


@pytest.fixture(autouse=True)
def one_thread():
    torch.set_num_threads(1)


def command(inputs: Path, out: Path, *more: str) -> list[str]:
    given = {"images": inputs / "images", "teacher": inputs / "teacher.onnx", "out": out, "cache": inputs / "cache"}
    return [part for name, value in given.items() for part in (f"--{name}", str(value))] + ["--composites", "0", *more]


@pytest.fixture(scope="module")
def cache(inputs) -> Path:
    run(parse_arguments(command(inputs, inputs / "labels", "--labels-only")))
    return inputs / "cache"


def test_batches_take_their_share_of_fresh_views(inputs, cache):
    views = Views(cache, seed=1, changed=0, anew=anew(inputs, share=0.5))
    known = {np.load(path)[row].tobytes() for path in cache.glob("*/images.npy") for row in range(len(np.load(path)))}
    known |= {np.frombuffer(image, np.uint8).reshape(192, 320, 3)[:, ::-1].tobytes() for image in known}
    rows, _ = next(views.batches(8))
    images = np.concatenate([views.load(rows, (192, 320))[0] for _ in range(10)])
    cached = np.mean([image.tobytes() in known for image in images])
    # Of the cached ones a quarter is cropped, and so unknown as well.
    assert 0.2 < cached < 0.55
    assert views.load(rows, (64, 96))[1].shape == (8, 32, 48)


def test_the_coarse_run_leaves_the_fine_layers_alone(inputs, cache, tmp_path):
    start = seeded_network(Shape(), 1)
    before = {name: value.clone() for name, value in start.state_dict().items()}
    config = replace(Config(), only_coarse=True, batch=4, warm_up=1, rate=2e-3, small_share=0)
    trainer = Trainer(config, Views(cache, 1), start, tmp_path)
    trainer.network.train()
    batch = trainer._views.load(next(trainer._views.batches(4))[0], (192, 320))
    losses = [trainer._learn(batch)["total"] for _ in range(12)]
    assert losses[-1] < 0.9 * losses[0]
    after = trainer.network.network.state_dict()
    same = {name for name, value in after.items() if torch.equal(value, before[name])}
    for name in before:
        fine = name.split(".")[0] in ("stem", "quarter", "to_quarter", "narrow", "fit", "depthwise", "mix", "out")
        if fine:
            assert name in same, name
        elif name.endswith("conv.weight"):
            assert name not in same, name
    assert isinstance(trainer.trained(), DepthNet)


def test_coarse_maps_are_an_eighth_of_the_picture_and_predicted_at_its_size():
    network = CoarseNet(seeded_network(Shape(), 1)).eval()
    image = np.random.default_rng(1).integers(0, 255, (192, 320, 3)).astype(np.uint8)
    with torch.no_grad():
        assert network(torch.rand(2, 3, 192, 320)).shape == (2, 1, 24, 40)
    assert predictor(network)(image).shape == (192, 320)


def test_the_coarse_loss_looks_at_means():
    """A chequered error that means over 4x4 pixels do not see costs nothing there; a slope does."""
    label = torch.rand(1, 1, 24, 40).repeat_interleave(4, 2).repeat_interleave(4, 3)
    chequered = label + 0.2 * ((torch.arange(96)[:, None] + torch.arange(160)) % 2 * 2 - 1)
    slope = label + torch.linspace(0, 0.5, 160)
    fine, coarse = Weights(), Weights(coarse=2.0)
    assert float(loss(chequered, label, coarse).coarse) == pytest.approx(0, abs=1e-4)
    found = loss(slope, label, coarse)
    assert float(found.coarse) > 0.1
    assert float(found.total) == pytest.approx(float(loss(slope, label, fine).total + 2 * found.coarse), rel=1e-5)
    assert float(loss(slope, label, fine).coarse) == 0


def _average(rank: int, meeting: Path, results: "multiprocessing.Queue") -> None:
    torch.set_num_threads(1)
    replicas = Replicas(rank, 2)
    replicas.join(meeting)
    torch.manual_seed(rank)
    layer = torch.nn.Conv2d(3, 4, 3).to(memory_format=torch.channels_last)
    replicas.agree(layer)
    x = torch.full((1, 3, 8, 8), float(rank + 1)).to(memory_format=torch.channels_last)
    layer(x).sum().backward()
    own = layer.weight.grad.clone()
    seconds = replicas.averaged(layer.parameters(), 10.0 + rank)
    results.put((rank, layer.weight.detach().numpy().copy(), own.numpy(), layer.weight.grad.numpy(), seconds))
    replicas.leave()


def test_gradients_are_averaged(tmp_path):
    context = multiprocessing.get_context("spawn")
    results = context.Queue()
    both = [context.Process(target=_average, args=(rank, tmp_path / "meeting", results)) for rank in range(2)]
    for process in both:
        process.start()
    found = sorted((results.get(timeout=120) for _ in both), key=lambda item: item[0])
    for process in both:
        process.join(60)
    np.testing.assert_array_equal(found[0][1], found[1][1])  # the first one's weights
    assert np.abs(found[0][2] - found[1][2]).max() > 1
    mean = (found[0][2] + found[1][2]) / 2
    for item in found:
        np.testing.assert_allclose(item[3], mean, rtol=1e-6)
        assert item[4] == pytest.approx(10.5)


def test_one_alone_averages_nothing():
    layer = torch.nn.Linear(2, 2)
    layer(torch.ones(1, 2)).sum().backward()
    own = layer.weight.grad.clone()
    assert Replicas().averaged(layer.parameters(), 3.5) == 3.5
    assert torch.equal(layer.weight.grad, own)


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        (["--only-coarse", "--coarse", "1"], "with --only-coarse there is none"),
        (["--fresh", "1.5"], "--fresh is a share, from 0 to 1"),
        (["--replicas", "0"], "--replicas is at least 1"),
    ],
)
def test_options_that_make_no_sense(inputs, tmp_path, capsys, wrong, why):
    with pytest.raises(SystemExit):
        parse_arguments(command(inputs, tmp_path, *wrong))
    assert why in capsys.readouterr().err


def test_two_processes_train_one_network(inputs, cache, tmp_path):
    """From pictures to a file, with fresh views: one log, one checkpoint, then on with the whole network."""
    arguments = ["--smoke", "--batch", "2", "--processes", "0", "--small-share", "1", "--fresh", "0.5"]
    coarse = tmp_path / "coarse"
    together = ["--minutes", "0.12", "--replicas", "2", "--only-coarse"]
    started = [sys.executable, "-m", "models.training", *command(inputs, coarse, *arguments, *together)]
    ended = subprocess.run(started, check=False, cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert ended.returncode == 0, ended.stderr
    state = torch.load(coarse / "checkpoint.pt", weights_only=True)
    assert state["step"] >= 2
    onnxruntime.InferenceSession(coarse / "depth.onnx", providers=["CPUExecutionProvider"])
    whole = tmp_path / "whole"
    on = ["--minutes", "0.1", "--coarse", "1", "--start-from", str(coarse / "depth.onnx")]
    run(parse_arguments(command(inputs, whole, *arguments, *on)))
    state = torch.load(whole / "checkpoint.pt", weights_only=True)
    assert state["step"] >= 1
    assert state["config"]["weights"]["coarse"] == 1

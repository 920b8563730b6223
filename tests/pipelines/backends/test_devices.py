"""One of several GPUs, chosen by number: `ort-webgpu:1`, `ort-cuda:1`."""

from types import SimpleNamespace

import onnxruntime as ort
import pytest

from pipelines.backends import get_backend, ort_builtin, ort_plugins, ort_webgpu
from pipelines.backends.graphics import Adapter
from pipelines.backends.trials import Trial, load_trial, save_trial
from pipelines.errors import BackendError

DISCRETE = Adapter("Big GPU", False, 0x10DE)
INTEGRATED = Adapter("Small GPU", False, 0x8086, integrated=True)
SECOND = Adapter("Other big GPU", False, 0x10DE)


@pytest.fixture(autouse=True)
def fresh_backends():
    yield
    get_backend.cache_clear()


def ep_device(name, provider, kind=ort.OrtHardwareDeviceType.GPU):
    hardware = SimpleNamespace(type=kind, metadata={"Description": name}, vendor="maker", device_id=7)
    return SimpleNamespace(ep_name=provider, device=hardware, ep_vendor="maker")


@pytest.fixture
def adapters(monkeypatch):
    """Set the GPUs that Vulkan lists, the most powerful kind first."""

    def set_adapters(*found):
        monkeypatch.setattr(ort_webgpu.sys, "platform", "linux")
        monkeypatch.setattr(ort_webgpu, "vulkan_adapters", lambda: list(found))
        monkeypatch.setattr(ort_webgpu.OrtPluginBackend, "devices", lambda self: [ep_device("?", "WebGpu")])

    return set_adapters


@pytest.mark.parametrize(
    ("backend_id", "found", "device", "options"),
    [
        ("ort-webgpu", (DISCRETE, INTEGRATED), "Big GPU", {}),
        ("ort-webgpu:0", (DISCRETE, INTEGRATED), "Big GPU", {}),
        ("ort-webgpu:1", (DISCRETE, INTEGRATED), "Small GPU", {"powerPreference": "low-power"}),
        ("ort-webgpu:2", (DISCRETE, SECOND, INTEGRATED), "Small GPU", {"powerPreference": "low-power"}),
    ],
)
def test_webgpu_takes_the_fast_one_or_the_one_that_saves_power(backend_id, found, device, options, adapters):
    adapters(*found)
    backend = get_backend(backend_id)
    state = backend.probe()
    assert state.device == device
    assert state.devices == tuple(gpu.name for gpu in found)
    assert backend._options() == options
    assert backend.id == backend_id


@pytest.mark.parametrize(
    ("backend_id", "found", "reason"),
    [
        ("ort-webgpu:1", (DISCRETE,), r"there is no device 1 \(known: 0 = Big GPU\)"),
        ("ort-webgpu:1", (DISCRETE, SECOND), r"cannot be asked for device 1 \(Other big GPU\)"),
        ("ort-webgpu:1", (INTEGRATED, INTEGRATED), r"cannot be asked for device 1 \(Small GPU\)"),
    ],
)
def test_what_webgpu_cannot_be_asked_for_is_refused(backend_id, found, reason, adapters):
    """Never another GPU under the name of the one that was asked for."""
    adapters(*found)
    with pytest.raises(BackendError, match=reason):
        get_backend(backend_id).probe()


def test_cuda_devices_are_those_that_the_runtime_lists(monkeypatch):
    listed = [ep_device(f"GPU number {number}", "CUDAExecutionProvider") for number in range(2)]
    monkeypatch.setattr(ort_builtin.ort, "get_ep_devices", lambda: [ep_device("CPU", "CPUExecutionProvider"), *listed])
    second = get_backend("ort-cuda:1")
    state = second.probe()
    assert (state.device, state.devices) == ("GPU number 1", ("GPU number 0", "GPU number 1"))
    ((provider, options),) = second._attach(None)
    assert provider == "CUDAExecutionProvider"
    assert options == {"use_tf32": "0", "device_id": "1"}
    assert get_backend("ort-openvino:1")._attach(None) == [("OpenVINOExecutionProvider", {"device_type": "GPU.1"})]
    assert "device_id" not in get_backend("ort-cuda")._attach(None)[0][1]
    with pytest.raises(BackendError, match=r"there is no device 2 \(known: 0 = GPU number 0, 1 = GPU number 1\)"):
        get_backend("ort-cuda:2").probe()


def test_a_plugin_attaches_the_device_of_the_number(monkeypatch):
    plugin = ort_plugins.OrtPluginBackend("ort-some", "onnxruntime-ep-some")
    listed = [ep_device("first", "Some"), ep_device("second", "Some")]
    monkeypatch.setattr(ort_plugins.OrtPluginBackend, "devices", lambda self: listed)
    second = plugin.on_device(1)
    assert (second.id, plugin.id) == ("ort-some:1", "ort-some")
    assert second._chosen() is listed[1]
    assert plugin._chosen() is listed[0]
    assert second.probe().devices == ("first", "second")


@pytest.mark.parametrize(
    ("backend_id", "told"),
    [
        ("ort-cpu:1", "ort-cpu has no choice of devices: leave out the :1"),
        ("litert-gpu:0", "litert-gpu has no choice of devices: leave out the :0"),
        ("ort-coreml:1", "ort-coreml has no choice of devices"),
        ("ort-cuda:", "does not name a device: write its number, as in ort-cuda:1"),
        ("ort-cuda:first", "does not name a device"),
        ("ort-cuda:-1", "does not name a device"),
    ],
)
def test_what_is_no_device_is_one_sentence(backend_id, told):
    with pytest.raises(BackendError, match=told):
        get_backend(backend_id)


def test_each_device_has_its_own_verdicts():
    save_trial("ort-cuda", Trial("GPU number 0", devices=("a", "b")))
    save_trial("ort-cuda:1", Trial(problem="there is no device 1"))
    assert load_trial("ort-cuda") == Trial("GPU number 0", devices=("a", "b"))
    assert load_trial("ort-cuda:1").problem == "there is no device 1"

"""How frames become results: sources, tasks, backends, engines, overlays and files. Knows nothing of Qt."""

import models  # noqa: F401 - before ONNX Runtime is imported, which must not tell anybody

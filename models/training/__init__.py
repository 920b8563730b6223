"""How the depth network was trained: a developer's tool that needs PyTorch (see docs/depth.md).

Import order within the package, low to high: `pictures`, `teacher`, `views`, `labels` (pictures to a cache of views),
`network`, `losses`, `augment`, `data`, `train`, `warm_start`, `metrics`, `evaluate`, `export`, `__main__`. Without
PyTorch the parts about pictures, figures and ONNX (`metrics`, `duplicates`, `onnx_writer`, ...) can still be used.
"""

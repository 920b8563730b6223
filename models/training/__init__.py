"""How the depth network was trained: a developer's tool that needs PyTorch (see docs/depth.md).

Import order within the package, low to high: `pictures`, `teacher`, `views`, `labels` (pictures to a cache of views),
`metrics`, `evaluate`, `augment`, `data`, `network`, `losses`, `train`, `warm_start`, `export`, `__main__`. Without
PyTorch the parts about pictures, figures and ONNX can still be used, and `judge` compares any network with the teacher.
"""

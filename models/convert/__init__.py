"""How the weights in `models/weights` were made: from published .tflite files to plain ONNX graphs.

``python -m models.convert --tflite-dir DIR`` does all of it. The way of a model through this package:

1. `sources` finds the published file and compares its checksum; `flatbuffer` reads it into a `graph.Graph`.
2. `rewrite_resize` and `rewrite_heads` reorder and merge operators, exactly or up to float rounding.
3. `emitter` and the `emit_*` modules write ONNX operators of the default domain, channels first, with the layout
   tricks that `options` asks for; `entry` makes the graph take a uint8 BGR picture as it is.
4. `cleanup` drops what became superfluous, `check` compares the result with LiteRT, `writer` writes files and manifest.

Each rewrite says in its docstring what it does in plain words and what it gained. The figures are 10th percentiles of
ONNX Runtime 1.32 on one AVX-512 core. Their common cause is ONNX Runtime's blocked (NCHWc) layout: convolutions run
3 to 4 times faster in it, and every operator that has no blocked form makes the runtime reorder out of it and in again.

These modules are developer tools. They need the packages onnx, onnxruntime and ai-edge-litert; the app imports none of
them.
"""

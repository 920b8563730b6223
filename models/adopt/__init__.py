"""Networks that a user brings: a published ONNX file becomes a model like the shipped ones.

The file is wrapped once, when it is added: nodes in front take the picture as OpenCV holds it (uint8, BGR, NHWC) and
normalise it, nodes behind turn the answer into what the task expects. Everything after that (backends, trials,
benchmark, window) sees a model with a manifest and knows nothing of where it came from.

`request` is what the user says, `presets` what well-known families of networks want, `network` reads the file, `entry`
and `outputs` write the nodes, and `adopt` puts it together.
"""

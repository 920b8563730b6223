"""Make `mediapipe_reference.json`: what MediaPipe's own runtime says about the sample pictures.

    python tests/data/make_mediapipe_reference.py PICTURES OUT

It needs the package mediapipe 0.10.21, in an environment of its own, and nothing of this project. PICTURES is a folder
with `face_mesh.png`, `selfie_landscape.png` and `selfie_square.png`: the pictures of
`models.convert.check.sample_picture`. They have exactly the networks' input sizes, so MediaPipe resamples nothing and
its networks see the same pixels as ours.

The face's points come out of MediaPipe's complete face graph, refinement included, with the whole picture as region of
interest; its face flag and the masks straight from the inference calculator. Of a mask every eighth row and column is
kept.
"""

import json
import sys
from importlib.metadata import version
from pathlib import Path

import cv2
import mediapipe as mp
import numpy as np
from mediapipe.framework.formats import rect_pb2
from mediapipe.python._framework_bindings import resource_util

MODULES = Path(mp.__file__).parent / "modules"
STEP = 8

INFERENCE = """
input_stream: "image"
output_stream: "values"
node {{
  calculator: "ImageToTensorCalculator"
  input_stream: "IMAGE:image"
  output_stream: "TENSORS:input"
  options: {{ [mediapipe.ImageToTensorCalculatorOptions.ext] {{
    output_tensor_width: {width} output_tensor_height: {height}
    output_tensor_float_range {{ min: 0.0 max: 1.0 }} }} }}
}}
node {{
  calculator: "TfLiteCustomOpResolverCalculator"
  output_side_packet: "OP_RESOLVER:operators"
  options: {{ [mediapipe.TfLiteCustomOpResolverCalculatorOptions.ext] {{ use_gpu: false }} }}
}}
node {{
  calculator: "InferenceCalculator"
  input_side_packet: "OP_RESOLVER:operators"
  input_stream: "TENSORS:input"
  output_stream: "TENSORS:tensors"
  options: {{ [mediapipe.InferenceCalculatorOptions.ext] {{
    model_path: "{model}" delegate {{ xnnpack {{}} }} }} }}
}}
node {{
  calculator: "SplitTensorVectorCalculator"
  input_stream: "tensors"
  output_stream: "tensor"
  options: {{ [mediapipe.SplitVectorCalculatorOptions.ext] {{
    ranges: {{ begin: {output} end: {end} }} }} }}
}}
node {{
  calculator: "TensorsToFloatsCalculator"
  input_stream: "TENSORS:tensor"
  output_stream: "FLOATS:values"
}}
"""

FACE = """
input_stream: "image"
input_stream: "roi"
input_side_packet: "with_attention"
output_stream: "landmarks"
node {
  calculator: "FaceLandmarkCpu"
  input_stream: "IMAGE:image"
  input_stream: "ROI:roi"
  input_side_packet: "WITH_ATTENTION:with_attention"
  output_stream: "LANDMARKS:landmarks"
}
"""


def read_rgb(path):
    """Read a picture as uint8 RGB, (H, W, 3)."""
    return cv2.cvtColor(cv2.imread(str(path)), cv2.COLOR_BGR2RGB)


def infer(picture, model, output):
    """Return one output tensor of a network, flat."""
    height, width = picture.shape[:2]
    config = INFERENCE.format(model=MODULES / model, width=width, height=height, output=output, end=output + 1)
    graph = mp.CalculatorGraph(graph_config=config)
    found = []
    graph.observe_output_stream("values", lambda _, packet: found.extend(mp.packet_getter.get_float_list(packet)))
    graph.start_run()
    image = mp.Image(image_format=mp.ImageFormat.SRGB, data=picture)
    graph.add_packet_to_input_stream("image", mp.packet_creator.create_image(image).at(0))
    graph.wait_until_idle()
    graph.close()
    return np.array(found, np.float32)


def refined_points(picture):
    """Return the 478 points of a face that fills the picture, in pixels, (478, 3)."""
    resource_util.set_resource_dir(str(MODULES.parents[1]))
    side = picture.shape[0]
    graph = mp.CalculatorGraph(graph_config=FACE)
    found = []

    def collect(_, packet):
        landmarks = mp.packet_getter.get_proto(packet).landmark
        found.extend([point.x * side, point.y * side, point.z * side] for point in landmarks)

    graph.observe_output_stream("landmarks", collect)
    graph.start_run({"with_attention": mp.packet_creator.create_bool(True)})
    frame = mp.ImageFrame(image_format=mp.ImageFormat.SRGB, data=picture)
    graph.add_packet_to_input_stream("image", mp.packet_creator.create_image_frame(frame).at(0))
    whole = rect_pb2.NormalizedRect(x_center=0.5, y_center=0.5, width=1, height=1, rotation=0)
    graph.add_packet_to_input_stream("roi", mp.packet_creator.create_proto(whole).at(0))
    graph.wait_until_idle()
    graph.close()
    return np.array(found, np.float32)


def rounded(values):
    """Turn an array into nested lists of numbers with six decimals."""
    return np.round(values.astype(np.float64), 6).tolist()


def main(pictures, out):
    """Run everything and write the reference."""
    face = read_rgb(pictures / "face_mesh.png")
    flag = infer(face, "face_landmark/face_landmark_with_attention.tflite", output=6)
    reference = {
        "made_by": f"mediapipe {version('mediapipe')}",
        "face_mesh": {"landmarks": rounded(refined_points(face)), "face_flag": rounded(flag)},
    }
    for name, file in (("selfie_landscape", "selfie_segmentation_landscape"), ("selfie_square", "selfie_segmentation")):
        picture = read_rgb(pictures / f"{name}.png")
        mask = infer(picture, f"selfie_segmentation/{file}.tflite", output=0).reshape(picture.shape[:2])
        reference[name] = {"mask_every_8th": rounded(mask[::STEP, ::STEP])}
    out.write_text(json.dumps(reference) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))

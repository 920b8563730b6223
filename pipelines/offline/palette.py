"""Pictures of 256 colours, each with the colours that suit it best, for GIF."""

from __future__ import annotations

from fractions import Fraction

import av


class Palette:
    """Reduces pictures to 256 colours each.

    Parameters
    ----------
    size_wh : tuple of int
        Size of the pictures, in pixels.
    time_base : Fraction
        Of their times.

    Notes
    -----
    Uses FFmpeg's own filters. The ordered dither stays in its place from frame to frame, where one that spreads the
    error crawls and makes the file larger.
    """

    def __init__(self, size_wh: tuple[int, int], time_base: Fraction) -> None:
        self._graph = graph = av.filter.Graph()
        width, height = size_wh
        source = graph.add_buffer(width=width, height=height, format=av.VideoFormat("bgr24"), time_base=time_base)
        split = graph.add("split")
        choose = graph.add("palettegen", "stats_mode=single:reserve_transparent=0")
        apply = graph.add("paletteuse", "new=1:dither=bayer:bayer_scale=3")
        source.link_to(split)
        split.link_to(choose, 0, 0)
        split.link_to(apply, 1, 0)
        choose.link_to(apply, 0, 1)
        apply.link_to(graph.add("buffersink"))
        graph.configure()

    def reduce(self, frame: av.VideoFrame) -> av.VideoFrame:
        """Return a frame (BGR) in 256 colours, at the same time.

        Raises
        ------
        FFmpegError
            If memory runs out.
        """
        self._graph.vpush(frame)
        return self._graph.vpull()

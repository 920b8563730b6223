"""What the queue says: one line for each file, one for all. No widgets here."""

from __future__ import annotations

from collections.abc import Sequence

from app.i18n import tr
from app.notifications import sentence_of
from app.processing.facts import fact_words
from app.processing.items import Item, State
from app.words import DOT, TIMES

SEPARATOR = f"  {DOT}  "


def facts_line(item: Item) -> str:
    """Return what a file is: "1280 x 720 . 30 fps . 300 frames . 10.00 s . sound aac stereo . HDR"."""
    if item.state is State.LOOKING:
        return tr("Looking at the file…")
    if not item.facts:
        return str(item.path.parent)
    size, *rest = item.facts
    said = [fact_words(fact) for fact in rest]
    return SEPARATOR.join([size.replace("x", f" {TIMES} "), *said, *_marks(item.notices)])


def _marks(notices: Sequence[str]) -> list[str]:
    """Return what is special in a word; the sentences are in the tooltip."""
    words = {
        "turned": tr("turned"),
        "mirrored": tr("mirrored"),
        "HDR": "HDR",
        "interlaced": tr("interlaced"),
    }
    return [mark for start, mark in words.items() if any(notice.startswith(start) for notice in notices)]


def state_word(item: Item, paused: bool) -> str:
    """Return the state in a word, or how much is done."""
    if item.state is State.RUNNING:
        if item.part is None or not item.started:
            return tr("Paused") if paused else tr("Running")
        return f"{int(100 * item.part)} %"
    return {
        State.LOOKING: "",
        State.WAITING: tr("Resumes") if item.kept_frames else tr("Waiting"),
        State.DONE: tr("Done"),
        State.INCOMPLETE: tr("Incomplete"),
        State.FAILED: tr("Failed"),
        State.CANCELLED: tr("Cancelled"),
    }[item.state]


def status_line(item: Item, paused: bool) -> str:
    """Return how far a file is, or what became of it."""
    match item.state:
        case State.RUNNING:
            return _running_line(item, paused)
        case State.DONE:
            return _done_line(item)
        case State.FAILED | State.CANCELLED if item.kept_frames:
            kept = tr("{done} frames are kept: Try again resumes after them.").format(done=f"{item.kept_frames:,}")
            return f"{message_of(item)} {kept}" if item.message else kept
        case State.INCOMPLETE | State.FAILED:
            return message_of(item)
        case State.CANCELLED:
            return tr("Nothing was written.")
        case State.WAITING:
            return _kept_line(item)
        case _:
            return ""


def _kept_line(item: Item) -> str:
    """Return what a run that broke off has left, and what becomes of it."""
    if item.kept is None:
        return ""
    frames, difference = item.kept
    if difference:
        text = tr("{done} frames of an earlier run were made with other settings and will be thrown away.")
    else:
        text = tr("{done} frames were finished before a break: it resumes after them.")
    return text.format(done=f"{frames:,}")


def message_of(item: Item) -> str:
    """Return why a file failed, without the name that stands above it; the path is in the tooltip."""
    text = item.message
    for name in (str(item.path), item.path.name):
        if text.startswith(f"{name}: "):
            return sentence_of(text.removeprefix(f"{name}: "))
        if text.startswith(f"{name} "):
            return sentence_of(tr("this file {rest}").format(rest=text.removeprefix(f"{name} ")))
    return sentence_of(text)


def _running_line(item: Item, paused: bool) -> str:
    if not item.started and not paused:
        return tr("Opening the file and loading the models…")
    if item.is_count_known:
        count = tr("{done} of {expected} frames").format(done=f"{item.done:,}", expected=f"{item.expected:,}")
    else:
        count = tr("{done} frames").format(done=f"{item.done:,}")
    if paused:
        return SEPARATOR.join([tr("Paused"), count])
    parts = [count]
    rate, left_s = item.meter.rate, item.meter.left_s(item.done, item.expected)
    if rate is not None:
        parts.append(tr("{fps} fps").format(fps=f"{rate:.1f}"))
    if left_s is not None:
        parts.append(tr("{time} left").format(time=length_text(left_s)))
    return SEPARATOR.join(parts)


def _done_line(item: Item) -> str:
    parts = [item.outputs[0].name if item.outputs else ""]
    if len(item.outputs) > 1:
        parts[0] = tr("{name} and {count} more").format(name=parts[0], count=len(item.outputs) - 1)
    if item.done > 1:
        frames = tr("{done} frames in {time}").format(done=f"{item.done:,}", time=length_text(item.work_s))
        new = item.done - item.resumed
        rate = tr("{fps} fps").format(fps=f"{new / item.work_s:.1f}") if item.work_s > 0 and new > 0 else ""
        parts.append(", ".join(part for part in (frames, rate) if part))
    if item.resumed:
        parts.append(tr("resumed after frame {number}").format(number=f"{item.resumed:,}"))
    return SEPARATOR.join(parts)


def length_text(seconds: float) -> str:
    """Return a length of time as people say it: "4 s", "2 min 05 s", "1 h 10 min"."""
    whole = max(1, round(seconds))
    if whole < 60:
        return tr("{seconds} s").format(seconds=whole)
    if whole < 3600:
        return tr("{minutes} min {seconds} s").format(minutes=whole // 60, seconds=f"{whole % 60:02d}")
    return tr("{hours} h {minutes} min").format(hours=whole // 3600, minutes=f"{whole % 3600 // 60:02d}")


def tooltip(item: Item) -> str:
    """Return everything that is known of a file, a line each."""
    lines = [str(item.path), *(sentence_of(notice) for notice in item.notices)]
    if item.message:
        lines.append(sentence_of(item.message))
    if item.kept is not None and item.kept[1]:
        lines.append(sentence_of(tr("An earlier run was different: {difference}").format(difference=item.kept[1])))
    return "\n".join([*lines, *(tr("Written: {path}").format(path=path) for path in item.outputs)])


def spoken(item: Item, paused: bool) -> str:
    """Return the row as a screen reader shall read it."""
    parts = [item.path.name, state_word(item, paused), status_line(item, paused), facts_line(item)]
    return ", ".join(part.replace(SEPARATOR, ", ") for part in parts if part)


def files(count: int) -> str:
    """Return "1 file" or "3 files"."""
    return tr("%n file(s)", "", count)


def summary(
    items: Sequence[Item], is_running: bool, is_paused: bool, left: tuple[float | None, bool] = (None, True)
) -> str:
    """Return what became of all files so far, in a line.

    Parameters
    ----------
    items : sequence of Item
        The queue.
    is_running, is_paused : bool
        Whether it is worked on, and held.
    left : tuple of (float or None, bool)
        How long the rest takes, and whether that is all of it (see `app.processing.eta.Pace`).
    """
    if not items:
        return ""
    counts = {state: sum(item.state is state for item in items) for state in State}
    ended = [
        words.format(count=f"{counts[state]:,}")
        for state, words in (
            (State.DONE, tr("{count} done")),
            (State.INCOMPLETE, tr("{count} incomplete")),
            (State.FAILED, tr("{count} failed")),
            (State.CANCELLED, tr("{count} cancelled")),
        )
        if counts[state]
    ]
    waiting = counts[State.WAITING] + counts[State.LOOKING]
    if is_running:
        finished = sum(not item.state.is_open and item.state is not State.RUNNING for item in items)
        head = tr("File {number} of {count}").format(
            number=f"{min(finished + 1, len(items)):,}", count=f"{len(items):,}"
        )
        if left[0] is not None and waiting and not is_paused:
            text = tr("{time} left for all") if left[1] else tr("more than {time} left for all")
            ended.append(text.format(time=length_text(left[0])))
        return SEPARATOR.join([tr("{head}, paused").format(head=head) if is_paused else head, *ended])
    if waiting:
        ended.append(tr("{count} ready").format(count=f"{waiting:,}"))
    return SEPARATOR.join([files(len(items)), *ended])

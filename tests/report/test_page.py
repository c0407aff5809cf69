"""The page in a real browser: everything moves, by pointer and by keyboard, and nothing leaves the file."""

import re
from base64 import b64encode
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
import pytest

from atgvnet.benchmarks import evaluate
from atgvnet.report import Gallery, write_page
from atgvnet.report.codec import encode

WIDTHS = {"desk": 1440, "phone": 390}
READY = "#scene[aria-busy=false]"
PIXELS = """([selector, most]) => {
    const canvas = document.querySelector(selector);
    const share = Math.min(1, most / canvas.width);
    const [width, height] = [Math.round(canvas.width * share), Math.round(canvas.height * share)];
    const copy = new OffscreenCanvas(width, height).getContext('2d', {willReadFrequently: true});
    copy.drawImage(canvas, 0, 0, width, height);
    return [width, height, ...copy.getImageData(0, 0, width, height).data];
}"""


class Seen(list[str]):
    """What went wrong in a page, or left it."""

    def watch(self, page: Any) -> None:
        page.on("console", lambda message: self.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: self.append(str(error)))
        page.on("request", lambda request: None if request.url.startswith("file:") else self.append(request.url))


@pytest.fixture
def page(browser: Any, page_file: Path) -> Iterator[Any]:
    context = browser.new_context(viewport={"width": WIDTHS["desk"], "height": 900}, color_scheme="light")
    page, seen = context.new_page(), Seen()
    seen.watch(page)
    page.goto(page_file.as_uri())
    page.wait_for_selector(READY)
    yield page
    context.close()
    assert seen == []


def pixels(page: Any, selector: str, most: int = 1000) -> np.ndarray:
    width, height, *values = page.evaluate(PIXELS, [selector, most])
    return np.array(values, dtype=np.uint8).reshape(height, width, 4)


def styled(page: Any, selector: str, name: str) -> str:
    return page.locator(selector).first.evaluate(f"element => getComputedStyle(element).getPropertyValue('{name}')")


def centre(page: Any, selector: str, x: float = 0.5, y: float = 0.5) -> tuple[float, float]:
    page.locator(selector).scroll_into_view_if_needed()
    box = page.locator(selector).bounding_box()
    return box["x"] + x * box["width"], box["y"] + y * box["height"]


def test_a_map_is_decoded_as_it_was(browser: Any) -> None:
    generator = np.random.default_rng(3)
    maps = [
        generator.integers(0, 65536, (9, 14)),
        np.full((5, 8), 65535),
        np.zeros((3, 3)),
        np.array([[7]]),
        np.tile([0, 65535], (6, 5)),
        np.add.outer(np.arange(20), np.arange(30)) + generator.integers(0, 9, (20, 30)),
    ]
    script = files("atgvnet.report").joinpath("assets", "codec.js").read_text(encoding="utf-8").replace("export ", "")
    page = browser.new_page()
    for levels in (each.astype(np.uint16) for each in maps):
        text = b64encode(encode(levels).tobytes()).decode()
        height, width = levels.shape
        call = f"[...decode(Uint8Array.from(atob('{text}'), (c) => c.charCodeAt(0)), {width}, {height})]"
        decoded = page.evaluate(f"(() => {{ {script}; return {call}; }})()")
        assert np.array_equal(np.reshape(decoded, levels.shape), levels)
    page.close()


def test_pictures_are_the_maps(page: Any, folder: Path) -> None:
    truth = np.load(folder / "truth" / "few.npy")
    low, high = np.percentile(truth.astype(np.float32), (0.5, 99.5))
    shown = pixels(page, "#wall .panel:first-child .picture > canvas")
    expected = mpl.colormaps["viridis"](np.clip((high - truth) / (high - low), 0, 1), bytes=True)
    assert np.abs(shown.astype(int) - expected).max() <= 4  # a shade of 256, next to its neighbour
    inset = page.locator("#wall .inset")
    whole = page.locator("#wall .picture").first
    assert inset.bounding_box()["width"] == pytest.approx(whole.bounding_box()["width"] / 4, rel=0.03)


def test_every_picture_has_a_text_alternative(page: Any) -> None:
    named = "element => element.getAttribute('aria-label')?.trim() || element.closest('[aria-hidden=true]')"
    pictures = page.locator("canvas, svg")
    assert pictures.count() > 15
    assert all(pictures.nth(index).evaluate(f"element => !!({named})(element)") for index in range(pictures.count()))


def test_the_wipe_follows_slider_keys_and_pointer(page: Any) -> None:
    page.locator("#wipe-edge").focus()
    page.keyboard.press("Home")
    assert styled(page, "#wipe", "--cut") == "0%"
    page.keyboard.press("ArrowRight")
    assert styled(page, "#wipe", "--cut") == "0.5%"
    page.mouse.move(*centre(page, "#wipe", 0.2))
    page.mouse.down()
    page.mouse.move(*centre(page, "#wipe", 0.75))
    page.mouse.up()
    assert float(page.locator("#wipe-edge").input_value()) == pytest.approx(75, abs=1)
    assert styled(page, "#wipe .over", "clip-path").startswith("inset(0")


def test_the_wipe_shows_what_is_chosen(page: Any) -> None:
    page.locator("#wipe-left").select_option("truth")
    page.locator("#wipe-right").select_option("nearest")
    assert page.locator("#wipe .name").all_inner_texts() == ["Truth", "NN"]
    depth = pixels(page, "#wipe .over")
    page.locator("#wipe-use input[value=error]").check(force=True)
    error = pixels(page, "#wipe .over")
    assert depth.std() > 10
    assert error[..., :3].max() <= 4  # the truth has none


def test_the_loupe_is_at_the_pointer_in_all_panels(page: Any) -> None:
    page.mouse.move(*centre(page, "#wall .panel:nth-child(3) .picture >> nth=0", 0.25, 0.5))
    lenses = page.locator("#wall .lens")
    assert lenses.count() == 7  # the truth, and result and error of three methods
    places = {
        tuple(lens.evaluate("e => [getComputedStyle(e).getPropertyValue('--x'), e.width]")) for lens in lenses.all()
    }
    assert len(places) == 1
    assert float(places.pop()[0].rstrip("%")) == pytest.approx(25, abs=1.1)
    assert "column 24, row 36" in page.locator("#loupe-status").inner_text()
    lens, whole = pixels(page, "#wall .panel:first-child .lens"), pixels(page, "#wall .panel:first-child canvas")
    half = lens.shape[0] // 2
    assert np.array_equal(lens[half - 4 : half + 4, half - 4 : half + 4], whole[32:40, 20:28])


def test_the_loupe_works_by_keys_alone(page: Any) -> None:
    page.locator("#scenes-offered input").first.focus()
    for _ in range(12):
        if page.evaluate("document.activeElement.id") == "loupe":
            break
        page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.id") == "loupe"
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Shift+ArrowUp")
    assert "column 64, row 35" in page.locator("#loupe").get_attribute("aria-valuetext")
    width = page.locator("#wall .lens").first.evaluate("e => e.width")
    page.keyboard.press("+")
    assert page.locator("#wall .lens").first.evaluate("e => e.width") < width
    page.keyboard.press("Escape")
    assert "looking" not in page.locator("#wall").get_attribute("class")


def test_the_profile_follows_its_line(page: Any) -> None:
    drawn = page.locator("#profile .truth").get_attribute("d")
    page.locator("#line button").first.focus()
    page.keyboard.press("ArrowDown")
    moved = page.locator("#profile .truth").get_attribute("d")
    assert moved != drawn
    assert "row 34" in page.locator("#line button").first.get_attribute("aria-label")
    page.mouse.move(*centre(page, "#line", 0.5, 0.5))
    page.mouse.down()
    page.mouse.move(*centre(page, "#line", 0.5, 0.8))
    page.mouse.up()
    assert page.locator("#profile .truth").get_attribute("d") != moved
    assert "RMS" in page.locator("#profile").get_attribute("aria-label")


def test_lines_come_and_go_with_their_chips(page: Any) -> None:
    before = page.locator("#curves .lines path").count()
    page.locator("#chips input[value=bilinear]").uncheck()
    assert page.locator("#curves .lines path").count() == before - 1
    page.locator("#chips input[value=input]").check()
    assert page.locator("#profile .lines .input").count() == 1


def test_the_surfaces_turn(page: Any) -> None:
    page.wait_for_timeout(300)
    before = pixels(page, "#surface-right", most=160)
    page.locator("#turn").focus()
    page.keyboard.press("PageUp")
    page.wait_for_timeout(400)
    after = pixels(page, "#surface-right", most=160)
    assert before[..., 3].mean() > 40  # something is drawn
    assert before.shape == after.shape
    assert np.abs(before.astype(int) - after).mean() > 1


def test_another_scene_is_chosen_by_keys(page: Any) -> None:
    page.locator("#scenes-offered input").first.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_selector("#scene-title:has-text('Many')")
    page.wait_for_selector(READY)
    hole = pixels(page, "#wall .panel:nth-child(2) .picture:last-child canvas")[15, 35]
    assert hole[3] == 0  # where nothing counts, no error is drawn


def test_it_is_dark_in_a_dark_room_and_on_demand(browser: Any, page_file: Path) -> None:
    def brightness(page: Any) -> int:
        return sum(map(int, re.findall(r"\d+", styled(page, "body", "background-color"))[:3]))

    context = browser.new_context(color_scheme="dark")
    page = context.new_page()
    page.goto(page_file.as_uri())
    assert brightness(page) < 150
    page.locator("#theme input[value=light]").check(force=True)
    assert brightness(page) > 600
    context.close()


@pytest.mark.parametrize("width", WIDTHS.values(), ids=WIDTHS)
def test_nothing_is_wider_than_the_screen(browser: Any, page_file: Path, width: int) -> None:
    context = browser.new_context(viewport={"width": width, "height": 800})
    page = context.new_page()
    page.goto(page_file.as_uri())
    page.wait_for_selector(READY)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    context.close()


def test_a_finger_wipes_and_holds_the_loupe(browser: Any, page_file: Path) -> None:
    context = browser.new_context(viewport={"width": WIDTHS["phone"], "height": 800}, has_touch=True, is_mobile=True)
    page, seen = context.new_page(), Seen()
    seen.watch(page)
    page.goto(page_file.as_uri())
    page.wait_for_selector(READY)
    page.touchscreen.tap(*centre(page, "#wall .panel:nth-child(2) .picture:last-child", 0.75, 0.5))
    assert "pinned" in page.locator("#wall").get_attribute("class")
    assert "column 72, row 36" in page.locator("#loupe-status").inner_text()
    page.touchscreen.tap(*centre(page, "#wipe", 0.25))
    assert float(page.locator("#wipe-edge").input_value()) == pytest.approx(25, abs=2)
    context.close()
    assert seen == []


def test_nothing_moves_when_the_loupe_comes(browser: Any, page_file: Path) -> None:
    context = browser.new_context(viewport={"width": WIDTHS["phone"], "height": 800}, has_touch=True, is_mobile=True)
    page = context.new_page()
    page.goto(page_file.as_uri())
    page.wait_for_selector(READY)
    places = "[...document.querySelectorAll('#wall .picture')].map((each) => each.offsetTop)"
    before = page.evaluate(places)
    page.touchscreen.tap(*centre(page, "#wall .panel:nth-child(2) .picture:last-child", 0.75, 0.5))
    assert page.evaluate(places) == before
    assert before[1] == before[3]  # beside each other, however long the captions
    context.close()


def test_what_is_shown_cannot_end_the_script(page: Any) -> None:
    assert page.locator(".made code").inner_text() == "atgvnet evaluate </script><b>"


@pytest.mark.slow
def test_eight_methods_on_large_noisy_maps_are_below_twelve_megabytes(data: Path, tmp_path: Path) -> None:
    methods = ["nearest", "bilinear", "bicubic", "nlm", "he", "kopf", "fast", "universal"]
    gallery = Gallery()
    rows = evaluate("noisy-middlebury", data=data, scales=[4], methods=methods, keep=gallery.keep)
    assert write_page(tmp_path, rows, gallery).stat().st_size < 12e6


def test_the_file_names_nothing_outside(page_file: Path) -> None:
    text = page_file.read_text(encoding="utf-8")
    assert not re.search(r"(?:src|href)=\"(?!#|data:)", text)
    assert "default-src 'none'" in text

// The loupe: a lens in every panel at once, at the same place, over the maps' own pixels.

import { clamp, digits, placeIn } from "./basics.js";
import { paintAround, show } from "./colour.js";
import { errorAt, unitOf } from "./scene.js";

const SIDES = [96, 64, 48, 32, 24, 16, 12, 8]; // pixels seen, from far to close
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const LEAP = 16; // pixels that a key moves; one with Shift

const signed = (error) => (Number.isFinite(error) ? `${error > 0 ? "+" : ""}${digits(error)}` : "not counted");

export class Loupe {
  constructor(wall, handle, status) {
    Object.assign(this, { wall, handle, status, zoom: 3, pinned: false, shown: false });
    wall.addEventListener("pointermove", (event) => this.follow(event));
    wall.addEventListener("pointerdown", (event) => this.follow(event));
    wall.addEventListener("pointerleave", () => this.pinned || this.hide());
    wall.addEventListener("click", (event) => this.pin(event));
    handle.addEventListener("keydown", (event) => this.press(event));
    handle.addEventListener("focus", () => this.move(this.at, true));
  }

  /** Look at a scene's panels from now on. */
  look(scene, panels) {
    Object.assign(this, { scene, panels, pinned: false });
    this.at = [scene.truth.width >> 1, scene.truth.height >> 1];
    this.rest = [panels.truth, ...panels.methods].map(({ caption }) => caption.value);
    this.hide();
  }

  follow(event) {
    const frame = event.target.closest?.(".picture");
    if (!frame || (this.pinned && event.type === "pointermove")) return;
    const { width, height } = this.scene.truth;
    const [x, y] = placeIn(frame, event);
    this.move([x * width, y * height]);
  }

  pin(event) {
    if (!event.target.closest?.(".picture")) return;
    this.pinned = !this.pinned;
    this.wall.classList.toggle("pinned", this.pinned);
    if (this.pinned) this.handle.focus({ preventScroll: true });
  }

  press(event) {
    const step = STEPS[event.key];
    const leap = event.shiftKey ? 1 : LEAP;
    if (step) this.move([this.at[0] + step[0] * leap, this.at[1] + step[1] * leap], true);
    else if (event.key === "+" || event.key === "=") this.magnify(1);
    else if (event.key === "-") this.magnify(-1);
    else if (event.key === "Escape") this.hide();
    else return;
    event.preventDefault();
  }

  magnify(by) {
    this.zoom = clamp(this.zoom + by, 0, SIDES.length - 1);
    this.move(this.at, true);
  }

  move([x, y], spoken = false) {
    const { width, height } = this.scene.truth;
    this.at = [clamp(Math.floor(x), 0, width - 1), clamp(Math.floor(y), 0, height - 1)];
    this.shown = true;
    this.wall.classList.add("looking");
    this.wall.style.setProperty("--x", `${(100 * (this.at[0] + 0.5)) / width}%`);
    this.wall.style.setProperty("--y", `${(100 * (this.at[1] + 0.5)) / height}%`);
    for (const { lens, map, use } of this.panels.views) show(lens, paintAround(this.scene, map, use, this.at, SIDES[this.zoom]));
    this.lookUnder();
    this.tell(spoken);
  }

  lookUnder() {
    const { input, truth, stride, scale } = this.scene;
    const place = [(this.at[0] * input.width) / truth.width, (this.at[1] * input.height) / truth.height].map(Math.floor);
    const side = Math.max(2, Math.round((SIDES[this.zoom] * stride) / scale));
    show(this.panels.truth.under, paintAround(this.scene, input, "depth", place, side));
  }

  tell(spoken) {
    const index = this.at[1] * this.scene.truth.width + this.at[0];
    const [truth, unit] = [digits(this.scene.truth.values[index]), unitOf(this.scene)];
    const parts = this.panels.methods.map(({ caption, method }) => {
      caption.value = `${digits(method.map.values[index])} (${signed(errorAt(this.scene, method.map, index))})`;
      return `${method.label} ${caption.value}`;
    });
    this.panels.truth.caption.value = `${truth} ${unit}`;
    const place = `column ${this.at[0]}, row ${this.at[1]}`;
    this.handle.setAttribute("aria-valuenow", this.at[0]);
    this.handle.setAttribute("aria-valuemax", this.scene.truth.width - 1);
    this.handle.setAttribute("aria-valuetext", spoken ? `${place}: truth ${truth} ${unit}; ${parts.join("; ")}` : place);
    this.status.value = `${place} · ${SIDES[this.zoom]} px wide`;
  }

  hide() {
    this.pinned = this.shown = false;
    this.wall.classList.remove("looking", "pinned");
    [this.panels.truth, ...this.panels.methods].forEach(({ caption }, i) => (caption.value = this.rest[i]));
    this.panels.truth.under.width = this.panels.truth.under.width; // clears it
    this.status.value = "";
  }
}

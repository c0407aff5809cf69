// Two surfaces of a scene side by side, turned together: a result and the truth.

import { clamp, oncePerFrame, onDrag, placeIn } from "./basics.js";
import { drawRelief, surfaceOf } from "./relief.js";
import { titleOf } from "./scene.js";

const COARSE = 260; // columns of the grid while it turns
const FINE = 900; // and when it stands still
const FINER = 2; // pixels drawn for each of the screen when it stands still, averaged for smooth edges
const STILL = 180; // milliseconds
const RADIANS = Math.PI / 180;

export class Surface {
  constructor(canvases, sliders) {
    Object.assign(this, { canvases, sliders, later: 0 });
    this.turning = oncePerFrame(() => this.draw(COARSE));
    Object.values(sliders).forEach((slider) => slider.addEventListener("input", () => this.turn()));
    canvases.forEach((canvas) => onDrag(canvas, (event, begins) => this.drag(placeIn(canvas, event), begins)));
  }

  /** Show a scene's entries, one on each canvas. */
  show(scene, entries) {
    Object.assign(this, { scene, entries });
    this.canvases.forEach((canvas, index) => {
      canvas.style.aspectRatio = `${scene.truth.width} / ${scene.truth.height}`;
      canvas.setAttribute("aria-label", `${titleOf(scene)} by ${entries[index].label} as a shaded surface`);
    });
    this.draw(FINE);
  }

  drag([x, y], begins) {
    if (!begins) {
      this.sliders.turn.value = clamp(+this.sliders.turn.value + 140 * (x - this.from[0]), -80, 80);
      this.sliders.tilt.value = clamp(+this.sliders.tilt.value - 140 * (y - this.from[1]), -80, 80);
      this.turn();
    }
    this.from = [x, y];
  }

  turn() {
    this.turning();
    clearTimeout(this.later);
    this.later = setTimeout(() => this.draw(FINE), STILL);
  }

  draw(columns) {
    if (!this.scene) return;
    const { scene, sliders } = this;
    const view = { turn: sliders.turn.value * RADIANS, tilt: sliders.tilt.value * RADIANS };
    const step = Math.max(1, Math.round(scene.truth.width / columns));
    this.canvases.forEach((canvas, index) => {
      const width = Math.round((canvas.clientWidth || columns) * Math.max(devicePixelRatio, FINER) * (columns === FINE ? 1 : 0.5));
      const image = new ImageData(width, Math.round((width * scene.truth.height) / scene.truth.width));
      drawRelief(image, surfaceOf(scene, this.entries[index].map, step, sliders.relief.value / 100), view);
      Object.assign(canvas, { width: image.width, height: image.height });
      canvas.getContext("2d").putImageData(image, 0, 0);
    });
  }
}

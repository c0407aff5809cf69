// Two maps over each other, and an edge between them that one drags.

import { onDrag, placeIn } from "./basics.js";
import { paint, show } from "./colour.js";
import { titleOf } from "./scene.js";

export class Wipe {
  constructor(frame, slider) {
    Object.assign(this, { frame, slider, names: frame.querySelectorAll(".name") });
    [this.under, this.over] = frame.querySelectorAll("canvas");
    slider.addEventListener("input", () => this.cut());
    onDrag(frame, (event) => {
      slider.value = 100 * placeIn(frame, event)[0];
      this.cut();
    });
    this.cut();
  }

  cut() {
    this.frame.style.setProperty("--cut", `${this.slider.value}%`);
  }

  /** Show one entry on the left of the edge and another on its right, as depths or as errors. */
  show(scene, left, right, use) {
    this.frame.parentElement.style.setProperty("--aspect", left.map.width / left.map.height);
    const sides = [[this.over, left, "left"], [this.under, right, "right"]];
    sides.forEach(([canvas, entry, side], index) => {
      show(canvas, paint(scene, entry.map, use));
      canvas.setAttribute("aria-label", `${titleOf(scene)} by ${entry.label}, ${use}, on the ${side}`);
      this.names[index].textContent = entry.label;
    });
    this.slider.setAttribute("aria-label", `Edge between ${left.label} on the left and ${right.label} on the right`);
  }
}

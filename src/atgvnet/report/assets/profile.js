// Depths along a line that one drags: by its ends, or as a whole.

import { clamp, digits, onDrag, placeIn } from "./basics.js";
import { paint, show } from "./colour.js";
import { roundSteps, styleOf } from "./plot.js";
import { quantityOf, titleOf, unitOf } from "./scene.js";

const WIDEST_PICTURE = 900;
const NEAR_END = 0.06; // of the picture's width: where a pointer takes an end, not the line
const KEYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const FAR = 0.02; // that a key moves; a tenth of it with Shift
const PARTS = ["start", "whole", "end"]; // of the line, as its knobs are in the frame

export class Profile {
  constructor(frame, plot) {
    Object.assign(this, { frame, plot, canvas: frame.querySelector("canvas"), line: frame.querySelector("line") });
    this.knobs = [...frame.querySelectorAll("button")];
    this.ends = [[0.1, 0.45], [0.9, 0.55]];
    onDrag(frame, (event, begins) => this.drag(placeIn(frame, event), begins));
    this.knobs.forEach((knob, index) => knob.addEventListener("keydown", (event) => this.press(event, PARTS[index])));
  }

  /** Show a scene's truth and the depths of those entries whose names are `chosen`. */
  look(scene, chosen) {
    if (scene !== this.scene) {
      show(this.canvas, paint(scene, scene.truth, "depth"), WIDEST_PICTURE);
      this.canvas.setAttribute("aria-label", `True depth of ${titleOf(scene)}, with the line`);
      this.frame.style.aspectRatio = `${scene.truth.width} / ${scene.truth.height}`;
    }
    Object.assign(this, { scene, chosen });
    this.update();
  }

  drag(place, begins) {
    if (begins) this.part = this.nearest(place);
    else this.move(this.part, [place[0] - this.from[0], place[1] - this.from[1]]);
    this.from = place;
  }

  nearest([x, y]) {
    const distances = this.ends.map(([endX, endY]) => Math.hypot(endX - x, endY - y));
    if (Math.min(...distances) > NEAR_END) return "whole";
    return distances[0] < distances[1] ? "start" : "end";
  }

  press(event, part) {
    const step = KEYS[event.key];
    if (!step) return;
    event.preventDefault();
    this.move(part, step.map((length) => length * (event.shiftKey ? FAR / 10 : FAR)));
  }

  move(part, by) {
    const moved = this.ends.map((end, index) => (part === "whole" || index === (part === "end" ? 1 : 0)));
    const room = by.map((length, axis) => {
      const places = this.ends.filter((_, index) => moved[index]).map((end) => end[axis]);
      return clamp(length, -Math.min(...places), 1 - Math.max(...places));
    });
    this.ends = this.ends.map((end, index) => (moved[index] ? end.map((place, axis) => place + room[axis]) : end));
    this.update();
  }

  update() {
    const [start, end] = this.ends;
    const middle = start.map((place, axis) => (place + end[axis]) / 2);
    ["x1", "y1", "x2", "y2"].forEach((name, i) => this.line.setAttribute(name, 100 * this.ends[i >> 1][i & 1]));
    const { width, height } = this.scene.truth;
    [start, middle, end].forEach(([x, y], index) => {
      const knob = this.knobs[index];
      Object.assign(knob.style, { left: `${100 * x}%`, top: `${100 * y}%` });
      knob.setAttribute("aria-label", `${PARTS[index]} of the line, column ${Math.round(x * width)}, row ${Math.round(y * height)}`);
    });
    this.plotDepths();
  }

  plotDepths() {
    const { scene, chosen } = this;
    const truth = this.sample(scene.truth);
    const lines = [{ label: "truth", points: truth, attributes: { class: "truth" } }];
    if (chosen.has("input")) lines.push({ label: "input", points: this.sample(scene.input), attributes: { class: "input" } });
    scene.methods.forEach(({ name, label, map }, index) => {
      if (chosen.has(name)) lines.push({ label, points: this.sample(map), attributes: styleOf(index) });
    });
    const range = rangeOf(lines);
    this.plot.draw({
      x: { label: "pixels along the line", range: [0, truth.at(-1)[0]], steps: roundSteps([0, truth.at(-1)[0]], 6) },
      y: { label: `${quantityOf(scene).toLowerCase()}, ${unitOf(scene)}`, range, steps: roundSteps(range, 8) },
      lines,
    });
    const parts = lines.slice(1).map(({ label, points }) => `${label} ${digits(rms(points, truth))} from the truth`);
    this.plot.svg.setAttribute("aria-label", `Depths along the line, RMS: ${parts.join("; ") || "truth only"}`);
  }

  /** Values under the line, a pixel of the truth apart. */
  sample({ width, height, values }) {
    const [[startX, startY], [endX, endY]] = this.ends;
    const { truth } = this.scene;
    const length = Math.hypot((endX - startX) * truth.width, (endY - startY) * truth.height);
    const count = Math.max(1, Math.round(length));
    return Array.from({ length: count + 1 }, (_, i) => {
      const x = clamp(Math.floor((startX + ((endX - startX) * i) / count) * width), 0, width - 1);
      const y = clamp(Math.floor((startY + ((endY - startY) * i) / count) * height), 0, height - 1);
      return [i, values[y * width + x]];
    });
  }
}

function rangeOf(lines) {
  const values = lines.flatMap(({ points }) => points.map(([, value]) => value).filter(Number.isFinite));
  if (!values.length) return [0, 1];
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const margin = 0.04 * (high - low) || 1;
  return [low - margin, high + margin];
}

function rms(points, truth) {
  const squares = points.map(([, value], i) => (value - truth[i][1]) ** 2).filter(Number.isFinite);
  return Math.sqrt(squares.reduce((sum, square) => sum + square, 0) / squares.length);
}

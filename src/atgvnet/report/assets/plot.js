// Line charts: axes, lines with dashes as well as colours, nothing more.

import { clamp, digits, draw } from "./basics.js";

const HEIGHT = 320;
const EDGES = { top: 12, right: 14, bottom: 42, left: 52 };
const COLOURS_OF_LINES = ["#e4572e", "#2a9d8f", "#8a63d2", "#b98500", "#3b82f6", "#d6409f", "#6b8e23", "#0090b0", "#a0705f"];
const DASHES = ["none", "7 3", "2 3", "9 3 2 3"];

/** How the line of a number is drawn; no two of the first 36 look the same. */
export const styleOf = (index) => ({
  stroke: COLOURS_OF_LINES[index % COLOURS_OF_LINES.length],
  "stroke-dasharray": DASHES[Math.floor(index / COLOURS_OF_LINES.length) % DASHES.length],
});

/** About `count` round numbers from `low` to `high`. */
export function roundSteps([low, high], count) {
  const rough = (high - low) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough * 0.999);
  const first = Math.ceil(low / step);
  return Array.from({ length: Math.floor(high / step) - first + 1 }, (_, i) => (first + i) * step);
}

/** 1, 2 and 5 of each power of ten from `low` to `high`. */
export function logarithmicSteps([low, high]) {
  const steps = [];
  for (let power = Math.floor(Math.log10(low)); power <= Math.log10(high); power++) {
    steps.push(...[1, 2, 5].map((factor) => factor * 10 ** power).filter((step) => step >= low && step <= high));
  }
  return steps;
}

export class Plot {
  constructor(svg) {
    this.svg = svg;
    new ResizeObserver(() => this.given && this.draw(this.given)).observe(svg);
  }

  /** Say why there is nothing to draw. */
  clear(reason) {
    this.given = null;
    this.svg.setAttribute("viewBox", `0 0 480 ${HEIGHT}`);
    this.svg.setAttribute("aria-label", reason);
    this.svg.replaceChildren(draw("text", { x: 24, y: HEIGHT / 2, class: "label" }, reason));
  }

  /** `x` and `y` have `label`, `range`, `steps` and, if not linear, `warp`; `lines` have `points` and attributes. */
  draw(given) {
    this.given = given;
    const width = Math.max(280, this.svg.clientWidth);
    this.svg.setAttribute("viewBox", `0 0 ${width} ${HEIGHT}`);
    const right = placer(given.x, EDGES.left, width - EDGES.right);
    const down = placer(given.y, HEIGHT - EDGES.bottom, EDGES.top);
    const axes = draw("g", { class: "axes" }, ...across(given.x, right), ...upwards(given.y, down, width));
    const lines = given.lines.map(({ points, attributes }) => draw("path", { ...attributes, d: pathOf(points, right, down) }));
    this.svg.replaceChildren(axes, draw("g", { class: "lines" }, ...lines));
  }
}

function placer({ range: [low, high], warp = (value) => value }, start, end) {
  const [first, last] = [warp(low), warp(high)];
  return (value) => start + ((end - start) * (warp(value) - first)) / (last - first);
}

function across({ label, steps }, right) {
  const [top, bottom] = [EDGES.top, HEIGHT - EDGES.bottom];
  return [
    ...steps.flatMap((step) => [
      draw("line", { x1: right(step), x2: right(step), y1: top, y2: bottom }),
      draw("text", { x: right(step), y: bottom + 16, "text-anchor": "middle" }, digitsOf(step)),
    ]),
    draw("text", { x: EDGES.left, y: HEIGHT - 6, class: "label" }, label),
  ];
}

function upwards({ label, steps }, down, width) {
  return [
    ...steps.flatMap((step) => [
      draw("line", { x1: EDGES.left, x2: width - EDGES.right, y1: down(step), y2: down(step) }),
      draw("text", { x: EDGES.left - 8, y: down(step) + 4, "text-anchor": "end" }, digitsOf(step)),
    ]),
    draw("text", { x: -EDGES.top, y: 12, class: "label", transform: "rotate(-90)", "text-anchor": "end" }, label),
  ];
}

const digitsOf = (step) => (Number.isInteger(step) ? String(step).replace("-", "−") : digits(step).replace(/0+$/, ""));

function pathOf(points, right, down) {
  let pen = "M";
  return points
    .map(([x, y]) => {
      if (!Number.isFinite(y)) return (pen = "M") && "";
      const text = `${pen}${right(x).toFixed(1)} ${clamp(down(y), -HEIGHT, 2 * HEIGHT).toFixed(1)}`;
      pen = "L";
      return text;
    })
    .join("");
}

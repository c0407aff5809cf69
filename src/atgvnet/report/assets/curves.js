// The error over the distance from the truth's discontinuities, as lines and as a table.

import { digits, make } from "./basics.js";
import { logarithmicSteps, styleOf } from "./plot.js";
import { report, unitOf } from "./scene.js";

const WARP = (distance) => Math.log2(1 + distance);
const SHOWN_STEPS = [0, 1, 2, 4, 8, 16, 32, 64];

const ringName = (index) => {
  const [from, next] = [report.distances[index], report.distances[index + 1]];
  if (next === undefined) return `${from} or more`;
  return next === from + 1 ? `${from}` : `${from} to ${next - 1}`;
};

/** Draw the curves of those methods whose names are `chosen`. */
export function plotCurves(plot, scene, chosen) {
  const methods = scene.methods.map((method, index) => ({ ...method, style: styleOf(index) }));
  const shown = methods.filter(({ name, rings }) => chosen.has(name) && rings.length);
  const errors = shown.flatMap(({ rings }) => rings.filter((error) => error > 0));
  if (!errors.length) return plot.clear("This scene has no discontinuities, or no method is chosen.");
  const range = [Math.min(...errors) / 1.15, Math.max(...errors) * 1.15];
  plot.draw({
    x: { label: "pixels from the nearest discontinuity", range: [0, report.distances.at(-1)], steps: SHOWN_STEPS, warp: WARP },
    y: { label: `RMS error, ${unitOf(scene)}`, range, steps: logarithmicSteps(range), warp: Math.log },
    lines: shown.map(({ rings, style }) => ({
      points: rings.map((error, index) => [report.distances[index], error || NaN]),
      attributes: style,
    })),
  });
  const parts = shown.map(({ label, rings }) => `${label} ${digits(rings[0])} at them, ${digits(rings.at(-1))} far away`);
  return plot.svg.setAttribute("aria-label", `RMS error over the distance from discontinuities: ${parts.join("; ")}`);
}

/** The same numbers as rows, all methods. */
export function tabulateCurves(scene) {
  const methods = scene.methods.filter(({ rings }) => rings.length);
  const head = make("tr", {}, make("th", { scope: "col" }, "Distance, px"),
    ...methods.map(({ label }) => make("th", { scope: "col" }, label)));
  const rows = report.distances.map((_, index) =>
    make("tr", {}, make("th", { scope: "row" }, ringName(index)), ...methods.map(({ rings }) => make("td", {}, digits(rings[index] ?? NaN)))));
  return make("table", {}, make("thead", {}, head), make("tbody", {}, ...rows));
}

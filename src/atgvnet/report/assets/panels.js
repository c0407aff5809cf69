// The wall of pictures, as the paper's figures arrange them: input and truth, then each result with its error below.

import { digits, make, oncePerFrame } from "./basics.js";
import { gradientOf, paint, show } from "./colour.js";
import { quantityOf, titleOf, unitOf } from "./scene.js";

const WIDEST = 760; // pixels of a panel, enough for a sharp screen

const letter = (index) => (index < 26 ? `(${String.fromCharCode(97 + index)})` : `(${index + 1})`);

function picture(text, map) {
  const canvas = make("canvas", { role: "img", "aria-label": text });
  const lens = make("canvas", { class: "lens", "aria-hidden": "true" });
  const frame = make("div", { class: "picture", style: `aspect-ratio: ${map.width} / ${map.height}` }, canvas, lens);
  return { canvas, lens, frame };
}

function legend(scene, redraw) {
  const unit = unitOf(scene);
  const [low, high] = scene.range.map(digits);
  const [far, near] = scene.nearIsLarge ? [low, high] : [high, low];
  const limit = make("output", {}, digits(scene.errorLimit));
  const size = Math.log2(scene.errorLimit);
  const slider = make("input", {
    type: "range", min: size - 4, max: size + 3, step: 0.25, value: size, "aria-label": "Error shown brightest",
  });
  slider.addEventListener("input", () => {
    scene.errorLimit = 2 ** slider.value;
    limit.value = digits(scene.errorLimit);
    slider.setAttribute("aria-valuetext", `${limit.value} ${unit}`);
    redraw();
  });
  const bar = (use) => make("div", { class: "bar", style: `background: ${gradientOf(use)}` });
  const under = make("canvas", { class: "under", role: "img", "aria-label": "The input’s pixels under the loupe" });
  const element = make(
    "div", { class: "legend" },
    make("div", {}, make("h4", {}, `${quantityOf(scene)}, ${unit}`), bar("depth"),
      make("p", { class: "ends" }, make("span", {}, `far ${far}`), make("span", {}, `near ${near}`))),
    make("div", {}, make("h4", {}, `|Error|, ${unit}`), bar("error"),
      make("p", { class: "ends" }, make("span", {}, "0"), make("span", {}, "≥ ", limit)), slider),
    make("div", { class: "below" }, make("h4", {}, "Input under the loupe"), under),
  );
  return { element, under };
}

function truthPanel(scene, redraw) {
  const view = picture(`True depth of ${titleOf(scene)}, with the input in its top left corner at its relative size`, scene.truth);
  const inset = make("canvas", {
    class: "inset", role: "img", "aria-label": `Input of ${titleOf(scene)}, ${scene.input.width} by ${scene.input.height} pixels`,
    style: `width: ${(100 * scene.input.width) / scene.width}%`,
  });
  show(view.canvas, paint(scene, scene.truth, "depth"), WIDEST);
  show(inset, paint(scene, scene.input, "depth"));
  view.frame.insertBefore(inset, view.lens);
  const { element, under } = legend(scene, redraw);
  const caption = make("output", {}, `${scene.input.width}×${scene.input.height}`);
  const figure = make("figure", { class: "panel" },
    make("figcaption", {}, make("b", {}, `${letter(0)} Input & truth`), caption), view.frame, element);
  return { figure, views: [{ ...view, map: scene.truth, use: "depth" }], caption, under };
}

function methodPanel(scene, method, index) {
  const unit = unitOf(scene);
  const result = picture(`${titleOf(scene)} by ${method.label}: RMSE ${digits(method.rmse)} ${unit}`, method.map);
  const error = picture(`Absolute error of ${method.label} on ${titleOf(scene)}: mean ${digits(method.mae)} ${unit}`, method.map);
  show(result.canvas, paint(scene, method.map, "depth"), WIDEST);
  const caption = make("output", {}, `RMSE ${digits(method.rmse)}`);
  const figure = make("figure", { class: "panel" },
    make("figcaption", {}, make("b", { title: method.label }, `${letter(index)} ${method.label}`), caption), result.frame, error.frame);
  const views = [{ ...result, map: method.map, use: "depth" }, { ...error, map: method.map, use: "error" }];
  return { figure, views, caption, method, redraw: () => show(error.canvas, paint(scene, method.map, "error"), WIDEST) };
}

/** Fill the wall; the answer has what the loupe needs of each panel. */
export function hangPanels(wall, scene) {
  const methods = scene.methods.map((method, index) => methodPanel(scene, method, index + 1));
  const truth = truthPanel(scene, oncePerFrame(() => methods.forEach((panel) => panel.redraw())));
  methods.forEach((panel) => panel.redraw());
  wall.replaceChildren(truth.figure, ...methods.map((panel) => panel.figure));
  return { truth, methods, views: [truth, ...methods].flatMap((panel) => panel.views) };
}

// Puts the parts together: a scene is chosen, its maps are read, all parts show it.

import { make } from "./basics.js";
import { plotCurves, tabulateCurves } from "./curves.js";
import { Loupe } from "./loupe.js";
import { hangPanels } from "./panels.js";
import { Plot, styleOf } from "./plot.js";
import { Profile } from "./profile.js";
import { loadScene, nextFrame, report, titleOf } from "./scene.js";
import { Surface } from "./surface.js";
import { Wipe } from "./wipe.js";

const MOST_LINES = 4; // at first
const get = (id) => document.getElementById(id);
const choiceIn = (id) => get(id).querySelector("input:checked").value;

const parts = {
  loupe: new Loupe(get("wall"), get("loupe"), get("loupe-status")),
  wipe: new Wipe(get("wipe"), get("wipe-edge")),
  curves: new Plot(get("curves")),
  profile: new Profile(get("line"), new Plot(get("profile"))),
  surface: new Surface([get("surface-left"), get("surface-right")], { turn: get("turn"), tilt: get("tilt"), relief: get("relief") }),
};
let [scene, asked, known] = [null, 0, null];

const entryOf = (id) => scene.entries[get(id).selectedIndex];
const byError = () => [...scene.methods].sort((one, other) => one.rmse - other.rmse);

function showWipe() {
  parts.wipe.show(scene, entryOf("wipe-left"), entryOf("wipe-right"), choiceIn("wipe-use"));
}

function showCharts() {
  const chosen = new Set([...get("chips").querySelectorAll("input:checked")].map(({ value }) => value));
  plotCurves(parts.curves, scene, chosen);
  parts.profile.look(scene, chosen);
}

function showSurfaces() {
  parts.surface.show(scene, [entryOf("surface-of"), entryOf("surface-beside")]);
}

/** Offer the scene's entries; what was chosen before stays, if it is still there. */
function offer(id, preferred) {
  const select = get(id);
  const before = select.value;
  select.replaceChildren(...scene.entries.map(({ name, label }) => make("option", { value: name }, label)));
  select.value = scene.entries.some(({ name }) => name === before) ? before : preferred;
}

function chip(name, label, style, checked) {
  const box = make("input", { type: "checkbox", value: name, ...(checked ? { checked: "" } : {}) });
  const swatch = `<svg class="swatch" aria-hidden="true" viewBox="0 0 24 6"><path d="M0 3H24"/></svg>`;
  const element = make("label", { class: `chip ${name === "input" ? "input" : ""}` }, box);
  element.insertAdjacentHTML("beforeend", swatch);
  for (const [key, value] of Object.entries(style)) element.querySelector("path").setAttribute(key, value);
  element.append(label);
  return element;
}

function offerChips() {
  const names = scene.methods.map(({ name }) => name).join();
  if (names === known) return;
  known = names;
  const best = new Set(byError().slice(0, MOST_LINES).map(({ name }) => name));
  const methods = scene.methods.map(({ name, label }, index) => chip(name, label, styleOf(index), best.has(name)));
  get("chips").replaceChildren(...methods, chip("input", "Input (in the profile)", {}, false));
}

async function choose(index) {
  const turn = ++asked;
  get("scene").setAttribute("aria-busy", "true");
  get("reading").hidden = false;
  const loaded = await loadScene(index, (share) => (get("reading").value = share));
  if (turn !== asked) return;
  scene = loaded;
  const [best, worst] = [byError()[0], byError().at(-1)];
  offer("wipe-left", worst.name);
  offer("wipe-right", best.name);
  offer("surface-of", best.name);
  offer("surface-beside", "truth");
  offerChips();
  get("scene-title").textContent = titleOf(scene);
  parts.loupe.look(scene, hangPanels(get("wall"), scene));
  get("rings").replaceChildren(tabulateCurves(scene));
  get("reading").hidden = true;
  for (const part of [showWipe, showCharts, showSurfaces]) {
    await nextFrame();
    if (turn !== asked) return;
    part();
  }
  get("scene").setAttribute("aria-busy", "false");
}

function offerScenes() {
  const choices = report.scenes.map((each, index) => {
    const radio = make("input", { type: "radio", name: "scene", value: index, ...(index ? {} : { checked: "" }) });
    radio.addEventListener("change", () => choose(index));
    return make("label", {}, radio, make("span", {}, titleOf(each)));
  });
  get("scenes-offered").append(...choices);
}

function offerThemes() {
  get("theme").addEventListener("change", () => (document.documentElement.dataset.theme = choiceIn("theme")));
}

["wipe-left", "wipe-right", "wipe-use"].forEach((id) => get(id).addEventListener("change", showWipe));
["surface-of", "surface-beside"].forEach((id) => get(id).addEventListener("change", showSurfaces));
get("chips").addEventListener("change", showCharts);
offerThemes();
offerScenes();
choose(0);

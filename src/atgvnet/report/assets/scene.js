// What the page knows: its scenes, whose maps are decoded when they are shown.

import { decode } from "./codec.js";

export const report = JSON.parse(document.getElementById("scenes").textContent);

function readMap({ id, width, height, low, step }) {
  const text = document.getElementById(id).textContent;
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const values = Float32Array.from(decode(bytes, width, height), (level) => (level ? low + (level - 1) * step : NaN));
  return { width, height, values };
}

export const nextFrame = () => new Promise((done) => setTimeout(done));

/** A scene with its maps; `entries` are the truth and each method's result. Lets the page breathe between maps. */
export async function loadScene(index, advance) {
  const scene = { ...report.scenes[index] };
  const read = async (packed) => {
    await nextFrame();
    return readMap(packed);
  };
  scene.truth = await read(scene.truth);
  scene.input = await read(scene.input);
  scene.counted = scene.counted && (await read(scene.counted));
  const entries = [{ name: "truth", label: "Truth", map: scene.truth }];
  for (const method of scene.methods) {
    advance(entries.length / (scene.methods.length + 1));
    entries.push({ ...method, map: await read(method.map) });
  }
  return { ...scene, entries, methods: entries.slice(1) };
}

/** Error of a map at a pixel, NaN where none counts. */
export function errorAt(scene, map, index) {
  if (scene.counted && !scene.counted.values[index]) return NaN;
  return map.values[index] - scene.truth.values[index];
}

const UNITS = { disparity: "levels", m: "m", mm: "mm" };

export const titleOf = (scene) => `${scene.name} ×${scene.scale}`;
export const quantityOf = (scene) => (scene.unit === "disparity" ? "Disparity" : "Depth");
export const unitOf = (scene) => UNITS[scene.unit];

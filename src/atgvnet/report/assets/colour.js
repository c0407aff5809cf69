// Values to colours. A shade is 0…1; where there is none (NaN) the picture is transparent.

import { errorAt, report } from "./scene.js";

const OPAQUE = 0xff000000;

function tableOf(text) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  return Uint32Array.from({ length: 256 }, (_, i) => {
    return (OPAQUE | (bytes[3 * i + 2] << 16) | (bytes[3 * i + 1] << 8) | bytes[3 * i]) >>> 0;
  });
}

export const COLOURS = { depth: tableOf(report.colours.depth), error: tableOf(report.colours.error) };

export function gradientOf(use) {
  const stops = [...COLOURS[use]].filter((_, i) => i % 15 === 0).map((c) => `rgb(${c & 255} ${(c >> 8) & 255} ${(c >> 16) & 255})`);
  return `linear-gradient(to right, ${stops.join(", ")})`;
}

/** How near a pixel of a map is, 0…1 over the scene's range. */
export function depthShade(scene, map) {
  const [low, high] = scene.range;
  const [far, near] = scene.nearIsLarge ? [low, high] : [high, low];
  return (index) => Math.min(1, Math.max(0, (map.values[index] - far) / (near - far)));
}

/** How wrong a pixel of a map is, 0…1 up to the scene's limit, which a reader may change. */
export function errorShade(scene, map) {
  return (index) => Math.min(1, Math.abs(errorAt(scene, map, index)) / scene.errorLimit);
}

export const shadeOf = { depth: depthShade, error: errorShade };

const colourOf = (colours, shade) => (shade >= 0 ? colours[(shade * 255 + 0.5) | 0] : 0);

/** A whole map as a picture. */
export function paint(scene, map, use) {
  const [colours, shade] = [COLOURS[use], shadeOf[use](scene, map)];
  const image = new ImageData(map.width, map.height);
  const pixels = new Uint32Array(image.data.buffer);
  for (let i = 0; i < pixels.length; i++) pixels[i] = colourOf(colours, shade(i));
  return image;
}

/** A square of `side` pixels around one of them; what is outside the map is transparent. */
export function paintAround(scene, map, use, [x, y], side) {
  const [colours, shade] = [COLOURS[use], shadeOf[use](scene, map)];
  const image = new ImageData(side, side);
  const pixels = new Uint32Array(image.data.buffer);
  const [left, top] = [x - (side >> 1), y - (side >> 1)];
  for (let i = 0; i < pixels.length; i++) {
    const [column, row] = [left + (i % side), top + Math.floor(i / side)];
    const inside = column >= 0 && row >= 0 && column < map.width && row < map.height;
    pixels[i] = inside ? colourOf(colours, shade(row * map.width + column)) : 0;
  }
  return image;
}

/** Draw a picture on a canvas, averaged to at most `widest` pixels across. */
export function show(canvas, image, widest = Infinity) {
  canvas.width = Math.min(image.width, widest);
  canvas.height = Math.round((image.height * canvas.width) / image.width);
  const context = canvas.getContext("2d");
  if (canvas.width === image.width) return context.putImageData(image, 0, 0);
  const whole = new OffscreenCanvas(image.width, image.height);
  whole.getContext("2d").putImageData(image, 0, 0);
  context.imageSmoothingQuality = "high";
  return context.drawImage(whole, 0, 0, canvas.width, canvas.height);
}

// A map as a surface, near is high, drawn without help of a graphics processor: triangles into a buffer of depths.

import { depthShade } from "./colour.js";

const CLAY = [214, 205, 190];
const LIGHT = [-0.53, -0.6, 0.6]; // from the left, from above, from behind the eye
const DIM = 0.5; // how bright the farthest is, beside the nearest
const SMOOTHED = 4; // pixels of the map around each that have a say in its slope: results are often rounded
const TORN = 0.06; // of the scene's range: a higher step between neighbours is no surface

/** A map on every `step`-th pixel, heights in its pixels; `relief` is the range's height, in widths of the map. */
export function surfaceOf(scene, map, step, relief) {
  const [width, height] = [Math.floor(map.width / step), Math.floor(map.height / step)];
  const near = depthShade(scene, map);
  const scaled = relief * map.width;
  const values = Float32Array.from({ length: width * height }, (_, i) =>
    scaled * (near(Math.floor(i / width) * step * map.width + (i % width) * step) - 0.5));
  const torn = TORN * scaled;
  const bright = Float32Array.from(values, (value) => DIM + (1 - DIM) * (value / scaled + 0.5));
  return { width, height, values, step, torn, bright, smooth: smoothed(values, width, height, torn, Math.max(1, Math.round(SMOOTHED / step))) };
}

/** Means over squares, of those heights that lie on the same surface as the one in the middle. */
function smoothed(values, width, height, torn, radius) {
  const means = new Float32Array(values.length);
  for (let y = 0, here = 0; y < height; y++) {
    const [top, bottom] = [Math.max(0, y - radius), Math.min(height - 1, y + radius)];
    for (let x = 0; x < width; x++, here++) {
      const [left, right] = [Math.max(0, x - radius), Math.min(width - 1, x + radius)];
      let [total, count] = [0, 0];
      for (let row = top; row <= bottom; row++) {
        for (let i = row * width + left; i <= row * width + right; i++) {
          if (Math.abs(values[i] - values[here]) <= torn) {
            total += values[i];
            count++;
          }
        }
      }
      means[here] = total / count;
    }
  }
  return means;
}

/** The axes of the map (x right, y down, z towards the eye) as seen after turning and tilting; rows are on screen. */
function axesOf({ turn, tilt }) {
  const [c, s, k, l] = [Math.cos(turn), Math.sin(turn), Math.cos(tilt), Math.sin(tilt)];
  return [[c, 0, s], [s * l, k, -c * l], [-s * k, l, c * k]];
}

/** Draw a surface as a picture of the given size. */
export function drawRelief(image, surface, view) {
  const axes = axesOf(view);
  const placed = project(surface, axes, image);
  const pixels = new Uint32Array(image.data.buffer);
  const depths = new Float32Array(pixels.length).fill(-Infinity);
  const { width, height, values, smooth, torn, bright } = surface;
  for (let y = 0; y + 1 < height; y++) {
    for (let x = 0; x + 1 < width; x++) {
      const [a, b, c, d] = [y * width + x, y * width + x + 1, (y + 1) * width + x, (y + 1) * width + x + 1];
      if (!together(values, torn, a, b, c, d)) continue;
      const colour = lit(smooth[b] - smooth[a] + smooth[d] - smooth[c], smooth[c] - smooth[a] + smooth[d] - smooth[b], surface.step, bright[a], axes);
      triangle(placed, a, b, c, colour, image, pixels, depths);
      triangle(placed, d, c, b, colour, image, pixels, depths);
    }
  }
}

function together(values, torn, a, b, c, d) {
  const low = Math.min(values[a], values[b], values[c], values[d]);
  return Math.max(values[a], values[b], values[c], values[d]) - low <= torn; // not if one is missing
}

function project({ width, height, values, step }, [across, down, towards], image) {
  const size = Math.min(image.width / (width * step), image.height / (height * step)) * 0.94;
  const placed = new Float32Array(3 * values.length);
  for (let i = 0; i < values.length; i++) {
    const [x, y, z] = [((i % width) - width / 2) * step, (Math.floor(i / width) - height / 2) * step, values[i]];
    placed[3 * i] = image.width / 2 + size * (across[0] * x + across[1] * y + across[2] * z);
    placed[3 * i + 1] = image.height / 2 + size * (down[0] * x + down[1] * y + down[2] * z);
    placed[3 * i + 2] = towards[0] * x + towards[1] * y + towards[2] * z;
  }
  return placed;
}

/** Colour of a patch that rises by these heights (twice) towards the right and downwards. */
function lit(right, below, step, bright, axes) {
  const [x, y, z] = [-right, -below, 2 * step];
  const length = Math.hypot(x, y, z);
  let light = 0;
  for (let i = 0; i < 3; i++) light += (LIGHT[i] * (axes[i][0] * x + axes[i][1] * y + axes[i][2] * z)) / length;
  const share = bright * (0.24 + 0.92 * Math.max(0, light));
  const [r, g, b] = CLAY.map((part) => Math.min(255, part * share));
  return ((255 << 24) | (b << 16) | (g << 8) | r) >>> 0;
}

function triangle(placed, a, b, c, colour, image, pixels, depths) {
  const [ax, ay, az] = [placed[3 * a], placed[3 * a + 1], placed[3 * a + 2]];
  const [bx, by, bz] = [placed[3 * b] - ax, placed[3 * b + 1] - ay, placed[3 * b + 2] - az];
  const [cx, cy, cz] = [placed[3 * c] - ax, placed[3 * c + 1] - ay, placed[3 * c + 2] - az];
  const area = bx * cy - by * cx;
  if (area === 0) return;
  const top = Math.max(0, Math.ceil(ay + Math.min(0, by, cy)));
  const bottom = Math.min(image.height - 1, Math.floor(ay + Math.max(0, by, cy)));
  const left = Math.max(0, Math.ceil(ax + Math.min(0, bx, cx)));
  const right = Math.min(image.width - 1, Math.floor(ax + Math.max(0, bx, cx)));
  for (let y = top; y <= bottom; y++) {
    for (let x = left; x <= right; x++) {
      const towardsB = ((x - ax) * cy - (y - ay) * cx) / area;
      const towardsC = ((y - ay) * bx - (x - ax) * by) / area;
      if (towardsB < 0 || towardsC < 0 || towardsB + towardsC > 1) continue;
      const depth = az + towardsB * bz + towardsC * cz;
      const i = y * image.width + x;
      if (depth <= depths[i]) continue;
      depths[i] = depth;
      pixels[i] = colour;
    }
  }
}

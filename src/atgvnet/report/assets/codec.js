// The other half of codec.py, which says how maps are coded.

const CONTEXTS = 125;
const LENGTHS = 18;
const PRECISION = 12;
const RATE = 5;
const EVEN = 1 << (PRECISION - 1);

/** The decisions of an arithmetic code, one by one; `chances` adapt as the coder's did. */
function decisionsOf(bytes) {
  let [low, high, code, next] = [0, 0xffffffff, 0, 0];
  for (; next < 4; next++) code = ((code << 8) | bytes[next]) >>> 0;
  return (chances, index) => {
    const middle = low + ((high - low) >>> PRECISION) * chances[index];
    const bit = code <= middle ? 1 : 0;
    if (bit) {
      high = middle;
      chances[index] += ((1 << PRECISION) - chances[index]) >> RATE;
    } else {
      low = middle + 1;
      chances[index] -= chances[index] >> RATE;
    }
    while ((low ^ high) >>> 24 === 0) {
      low = (low << 8) >>> 0;
      high = ((high << 8) | 0xff) >>> 0;
      code = ((code << 8) | bytes[next++]) >>> 0;
    }
    return bit;
  };
}

const classOf = (gradient) => Math.min(Math.max(gradient, -2), 2) + 2;

/** The levels of a map, row by row. */
export function decode(bytes, width, height) {
  const decide = decisionsOf(bytes);
  const lengths = new Int16Array(CONTEXTS * LENGTHS).fill(EVEN);
  const seconds = new Int16Array(CONTEXTS * LENGTHS).fill(EVEN);
  const signs = new Int16Array(CONTEXTS).fill(EVEN);
  const even = new Int16Array(1);
  const levels = new Uint16Array(width * height);

  const leftOver = (context) => {
    let length = 0;
    while (decide(lengths, context * LENGTHS + length)) length++;
    if (length === 0) return 0;
    const sign = decide(signs, context) ? -1 : 1;
    let magnitude = length > 1 ? 2 | decide(seconds, context * LENGTHS + length) : 1;
    for (let place = length - 3; place >= 0; place--) {
      even[0] = EVEN; // it was not learned from
      magnitude = (magnitude << 1) | decide(even, 0);
    }
    return sign * magnitude;
  };

  for (let y = 0, here = 0; y < height; y++) {
    for (let x = 0; x < width; x++, here++) {
      const left = x > 0 ? levels[here - 1] : 0;
      const up = y > 0 ? levels[here - width] : 0;
      const corner = x > 0 && y > 0 ? levels[here - width - 1] : 0;
      const right = y > 0 && x + 1 < width ? levels[here - width + 1] : 0;
      const [small, large] = left < up ? [left, up] : [up, left];
      const predicted = Math.min(Math.max(left + up - corner, small), large);
      const context = 25 * classOf(left - corner) + 5 * classOf(corner - up) + classOf(up - right);
      levels[here] = predicted + leftOver(context);
    }
  }
  return levels;
}

// What every part of the page uses.

export const clamp = (value, low, high) => Math.min(Math.max(value, low), high);

/** A number with three digits or more. */
export function digits(value) {
  if (!Number.isFinite(value)) return "–";
  const size = Math.abs(value);
  const decimals = size >= 100 || size === 0 ? 0 : Math.min(6, 2 - Math.floor(Math.log10(size)));
  return value.toFixed(Math.max(0, decimals)).replace("-", "−");
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/** An element with attributes and children. */
export const make = (tag, attributes = {}, ...children) => fill(document.createElement(tag), attributes, children);

/** The same, of a drawing. */
export const draw = (tag, attributes = {}, ...children) =>
  fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);

/** Where in an element a pointer is, 0…1 in both directions. */
export function placeIn(element, event) {
  const box = element.getBoundingClientRect();
  return [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height];
}

/** Let `follow` see a pointer from where it goes down until it is lifted. */
export function onDrag(element, follow) {
  element.addEventListener("pointerdown", (event) => {
    element.setPointerCapture(event.pointerId);
    follow(event, true);
  });
  element.addEventListener("pointermove", (event) => element.hasPointerCapture(event.pointerId) && follow(event, false));
}

/** Call at most once a frame, with the latest arguments. */
export function oncePerFrame(action) {
  let waiting = 0;
  return (...given) => {
    cancelAnimationFrame(waiting);
    waiting = requestAnimationFrame(() => action(...given));
  };
}

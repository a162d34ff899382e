/** Parts of the table that the host moves over the picture: dragged, or with arrow keys; with Shift their size changes. */
import { useRef, useState } from "./vendor/hooks.js";
import { html } from "./html.js";
import { say } from "./words.js";

/** @typedef {import("./types.js").Zone} Zone */
/** @typedef {[number, number, number, number]} Box */
/** @typedef {Zone & {box: Box}} PutZone  one that lies on the table */
/** @typedef {(zones: {name: string, box: Box | null}[]) => void} OnMove */

/** Share of the picture by which a key moves. */
const STEP = 0.01;

/** A zone smaller than this could not be taken hold of again. */
const LEAST = 0.03;

/** Share of the picture, from the lower right corner, that changes the size instead of the place. */
const CORNER = 0.035;

const within = (/** @type {number} */ value, /** @type {number} */ least, /** @type {number} */ most) => Math.min(most, Math.max(least, value));

/** Width of a letter as a share of its height. */
export const LETTER_WIDTH = 0.55;

/**
 * Where the name of a part of the table stands: in a corner of it in which it lies over no piece, the upper left one first.
 * @param {Box} box  in pixels, as all here
 * @param {string} text
 * @param {number} letter
 * @param {Box[]} pieces
 */
export function nameSpot([left, top, right, bottom], text, letter, pieces) {
  const wide = text.length * LETTER_WIDTH * letter;
  const [first, last] = [left + letter * 0.2, right - letter * 0.2];
  const ends = [{ x: first, from: first, "text-anchor": "start" }, { x: last, from: last - wide, "text-anchor": "end" }]; // how wide a font is nobody knows
  const spots = [top + letter * 1.2, bottom - letter * 0.4].flatMap((y) => ends.map((end) => ({ ...end, y })));
  const isFree = (/** @type {{from: number, y: number}} */ { from, y }) => pieces.every((piece) => from > piece[2] || from + wide < piece[0] || y - letter > piece[3] || y < piece[1]);
  const { x, y, "text-anchor": anchor } = spots.find(isFree) ?? spots[0];
  return { x, y, "text-anchor": anchor };
}

/** What is around corners. @param {[number, number][]} outline @returns {Box} */
export function boxAround(outline) {
  const [xs, ys] = [0, 1].map((axis) => outline.map((corner) => corner[axis]));
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}

/**
 * @param {Box} box
 * @param {number} across
 * @param {number} down
 * @param {boolean} sizes
 * @returns {Box}
 */
function moved([left, top, right, bottom], across, down, sizes) {
  if (sizes) return [left, top, within(right + across, left + LEAST, 1), within(bottom + down, top + LEAST, 1)];
  const x = within(across, -left, 1 - right);
  const y = within(down, -top, 1 - bottom);
  return [left + x, top + y, right + x, bottom + y];
}

/** Where a zone is put down at first: one at the left, the next at the right, below. @type {Box[]} */
const FIRST_BOXES = [[0.02, 0.68, 0.2, 0.98], [0.8, 0.68, 0.98, 0.98]];

/** Buttons that put zones down and take them away, where a game leaves that to people. @param {{zones: Zone[], onMove: OnMove}} props */
export function OptionalZones({ zones, onMove }) {
  const optional = zones.filter(({ is_optional }) => is_optional);
  if (optional.length === 0) return null;
  return html`<div class="acts">${optional.map(({ name, text, box }, at) => html`<button type="button" class="small" key=${name}
    onClick=${() => onMove([{ name, box: box ? null : FIRST_BOXES[at % FIRST_BOXES.length] }])}>
    ${say(box ? "page.picture.take_zone" : "page.picture.put_zone", { name: text })}</button>`)}</div>`;
}

/** @param {{zones: PutZone[], size: [number, number], letter: number, pieces: Box[], onMove: OnMove}} props */
export function Zones({ zones, size, letter, pieces, onMove }) {
  const [held, setHeld] = useState(/** @type {{name: string, box: Box} | null} */ (null));
  const from = useRef({ x: 0, y: 0, sizes: false });
  const [width, height] = size;
  const boxOf = (/** @type {PutZone} */ zone) => (held?.name === zone.name ? held.box : zone.box);
  /** Tell where one is now; of one in millimetres that reaches out of the picture, the part within. @param {string} name @param {Box} box */
  const tell = (name, box) => onMove([{ name, box: /** @type {Box} */ (box.map((side) => within(side, 0, 1))) }]);
  /** @param {PointerEvent} event @param {PutZone} zone */
  function share(event, zone) {
    const matrix = /** @type {SVGGraphicsElement} */ (event.currentTarget).ownerSVGElement?.getScreenCTM();
    if (!matrix) return { x: 0, y: 0, sizes: false };
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    const [x, y] = [at.x / width, at.y / height];
    return { x, y, sizes: x > zone.box[2] - CORNER && y > zone.box[3] - CORNER };
  }
  return html`${zones.map((zone) => {
    const [left, top, right, bottom] = boxOf(zone);
    const named = nameSpot([left * width, top * height, right * width, bottom * height], zone.text, letter, pieces);
    const press = (/** @type {KeyboardEvent} */ event) => {
      const step = { ArrowLeft: [-STEP, 0], ArrowRight: [STEP, 0], ArrowUp: [0, -STEP], ArrowDown: [0, STEP] }[event.key];
      if (!step) return;
      event.preventDefault();
      tell(zone.name, moved(zone.box, step[0], step[1], event.shiftKey));
    };
    const take = (/** @type {PointerEvent} */ event) => {
      /** @type {Element} */ (event.currentTarget).setPointerCapture(event.pointerId);
      from.current = share(event, zone);
      setHeld({ name: zone.name, box: zone.box });
    };
    const drag = (/** @type {PointerEvent} */ event) => {
      if (held?.name !== zone.name) return;
      const { x, y } = share(event, zone);
      setHeld({ name: zone.name, box: moved(zone.box, x - from.current.x, y - from.current.y, from.current.sizes) });
    };
    const drop = () => {
      if (held?.name === zone.name) tell(zone.name, held.box);
      setHeld(null);
    };
    return html`<g key=${zone.name} class="zone" role="button" tabindex="0" aria-label=${say("page.picture.zone", { name: zone.text })}
      onKeyDown=${press} onPointerDown=${take} onPointerMove=${drag} onPointerUp=${drop} onPointerCancel=${drop}>
      <rect x=${left * width} y=${top * height} width=${(right - left) * width} height=${(bottom - top) * height} />
      <path d=${`M${right * width} ${(bottom - CORNER) * height}V${bottom * height}H${(right - CORNER) * width}Z`} />
      <text ...${named} font-size=${letter}>${zone.text}</text>
    </g>`;
  })}`;
}

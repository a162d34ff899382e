/** Hands on the page: arrow keys among pieces and cells, and dragging with mouse, pen or finger. */
import { useLayoutEffect, useRef, useState } from "./vendor/hooks.js";

/** @typedef {HTMLElement | SVGElement} Stop  a piece or a cell, drawn in HTML or over the picture */

/** A pointer that moved less has clicked. */
const DRAG_PX = 8;

/**
 * The button that an arrow key leads to: the next or the one before, or the nearest one of the row above or below, however long that is.
 * @param {Stop[]} stops
 * @param {Stop} from
 * @param {string} key
 */
function led(stops, from, key) {
  const at = stops.indexOf(from);
  if (key === "ArrowLeft") return stops[at - 1];
  if (key === "ArrowRight") return stops[at + 1];
  const here = from.getBoundingClientRect();
  const way = key === "ArrowUp" ? -1 : 1;
  const off = stops.map((stop) => {
    const there = stop.getBoundingClientRect();
    return { stop, rows: Math.round((way * (there.top - here.top)) / here.height), aside: Math.abs(there.left - here.left) };
  });
  return off.filter(({ rows }) => rows > 0).sort((one, other) => one.rows - other.rows || one.aside - other.aside)[0]?.stop;
}

/**
 * One stop for the tabulator in a field of buttons, and arrow keys within it.
 * @param {number[]} places  where there is a button
 */
export function useArrows(places) {
  const [at, setAt] = useState(0);
  const here = places.find((place) => place >= at) ?? places.at(-1) ?? 0;
  /** @param {KeyboardEvent} event */
  function onKeyDown(event) {
    const [field, from] = /** @type {Stop[]} */ ([event.currentTarget, event.target]);
    if (!/^Arrow(Left|Right|Up|Down)$/.test(event.key) || from.dataset.stop === undefined) return;
    event.preventDefault();
    led(/** @type {Stop[]} */ ([...field.querySelectorAll("[data-stop]")]), from, event.key)?.focus();
  }
  return { here, onKeyDown, stand: setAt };
}

/**
 * The size of an element, as the window changes it.
 * @returns {[import("./vendor/preact.js").RefObject<HTMLDivElement | null>, {width: number, height: number}]}
 */
export function useSize() {
  const ref = useRef(/** @type {HTMLDivElement | null} */ (null));
  const [size, setSize] = useState({ width: 0, height: 0 });
  // before anything is painted: pieces would lie in one column for a moment
  useLayoutEffect(() => {
    if (ref.current === null) return undefined;
    const watcher = new ResizeObserver(([entry]) => {
      const { width, height } = entry.contentRect;
      setSize((old) => (Math.abs(old.width - width) + Math.abs(old.height - height) < 1 ? old : { width, height }));
    });
    watcher.observe(ref.current);
    return () => watcher.disconnect();
  }, []);
  return [ref, size];
}

/**
 * Columns that make equal pieces as large as they can be.
 * @param {number} count
 * @param {number} aspect  width by height of a piece
 * @param {{width: number, height: number}} size
 * @param {number} gap
 * @returns {{columns: number, width: number}}
 */
export function fitted(count, aspect, size, gap) {
  let best = { columns: 1, width: 0 };
  for (let columns = 1; columns <= count; columns += 1) {
    const rows = Math.ceil(count / columns);
    const width = Math.min((size.width - gap * (columns - 1)) / columns, ((size.height - gap * (rows - 1)) / rows) * aspect);
    // of two that are as large, the one without a ragged last row
    if (width > best.width + 0.5 || (width > best.width - 0.5 && count % columns === 0)) best = { columns, width };
  }
  return best;
}

/**
 * Make something draggable onto elements with `data-drop`; a short move stays a click.
 * @param {{onLift: () => void, onDrop: (target: HTMLElement) => void}} hand
 * @returns {Record<string, unknown>}
 */
export function draggable({ onLift, onDrop }) {
  return {
    onPointerDown(/** @type {PointerEvent} */ event) {
      const lifted = event.currentTarget;
      if (!(lifted instanceof HTMLElement) || event.button !== 0) return;
      const start = { x: event.clientX, y: event.clientY };
      /** @type {HTMLElement | null} */
      let ghost = null;
      const move = (/** @type {PointerEvent} */ moved) => {
        if (ghost === null) {
          if (Math.hypot(moved.clientX - start.x, moved.clientY - start.y) < DRAG_PX) return;
          ghost = /** @type {HTMLElement} */ (lifted.cloneNode(true));
          ghost.className = "piece ghost";
          ghost.style.width = `${lifted.offsetWidth}px`;
          document.body.append(ghost);
          onLift();
        }
        ghost.style.transform = `translate(${moved.clientX - lifted.offsetWidth / 2}px, ${moved.clientY - lifted.offsetHeight / 2}px)`;
      };
      const end = (/** @type {PointerEvent} */ ended) => {
        window.removeEventListener("pointermove", move);
        window.removeEventListener("pointerup", end);
        window.removeEventListener("pointercancel", end);
        if (ghost === null) return;
        ghost.remove();
        // the click that follows a drag is none
        const swallow = (/** @type {Event} */ click) => click.stopPropagation();
        window.addEventListener("click", swallow, { capture: true });
        setTimeout(() => window.removeEventListener("click", swallow, { capture: true }));
        const target = document.elementFromPoint(ended.clientX, ended.clientY)?.closest("[data-drop]");
        if (ended.type === "pointerup" && target instanceof HTMLElement) onDrop(target);
      };
      window.addEventListener("pointermove", move);
      window.addEventListener("pointerup", end);
      window.addEventListener("pointercancel", end);
    },
  };
}

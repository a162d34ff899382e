/** Keys stay where they are: where what had the focus is gone, it goes to the piece that lies there now, or to the part around it; on a new page to its heading. */

const STOPS = "button:not(:disabled), select:not(:disabled), input:not(:disabled), summary, a[href], [tabindex]";

/** @typedef {HTMLElement | SVGElement} Stop */

/** @param {Stop} one */
function canHold(one) {
  return one.tabIndex >= 0 && one.isConnected && !one.matches(":disabled") && one.checkVisibility();
}

/** Parts that may have the focus themselves: Enter does nothing there, and no other button is what somebody meant. */
const PARTS = "main :is(li, section, fieldset, h1)";

/** @param {Stop | null} part */
function reached(part) {
  if (part && !part.hasAttribute("tabindex")) part.tabIndex = -1;
  return part;
}

/**
 * Keep the focus within a part of the page while what is in it changes.
 * @param {HTMLElement} within
 */
export function keepFocus(within) {
  /** What had the focus last, and all around it. @type {Stop[]} */
  let path = [];
  within.addEventListener("focusin", (event) => {
    path = [];
    for (let one = /** @type {Stop | null} */ (event.target); one; one = one.parentElement) path.push(one);
  });
  document.addEventListener("pointerdown", () => {
    path = []; // who points needs no place to go on from
  });
  /** @param {Stop} around @param {Stop} last */
  function successor(around, last) {
    const stops = /** @type {Stop[]} */ ([...around.querySelectorAll(STOPS)]).filter(canHold);
    const place = last.dataset.stop;
    const kept = stops.find((one) => place !== undefined && one.dataset.stop === place) ?? stops.find((one) => one.autofocus);
    if (kept) return kept;
    const begun = around.querySelector(".filling");
    if (begun || around.matches(PARTS)) return reached(/** @type {Stop} */ (begun ?? around));
    return around.matches("main, :has(main)") ? reached(document.querySelector("main h1")) : undefined;
  }
  function mend() {
    const active = /** @type {Stop} */ (document.activeElement ?? document.body);
    // what is disabled just now keeps the focus until the page is drawn
    if ((active !== document.body && (canHold(active) || active.matches(PARTS))) || path.length === 0 || document.querySelector("dialog[open]")) return;
    const [last, ...around] = path;
    if (canHold(last)) return last.focus({ preventScroll: true });
    for (const one of around) {
      const next = one.isConnected ? successor(one, last) : undefined;
      if (next) return next.focus({ preventScroll: true });
    }
  }
  new MutationObserver(mend).observe(within, { subtree: true, childList: true, attributes: true, attributeFilter: ["disabled"] });
}

/** What somebody wants of the page on this device: kept in the browser, told to no server. */

/**
 * @typedef {{theme: "auto" | "light" | "dark", plain: boolean, letters: boolean, patterns: boolean, aloud: boolean, still: boolean, keys: boolean,
 *   size: number, show: "both" | "picture" | "drawn"}} Wishes
 */

/** How the device has it. */
export const DARK = matchMedia("(prefers-color-scheme: dark)");

const KEY = "visionset.wishes";

/** From here on, in per cent, a table and all beside it do not fit on one screen any more. */
const LARGE = 150;

/** Letters of a browser that was told nothing of them. */
const USUAL_PX = 16;

/** @type {Wishes} */
const USUAL = { theme: "auto", plain: false, letters: true, patterns: true, aloud: false, still: false, keys: true, size: 100, show: "both" };

/** @returns {Wishes} */
export function readWishes() {
  return { ...USUAL, ...recall(KEY, {}) };
}

/**
 * How pieces are drawn for these eyes, as the server is asked for it; nothing as they are printed.
 * @param {Wishes} wishes
 */
export function plainly({ plain, letters, patterns }) {
  if (!plain) return "";
  return [letters && "letters", patterns && "patterns"].filter(Boolean).join("-") || "inks";
}

/** @param {Wishes} wishes */
export function keepWishes(wishes) {
  keep(KEY, wishes);
}

/** How large letters are by what this browser is told of all pages; no smaller than usual, for pieces would not grow by that. */
function usualLetters() {
  const word = document.body.appendChild(document.createElement("span"));
  word.style.fontSize = "medium";
  const size_px = parseFloat(getComputedStyle(word).fontSize);
  word.remove();
  return Math.max(1, size_px / USUAL_PX);
}

/** @param {Wishes} wishes */
export function applyWishes(wishes) {
  const root = document.documentElement;
  const size = usualLetters() * wishes.size;
  root.dataset.theme = wishes.theme === "auto" ? (DARK.matches ? "dark" : "light") : wishes.theme;
  root.dataset.still = String(wishes.still);
  root.dataset.keys = String(wishes.keys);
  root.dataset.large = String(size >= LARGE);
  root.style.setProperty("--wished", String(size / 100));
}

/**
 * Whether a key does something here: who dictates, or rests a hand on the keyboard, may not want single letters and digits to.
 * @param {string} key  as in `KeyboardEvent.key`
 */
export const isHeard = (key) => key.length > 1 || document.documentElement.dataset.keys !== "false";

/**
 * Read what was kept; what cannot be read counts as never kept.
 * @template T
 * @param {string} key
 * @param {T} otherwise
 * @param {boolean} [isBrief]  kept no longer than this page is open
 * @returns {T}
 */
export function recall(key, otherwise, isBrief = false) {
  try {
    return JSON.parse((isBrief ? sessionStorage : localStorage).getItem(key) ?? "null") ?? otherwise;
  } catch {
    return otherwise;
  }
}

/**
 * @param {string} key
 * @param {unknown} value
 * @param {boolean} [isBrief]
 */
export function keep(key, value, isBrief = false) {
  try {
    (isBrief ? sessionStorage : localStorage).setItem(key, JSON.stringify(value));
  } catch {
    // a browser that keeps nothing still plays
  }
}

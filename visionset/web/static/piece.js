/** A card or a die as it is drawn, alone or as a button. */
import { isSecondTap } from "./desk.js";
import { html } from "./html.js";

/** @typedef {import("./types.js").Piece} Piece */

/**
 * Where a piece is drawn; letters are of the language, and no browser shows those of another.
 * @param {Piece} piece
 * @param {string} plain
 */
export function drawing(piece, plain) {
  const letters = plain && `&plain=${plain}&language=${document.documentElement.lang}`;
  return `/piece/${encodeURIComponent(piece.code)}.svg?kind=${encodeURIComponent(piece.kind)}${letters}`;
}

/** @param {Piece | null} piece */
export function isDie(piece) {
  return piece !== null && piece.kind.endsWith("die");
}

/**
 * A drawn piece; its words are read out unless something beside it says them.
 * @param {{piece: Piece, plain: string, silent?: boolean}} props
 */
export function Drawn({ piece, plain, silent = false }) {
  return html`<img class=${`drawn ${piece.kind}`} src=${drawing(piece, plain)} alt=${silent ? "" : piece.said} draggable=${false} />`;
}

/**
 * A piece that can be clicked, dragged, and reached by keys. Who presses it twice means it once: the second press would put it back.
 * @param {{piece: Piece, plain: string, label?: string, picked?: boolean, marked?: boolean, live?: boolean, faded?: boolean,
 *   tab?: boolean, onPick: () => void, drag?: Record<string, unknown>}} props
 */
export function PieceButton({ piece, plain, label, picked = false, marked = false, live = false, faded = false, tab = true, onPick, drag }) {
  const looks = ["piece", picked && "is-picked", marked && "is-marked", live && "is-live", faded && "is-faded"].filter(Boolean).join(" ");
  return html`<button type="button" class=${looks} data-piece="" aria-pressed=${live ? String(picked) : undefined}
    aria-label=${label ?? piece.said} tabIndex=${tab ? 0 : -1} onClick=${(/** @type {MouseEvent} */ event) => isSecondTap(event) || onPick()} ...${drag ?? {}}>
    <${Drawn} piece=${piece} plain=${plain} silent />
  </button>`;
}

/** A card or a die as it is drawn, alone or as a button. */
import { html } from "./html.js";

/** @typedef {import("./types.js").Piece} Piece */

/**
 * @param {Piece} piece
 * @param {boolean} plain
 */
function address(piece, plain) {
  return `/piece/${encodeURIComponent(piece.code)}.svg?kind=${encodeURIComponent(piece.kind)}${plain ? "&plain=1" : ""}`;
}

/** @param {Piece | null} piece */
export function isDie(piece) {
  return piece !== null && piece.kind.endsWith("die");
}

/**
 * A drawn piece; its words are read out unless something beside it says them.
 * @param {{piece: Piece, plain: boolean, silent?: boolean}} props
 */
export function Drawn({ piece, plain, silent = false }) {
  return html`<img class=${`drawn ${piece.kind}`} src=${address(piece, plain)} alt=${silent ? "" : piece.said} draggable=${false} />`;
}

/**
 * A piece that can be clicked, dragged, and reached by keys.
 * @param {{piece: Piece, plain: boolean, label?: string, picked?: boolean, marked?: boolean, live?: boolean, faded?: boolean,
 *   tab?: boolean, onPick: () => void, drag?: Record<string, unknown>}} props
 */
export function PieceButton({ piece, plain, label, picked = false, marked = false, live = false, faded = false, tab = true, onPick, drag }) {
  const looks = ["piece", picked && "is-picked", marked && "is-marked", live && "is-live", faded && "is-faded"].filter(Boolean).join(" ");
  return html`<button type="button" class=${looks} data-piece="" aria-pressed=${live ? String(picked) : undefined}
    aria-label=${label ?? piece.said} tabIndex=${tab ? 0 : -1} onClick=${onPick} ...${drag ?? {}}>
    <${Drawn} piece=${piece} plain=${plain} silent />
  </button>`;
}

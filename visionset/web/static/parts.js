/** The parts of a view: pieces in rows, boards, hands. What is clicked goes to the choosing of the table. */
import { isSecondTap } from "./desk.js";
import { isBoard, WILD } from "./laying.js";
import { draggable, fitted, useArrows, useSize } from "./moving.js";
import { html } from "./html.js";
import { Drawn, drawing, isDie, PieceButton } from "./piece.js";
import { Sheet } from "./sheet.js";
import { capital, say } from "./words.js";

/** @typedef {import("./types.js").Whole} Whole */
/** @typedef {import("./types.js").Part} Part */
/** @typedef {import("./types.js").Piece} Piece */
/** @typedef {import("./desk.js").Desk} Desk */

/** A finger finds a cell that is this large; a board that has no room for that on a phone is scrolled. */
const LEAST_CELL_PX = 44;
const PHONE = matchMedia("(max-width: 40rem)");

/** A smaller board has cells of the size that they would have with so many each way: one die alone would fill the view. */
const LEAST_CELLS = 3;

/** The letter of a WILD hides too much of a die that is smaller. */
const LEAST_LETTERED_PX = 40;

/** More columns than a board has. */
const FAR_APART = 1000;

const CARD_ASPECT = 57 / 87;
const GAP_PX = 10;
/** Between 42 dice of a phone, each as large as a finger. */
const DICE_GAP_PX = 5;

/** @param {Whole} whole  @returns {Set<number>}  positions that somebody is told to look at; where there is a sheet they are its rows */
function marked(whole) {
  const hasSheet = whole.view.some((part) => part.part === "grid" && !isBoard(part));
  return new Set(hasSheet ? [] : [...whole.prompts.flatMap((prompt) => prompt.at), ...(whole.hints?.at ?? [])]);
}

/** @param {{part: Part, desk: Desk}} props */
export function PartView({ part, desk }) {
  if (part.part === "spread") return html`<${SpreadView} part=${part} desk=${desk} />`;
  if (part.part === "hand") return html`<${HandView} part=${part} desk=${desk} />`;
  return isBoard(part) ? html`<${BoardView} part=${part} desk=${desk} />` : html`<${Sheet} part=${part} desk=${desk} />`;
}

/**
 * Pieces in rows, as large as their place lets them be.
 * @param {{title: string, pieces: (Piece | null)[], plain: string, live: boolean, isPicked: (place: number) => boolean,
 *   isMarked: (place: number) => boolean, onPick: (place: number, piece: Piece) => void, named?: (place: number) => number}} props
 */
export function Rows({ title, pieces, plain, live, isPicked, isMarked, onPick, named = (place) => place }) {
  const [ref, size] = useSize();
  const aspect = pieces.some((piece) => piece && !isDie(piece)) ? CARD_ASPECT : 1;
  const gap = PHONE.matches && aspect === 1 ? DICE_GAP_PX : GAP_PX;
  const { columns, width } = fitted(pieces.length, aspect, size, gap);
  const { here, onKeyDown, stand } = useArrows(pieces.flatMap((piece, place) => (piece === null ? [] : [place])));
  const style = { "--columns": String(columns), "--piece": `${Math.floor(width)}px`, "--gap": `${gap}px` };
  return html`<section class="spread" aria-label=${title}>
    <div class="field" ref=${ref}>
      <div class="rows" role="group" aria-label=${say("page.table.lying")} style=${style} onKeyDown=${onKeyDown}>
        ${pieces.map((piece, place) =>
          piece === null
            ? html`<span class="gap" key=${`gap-${place}`}></span>`
            : html`<div class="place" key=${`${place}-${piece.code}`}>
                <${PieceButton} piece=${piece} plain=${plain} live=${live} picked=${isPicked(place)} marked=${isMarked(place)} tab=${place === here}
                  drag=${{ "data-stop": named(place), onFocus: () => stand(place) }} onPick=${() => onPick(place, piece)} />
              </div>`,
        )}
      </div>
    </div>
    <p class="caption">${capital(title)}</p>
  </section>`;
}

/** @param {{part: import("./types.js").SpreadPart, desk: Desk}} props */
function SpreadView({ part, desk }) {
  const { whole, choosing, plain, tell } = desk;
  const at = marked(whole);
  const live = choosing.canPick("spread");
  const named = (/** @type {number} */ place) => part.places.indexOf(place); // how the game counts, which closes up
  const pieces = Array.from({ length: part.room }, (_, place) => part.pieces[named(place)] ?? null);
  const pick = (/** @type {number} */ place, /** @type {Piece} */ piece) => (live ? choosing.pick("spread", named(place)) : tell(piece.said));
  return html`<${Rows} title=${part.title} pieces=${pieces} plain=${plain} live=${live} onPick=${pick} named=${named}
    isPicked=${(/** @type {number} */ place) => choosing.isPicked("spread", named(place))}
    isMarked=${(/** @type {number} */ place) => at.has(named(place))} />`;
}

/** @param {{part: import("./types.js").HandPart, desk: Desk}} props */
function HandView({ part, desk }) {
  const { whole, choosing, plain, tell } = desk;
  const { here, onKeyDown, stand } = useArrows([...part.pieces.keys()]);
  const live = choosing.canPick(part.player);
  const lift = (/** @type {number} */ place) => {
    if (choosing.draft?.held !== place) choosing.pick(part.player, place);
  };
  if (whole.is_camera && part.pieces.length > 0 && part.pieces.every(({ code }) => code === WILD)) {
    // its player alone sees what they are
    return html`<section class="hand" data-player=${part.number} aria-label=${say("page.table.hand", { name: part.player })}>
      <h2>${part.player}</h2><p class="caption">${say("page.table.pieces", { count: part.pieces.length })}</p></section>`;
  }
  return html`<section class=${`hand ${live ? "is-live" : ""}`} data-player=${part.number} aria-label=${say("page.table.hand", { name: part.player })}>
    <h2>${part.player}</h2>
    <div class="row" role="group" aria-label=${say("page.table.pieces", { count: part.pieces.length })} onKeyDown=${onKeyDown}
      data-drop=${live ? `hand:${part.player}` : undefined}>
      ${part.pieces.map((piece, place) => {
        const isLent = part.lent.includes(place);
        const laid = isLent || choosing.isLaid(part.player, place);
        const moves = live && !isLent;
        return html`<${PieceButton} key=${`${place}-${piece.code}`} piece=${piece} plain=${plain} live=${moves} faded=${laid}
          picked=${choosing.isPicked(part.player, place)} tab=${place === here}
          label=${laid ? say("page.table.laid", { piece: piece.said }) : piece.said}
          drag=${{ "data-stop": place, onFocus: () => stand(place), ...(moves ? draggable(dragging(desk, () => lift(place), place)) : {}) }}
          onPick=${() => (moves ? choosing.pick(part.player, place) : tell(piece.said))} />`;
      })}
    </div>
    ${part.laid.length === 0 && part.after && html`<p class="caption">${part.after}</p>`}
    ${part.laid.length > 0 && html`<ul class="graves" aria-label=${say("page.table.laid_sets", { name: part.player })}>
      ${part.laid.map((pieces) => html`<li key=${pieces[0].code} class=${pieces.length > 3 ? "is-complete" : ""}>
        ${pieces.map((piece) => html`<${Drawn} key=${piece.code} piece=${piece} plain=${plain} />`)}</li>`)}
    </ul>`}
  </section>`;
}

/**
 * @param {Desk} desk
 * @param {() => void} onLift
 * @param {number} die
 */
function dragging(desk, onLift, die) {
  return {
    onLift,
    onDrop(/** @type {HTMLElement} */ target) {
      const [title, row, col] = [target.dataset.board, Number(target.dataset.row), Number(target.dataset.col)];
      if (title === undefined) desk.drop({ die });
      else desk.drop({ die, title, row, col });
    },
  };
}

/** @param {{part: import("./types.js").GridPart, desk: Desk}} props */
function BoardView({ part, desk }) {
  const { whole, choosing, plain, tell } = desk;
  const [ref, size] = useSize();
  const columns = part.head.length - 1;
  /** What tells a cell from all others while the board grows and shrinks around it, in the order in which they stand. */
  const stopOf = (/** @type {number} */ r, /** @type {number} */ c) => FAR_APART * Number(part.rows[r][0].text) + Number(part.head[c + 1]);
  const { here, onKeyDown, stand } = useArrows(part.rows.flatMap((row, r) => row.slice(1).map((_, c) => stopOf(r, c))));
  const takes = choosing.layer(part.title) !== null;
  const laid = choosing.laidOn(part.title);
  const hand = whole.view.filter((one) => one.part === "hand").find((one) => one.player === whole.players[choosing.draft?.choice.player ?? -1]?.name);
  const [across, down] = [columns, part.rows.length].map((cells) => Math.max(cells, LEAST_CELLS));
  const fits = Math.min((size.width - 3 * across) / across, (size.height - 3 * down) / down);
  const width = PHONE.matches ? Math.max(LEAST_CELL_PX, fits) : fits;
  const style = { "--columns": String(columns), "--cell": `${Math.floor(width)}px` };

  /** @param {number} r @param {number} c */
  function cell(r, c) {
    const entry = part.rows[r][c + 1];
    const [row, col] = [Number(part.rows[r][0].text), Number(part.head[c + 1])];
    const mine = laid.find((one) => one.row === row && one.col === col);
    const piece = entry.piece ?? (mine ? (hand?.pieces[mine.die] ?? null) : null);
    const stop = stopOf(r, c);
    const where = say("page.table.cell", { row: r + 1, col: c + 1 });
    const bonus = entry.piece === null && /\d/.test(entry.text) ? entry.text : "";
    const hidden = entry.piece ? entry.text : ""; // a WILD looks like the face that it stands for
    const label = [where, (piece && (hidden ? `${hidden}, ${piece.said}` : piece.said)) ?? (bonus ? say("page.table.bonus", { points: bonus }) : say("page.table.empty"))].join(": ");
    const onClick = (/** @type {MouseEvent} */ event) => {
      if (isSecondTap(event)) return undefined; // it would take up again what the first has laid
      if (takes && (entry.piece === null || choosing.draft?.held == null)) {
        if (entry.piece === null) return choosing.lay(part.title, row, col);
      }
      if (entry.piece !== null && choosing.takeUp(part.title, row, col)) return undefined;
      return tell(label);
    };
    const looks = ["cell", piece && "has-piece", mine && "is-picked", takes && !piece && "is-live", bonus && "has-bonus"];
    return html`<button type="button" key=${stop} class=${looks.filter(Boolean).join(" ")} aria-label=${label} data-stop=${stop}
      tabIndex=${stop === here ? 0 : -1} data-drop=${takes ? "cell" : undefined} data-board=${part.title} data-row=${row} data-col=${col}
      onFocus=${() => stand(stop)} onClick=${onClick}>
      ${piece ? html`<img class="drawn" src=${drawing(piece, plain)} alt="" draggable=${false} />` : bonus}
      ${hidden && html`<b class=${`hidden-wild ${width < LEAST_LETTERED_PX ? "is-small" : ""}`} aria-hidden="true">${width < LEAST_LETTERED_PX ? "" : hidden.slice(0, 1)}</b>`}
    </button>`;
  }

  return html`<section class="board" aria-label=${part.title}>
    <p class="caption">${whole.players.some(({ name }) => name === part.title) ? part.title : capital(part.title)}</p>
    <div class="field" ref=${ref}>
      <div class="cells" role="group" aria-label=${say("page.table.board")} style=${style} onKeyDown=${onKeyDown}>
        ${part.rows.flatMap((row, r) => row.slice(1).map((_, c) => cell(r, c)))}
      </div>
    </div>
  </section>`;
}

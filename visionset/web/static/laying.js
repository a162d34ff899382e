/** Boards and hands: which cell is where, whose board it is, which die of a hand lies there. */

/** @typedef {import("./types.js").Whole} Whole */
/** @typedef {import("./types.js").GridPart} GridPart */
/** @typedef {import("./types.js").HandPart} HandPart */
/** @typedef {import("./types.js").Placing} Placing */

export const WILD = "wild";

/** Cells of a board on which nothing lies yet: room for a first SET in each direction. */
const EMPTY_BOARD = 7;

const WHOLE_NUMBER = /^-?\d+$/;

/**
 * Whether a grid has cells with numbers, where dice are laid; else it is a sheet to be read.
 * @param {GridPart} part
 */
export function isBoard(part) {
  return part.head.length > 1 && part.head[0] === "" && part.head.slice(1).every((text) => WHOLE_NUMBER.test(text));
}

/** @param {import("./types.js").Part} part */
export function isSheet(part) {
  return part.part === "grid" && !isBoard(part);
}

/**
 * The board that a player lays on.
 * @param {Whole} whole
 * @param {string} player
 * @returns {{part: GridPart, isOwn: boolean, isNew: boolean}}  a board of one's own is given whole at each lay; one for all grows
 */
export function boardOf(whole, player) {
  const boards = whole.view.filter((part) => part.part === "grid").filter(isBoard);
  const names = new Set(whole.players.map(({ name }) => name));
  const common = boards.find((part) => !names.has(part.title));
  if (common) return { part: common, isOwn: false, isNew: false };
  const own = boards.find((part) => part.title === player);
  return own ? { part: own, isOwn: true, isNew: false } : { part: emptyBoard(player), isOwn: true, isNew: true };
}

/**
 * @param {string} title
 * @returns {GridPart}
 */
function emptyBoard(title) {
  const numbers = Array.from({ length: EMPTY_BOARD }, (_, at) => String(at));
  /** @type {import("./types.js").GridEntry} */
  const nothing = { text: "·", piece: null, stress: "faint" };
  const named = (/** @type {string} */ number) => ({ ...nothing, text: number });
  return { part: "grid", title, head: ["", ...numbers], rows: numbers.map((row) => [named(row), ...numbers.map(() => nothing)]) };
}

/**
 * The hand of a player, as it is shown.
 * @param {Whole} whole
 * @param {string} player
 * @returns {HandPart | undefined}
 */
export function handOf(whole, player) {
  return whole.view.filter((part) => part.part === "hand").find((part) => part.player === player);
}

/**
 * Which die of a hand lies in which cell of its owner's board; what others laid there is in no hand and stays away.
 * @param {Whole} whole
 * @param {string} player
 * @returns {Placing[]}
 */
export function laidBy(whole, player) {
  const { part, isOwn, isNew } = boardOf(whole, player);
  const hand = handOf(whole, player);
  const dice = hand?.pieces ?? [];
  if (!isOwn || isNew) return [];
  /** @type {Placing[]} */
  const laid = [];
  /** @type {{row: number, col: number, code: string}[]} */
  const unclear = [];
  const isFree = (/** @type {number} */ die) => !hand?.lent.includes(die) && !laid.some((one) => one.die === die);
  for (const row of part.rows) {
    row.slice(1).forEach((entry, at) => {
      if (entry.piece === null || entry.stress === "faint") return; // others added that one
      const where = { row: Number(row[0].text), col: Number(part.head[at + 1]) };
      const code = entry.piece.code;
      // a WILD looks like the face that it stands for, and says in words what it is: a die of that face may be in the hand too
      const die = entry.text ? -1 : dice.findIndex((one, number) => one.code === code && isFree(number));
      if (die >= 0) laid.push({ die, ...where, stated: null });
      else unclear.push({ ...where, code });
    });
  }
  for (const { row, col, code } of unclear) {
    const die = dice.findIndex((one, number) => one.code === WILD && isFree(number));
    if (die >= 0) laid.push({ die, row, col, stated: code });
  }
  return laid;
}

/**
 * A board without the edges on which nothing lies and nothing is printed: room for dice is of use to those alone who lay them here.
 * @param {GridPart} part
 * @returns {GridPart}
 */
function cropped(part) {
  const shows = (/** @type {import("./types.js").GridEntry} */ { piece, text }) => piece !== null || WHOLE_NUMBER.test(text);
  const rows = part.rows.map((row) => row.slice(1).some(shows));
  const columns = part.head.slice(1).map((_, at) => part.rows.some((row) => shows(row[at + 1])));
  if (!rows.includes(true)) return part;
  /** @type {<Cell>(row: Cell[]) => Cell[]} */
  const cut = ([first, ...rest]) => [first, ...rest.slice(columns.indexOf(true), columns.lastIndexOf(true) + 1)];
  return { ...part, head: cut(part.head), rows: part.rows.slice(rows.indexOf(true), rows.lastIndexOf(true) + 1).map(cut) };
}

/**
 * What is shown: the view, and an empty board for each of one's own on which nothing lies yet.
 * @param {Whole} whole
 * @param {import("./types.js").Choice[]} mine
 * @param {number | null} [seat]
 * @returns {import("./types.js").Part[]}
 */
export function shownParts(whole, mine, seat = null) {
  const laying = mine.filter((choice) => choice.player !== null && choice.needs.length === 1 && choice.needs[0].form === "placings");
  const boards = laying.map((choice) => boardOf(whole, whole.players[choice.player ?? 0].name)).filter(({ isNew }) => isNew);
  const isLaidHere = !whole.is_camera && whole.page !== "over";
  const shown = [...boards.map(({ part }) => part), ...whole.view.map((part) => (isLaidHere || part.part !== "grid" || !isBoard(part) ? part : cropped(part)))];
  const owner = (/** @type {import("./types.js").Part} */ part) => (part.part === "grid" ? whole.players.findIndex(({ name }) => name === part.title) : -1);
  const at = (/** @type {import("./types.js").Part} */ part) => (owner(part) === seat ? -1 : owner(part));
  // boards of players stand in the order of their seats from the first to the last die, one's own first
  return [...shown.filter((part) => owner(part) >= 0).sort((one, other) => at(one) - at(other)), ...shown.filter((part) => owner(part) < 0)];
}

/**
 * Parts that stand together: where players have boards of their own, each hand above the board of its owner.
 * @param {import("./types.js").Part[]} parts
 * @returns {import("./types.js").Part[][]}
 */
export function byOwner(parts) {
  const boardOfHand = (/** @type {import("./types.js").Part} */ part) =>
    part.part === "hand" ? parts.filter((one) => one.part === "grid" && isBoard(one) && one.title === part.player) : [];
  const owned = new Set(parts.flatMap(boardOfHand));
  if (owned.size < 2) return parts.map((part) => [part]);
  return parts.filter((part) => !owned.has(part)).map((part) => [part, ...boardOfHand(part)]);
}

/**
 * What tells a part from the others while the state changes.
 * @param {Whole} whole
 * @param {import("./types.js").Part} part
 * @param {number} at
 */
export function partKey(whole, part, at) {
  if (part.part === "hand") return `hand-${part.player}`;
  const isOwn = whole.players.some(({ name }) => name === part.title);
  return isOwn ? `${part.part}-${part.title}` : `${part.part}-${at}`;
}

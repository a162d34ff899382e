/** How a choice is filled: pieces and cells are clicked or dragged, one need after the other, until the move can be made. */
import { useEffect, useState } from "./vendor/hooks.js";
import { boardOf, handOf, laidBy, WILD } from "./laying.js";

/** @typedef {import("./types.js").Whole} Whole */
/** @typedef {import("./types.js").Choice} Choice */
/** @typedef {import("./types.js").Need} Need */
/** @typedef {import("./types.js").Placing} Placing */

/** Milliseconds in which a press is a second one on what stood there before, such as "SET!": whoever is eager presses twice. */
export const EAGER_MS = 1000;

/**
 * @typedef {{choice: Choice, begun_ms: number, step: number, values: Record<string, unknown>, picked: number[], laid: Placing[],
 *   held: number | null, lying: string[], asked: {die: number, row: number, col: number} | null, stated: Record<number, string | null>}} Draft
 * `begun_ms` is when its button was pressed. `lying` is what lay on the table when its pieces were picked. `asked` is the WILD whose face
 * is asked for; for one in a list of dice its cell means nothing.
 */

/**
 * @param {Choice} choice
 * @returns {Draft}
 */
function drafted(choice) {
  return { choice, begun_ms: performance.now(), step: 0, values: {}, picked: [], laid: [], held: null, lying: [], asked: null, stated: {} };
}

/** What lies on the table, by position. @param {Whole} whole @returns {string[]} */
function lyingOn(whole) {
  const spread = whole.view.find((part) => part.part === "spread");
  return spread?.part === "spread" ? spread.pieces.map((piece) => piece?.code ?? "") : [];
}

/**
 * The same pieces as before: others take some, those that are left lie at other positions, and one that is gone is picked no more.
 * @param {Draft} draft
 * @param {string[]} lying
 * @returns {Draft}
 */
function followed(draft, lying) {
  if (draft.picked.length === 0 || draft.lying.join() === lying.join()) return draft;
  /** @type {number[]} */
  const picked = [];
  for (const at of draft.picked) {
    const now = lying.findIndex((code, place) => code === draft.lying[at] && !picked.includes(place));
    if (now >= 0) picked.push(now);
  }
  return { ...draft, picked, lying };
}

/**
 * @param {Draft | null} draft
 * @returns {Need | undefined}
 */
function needOf(draft) {
  return draft?.choice.needs[draft.step];
}

/**
 * Choices of one table, and what has been filled in of one of them.
 * @param {Whole} whole
 * @param {Choice[]} mine  what this device may do
 * @param {(choice: Choice, values: Record<string, unknown>) => void} make
 */
export function useChoosing(whole, mine, make) {
  const [draft, setDraft] = useState(/** @type {Draft | null} */ (null));
  const hasSpread = whole.view.some((part) => part.part === "spread");
  const lying = lyingOn(whole);
  const open = draft && mine.some((choice) => choice.id === draft.choice.id) ? draft : null;
  const current = open && hasSpread ? followed(open, lying) : open;
  useEffect(() => {
    if (draft !== current) setDraft(current);
  });

  const nameOf = (/** @type {Choice} */ choice) => (choice.player === null ? "" : (whole.players[choice.player]?.name ?? ""));
  const diceOf = (/** @type {Choice} */ choice) => handOf(whole, nameOf(choice))?.pieces ?? [];
  const isWild = (/** @type {Choice} */ choice, /** @type {number} */ die) => diceOf(choice)[die]?.code === WILD;
  const isOwnGrid = (/** @type {Choice} */ choice) => choice.needs.length === 1 && boardOf(whole, nameOf(choice)).isOwn;

  /** @param {Draft} next */
  function goOn(next) {
    const need = needOf(next);
    if (need?.form === "wilds") {
      const unknown = next.picked.find((die) => isWild(next.choice, die) && !(die in next.stated));
      if (unknown !== undefined) return setDraft({ ...next, asked: { die: unknown, row: 0, col: 0 } });
      return filled(next, need, next.picked.map((die) => next.stated[die] ?? null));
    }
    if (need) return setDraft(next);
    setDraft(null);
    make(next.choice, next.values);
  }

  /**
   * @param {Draft} next
   * @param {Need} need
   * @param {unknown} value
   */
  function filled(next, need, value) {
    goOn({ ...next, values: { ...next.values, [need.field]: value }, step: next.step + 1 });
  }

  /**
   * @param {Draft} next
   * @param {number} at
   */
  function toggled(next, at) {
    const need = needOf(next);
    const picked = next.picked.includes(at) ? next.picked.filter((one) => one !== at) : [...next.picked, at];
    if (need?.count && picked.length === need.count) return filled({ ...next, picked }, need, picked);
    setDraft({ ...next, picked, lying });
  }

  /**
   * @param {Draft} next
   * @param {Placing} placing
   */
  function placed(next, placing) {
    const others = (isOwnGrid(next.choice) ? laidBy(whole, nameOf(next.choice)) : next.laid).filter(
      (one) => one.die !== placing.die && !(one.row === placing.row && one.col === placing.col),
    );
    const laid = [...others, placing];
    if (!isOwnGrid(next.choice)) return setDraft({ ...next, laid, held: null, asked: null });
    setDraft(null);
    make(next.choice, { [next.choice.needs[0].field]: laid });
  }

  /** @param {"spread" | string} where  the table, or whose hand @param {"list" | "placings"} form */
  function implied(where, form) {
    const inTable = where === "spread";
    if (form === "list" && inTable !== hasSpread) return undefined;
    const fitting = mine.filter((choice) => choice.needs[0]?.form === form && (inTable || nameOf(choice) === where));
    return fitting.length === 1 || !inTable ? fitting[0] : undefined;
  }

  const need = needOf(current);

  return {
    draft: current,
    need,
    /** @param {Choice} choice */
    begin(choice) {
      if (current?.choice.id !== choice.id) goOn(drafted(choice));
      else if (this.isReady) this.confirm(); // pressed again: what was laid is meant
      else if (current.picked.length === 0 && current.held === null && performance.now() - current.begun_ms > EAGER_MS) setDraft(null);
    },
    cancel: () => setDraft(null),
    /** Whether a click on a piece picks it: the table's, or a hand's. @param {string} where */
    canPick(where) {
      const inTable = where === "spread";
      if (current && need && (inTable || nameOf(current.choice) === where)) {
        return need.form === "placings" ? !inTable : need.form === "list" && inTable === hasSpread;
      }
      return Boolean(implied(where, "list") ?? (inTable ? undefined : implied(where, "placings")));
    },
    /** @param {string} where @param {number} at */
    isPicked(where, at) {
      if (!current || (where === "spread") !== hasSpread) return false;
      return (where === "spread" || nameOf(current.choice) === where) && (current.picked.includes(at) || current.held === at);
    },
    /** Whether a die of a hand lies on the board already. @param {string} where @param {number} at */
    isLaid(where, at) {
      if (current?.laid.some((one) => one.die === at) && nameOf(current.choice) === where) return true;
      return laidBy(whole, where).some((one) => one.die === at);
    },
    /** @param {string} where @param {number} at */
    pick(where, at) {
      const fits = current && need && (where === "spread" || nameOf(current.choice) === where);
      if (fits && need.form === "list") return toggled(current, at);
      if (fits && need.form === "placings") return setDraft({ ...current, held: current.held === at ? null : at });
      const placing = where === "spread" ? undefined : implied(where, "placings");
      if (placing) return setDraft({ ...drafted(placing), held: at });
      const list = implied(where, "list");
      if (list) toggled(drafted(list), at);
    },
    /** Whose board takes a die now: the choice that lays there. @param {string} title */
    layer(title) {
      if (!current || need?.form !== "placings") return null;
      const owner = current.values.owner;
      const player = typeof owner === "number" ? whole.players[owner].name : nameOf(current.choice);
      return boardOf(whole, player).part.title === title ? current.choice : null;
    },
    /** Dice of the draft by cell. @param {string} title @returns {Placing[]} */
    laidOn(title) {
      return this.layer(title) && current ? current.laid : [];
    },
    /** @param {string} title @param {number} row @param {number} col @param {number | null} [dragged] */
    lay(title, row, col, dragged = null) {
      const choice = this.layer(title);
      const there = current?.laid.find((one) => one.row === row && one.col === col);
      if (current && there && current.held === null && dragged === null) {
        return setDraft({ ...current, laid: current.laid.filter((one) => one !== there), held: there.die });
      }
      const die = dragged ?? current?.held ?? null;
      if (!choice || !current || die === null) return undefined;
      if (isWild(choice, die)) return setDraft({ ...current, held: die, asked: { die, row, col } });
      return placed(current, { die, row, col, stated: null });
    },
    /** Take a die of one's own board up again. @param {string} player @param {number} row @param {number} col */
    takeUp(player, row, col) {
      const choice = mine.find((one) => nameOf(one) === player && one.needs[0]?.form === "placings" && isOwnGrid(one));
      const there = laidBy(whole, player).find((one) => one.row === row && one.col === col);
      if (!choice || !there) return false;
      setDraft({ ...drafted(choice), held: there.die });
      return true;
    },
    /** Put the die that is held back into the hand. */
    putBack() {
      if (!current || current.held === null) return;
      if (!isOwnGrid(current.choice)) return setDraft({ ...current, held: null });
      const rest = laidBy(whole, nameOf(current.choice)).filter((one) => one.die !== current.held);
      setDraft(null);
      make(current.choice, { [current.choice.needs[0].field]: rest });
    },
    /** On a board of one's own each die is laid at once, and a WILD may wait for its face: the SETs around it tell. */
    get goesAtOnce() {
      return Boolean(current && need?.form === "placings" && isOwnGrid(current.choice));
    },
    /** @param {string | null} face */
    state(face) {
      if (!current?.asked) return undefined;
      const { die, row, col } = current.asked;
      if (need?.form === "placings") return placed(current, { die, row, col, stated: face });
      return goOn({ ...current, asked: null, stated: { ...current.stated, [die]: face } });
    },
    /** @param {number | string} value */
    give(value) {
      if (current && need) filled(current, need, value);
    },
    get isReady() {
      return need?.form === "placings" ? Boolean(current?.laid.length) : need?.form === "list" && !need.count && Boolean(current?.picked.length);
    },
    confirm() {
      if (current && need) filled(current, need, need.form === "placings" ? current.laid : current.picked);
    },
  };
}

/** @typedef {ReturnType<typeof useChoosing>} Choosing */

/** What a page at a table works with: the state, what may be done here, and the ways to do it. */
import { useEffect, useLayoutEffect, useRef, useState } from "./vendor/hooks.js";
import { useChoosing } from "./choosing.js";
import { isHeard } from "./wishes.js";

/** @typedef {import("./types.js").Whole} Whole */
/** @typedef {import("./types.js").Choice} Choice */
/** @typedef {import("./room.js").Room} Room */
/** @typedef {import("./room.js").Line} Line */
/** @typedef {import("./choosing.js").Choosing} Choosing */

/** What is called out while others call too: the server puts it in the order of its true times. */
const CALLED = /** @type {Record<string, string>} */ ({ call: "set", agree: "no_set" });

/** What somebody does who has said SET, in games without calls. */
const FIRST = ["take", "open"];

/** What goes a step on or back each time it is said: a double click or a key pressed twice shall be one step, and brisk ones are several. */
const STEPS = ["undo", "next", "answer", "table", "game"];
/** Nobody presses a third time by mistake: who does goes back, or on, that far. What settles something is read first. */
const REPEATED = ["undo", "next"];
const DOUBLE_MS = 300;
/** So far apart two taps of a finger on one place may be: phones number each tap as a first click. */
const NEAR_PX = 24;
/** Whether a finger pressed last: of a click by one, an iPhone says that it is a mouse's, or nothing. */
let isFinger = false;
/** Whether the last press was a pointer's: what it touched has the focus, but is not what Enter means. */
let isPointing = false;
/** The last press, on whatever part of the page: what stood there may have given way to something else; and how many came in a row. */
let last = { what: "", at_ms: -Infinity, x: 0, y: 0, row: 0 };

/** @param {MouseEvent | KeyboardEvent} event */
function note(event) {
  const what = event instanceof KeyboardEvent ? event.key : event.type;
  if (event instanceof KeyboardEvent && event.repeat && what === "Enter") event.preventDefault(); // held, it would click again and again
  if (/^(Enter| )$/.test(what)) return; // it clicks
  if (event instanceof KeyboardEvent) isPointing = false;
  const { x, y, detail } = event instanceof MouseEvent ? event : { x: 0, y: 0, detail: 0 }; // a click by Enter has no number either
  const isAnother = detail === 1 && !(isFinger && Math.hypot(x - last.x, y - last.y) < NEAR_PX);
  const follows = !isAnother && what === last.what && event.timeStamp - last.at_ms < DOUBLE_MS;
  last = { what, at_ms: event.timeStamp, x, y, row: follows ? last.row + 1 : 1 };
}
addEventListener("pointerdown", ({ pointerType }) => {
  isFinger = pointerType === "touch";
  isPointing = true;
}, true);
addEventListener("click", note, true);
addEventListener("keydown", note, true);

/** Which press in a row this is: the second is that of a double click, or of a key that was pressed twice. */
function inRow() {
  const type = window.event?.type;
  return type === "click" || type === "keydown" ? last.row : 1;
}

/** Whether a click is the second one, on this or on what stood here before: it begins no match, and answers nothing that it has asked. @param {MouseEvent} event */
export const isSecond = (event) => event.detail > 1 || inRow() > 1;

/** The same of a mouse or a finger alone: keys that press one thing after another mean both. @param {MouseEvent} event */
export const isSecondTap = (event) => event.detail > 0 && isSecond(event);

/**
 * Whether a match was asked for, whose camera takes a while to open: until it is refused, asked for again it would begin twice.
 * @param {Room} room
 * @returns {[boolean, () => void]}
 */
export function useAsked(room) {
  const [asked, setAsked] = useState(false);
  useEffect(() => {
    if (room.refused || room.line !== "open") setAsked(false);
  }, [room.refused, room.line]);
  return [asked, () => setAsked(room.line === "open")];
}

/** When it happened on this device what is done now: a page that is busy hears later of a touch. */
const happened_ms = () => window.event?.timeStamp ?? performance.now();

/**
 * Whether something may be done on this device: on a phone for its own seat, at the host's page for every person.
 * @param {Whole} whole
 * @param {Choice} choice
 * @param {number | null} seat  null for all seats
 */
function isMine(whole, choice, seat) {
  if (!choice.is_said) return false; // before a camera it is done on the table
  if (choice.player === null) return true;
  return seat === null ? !whole.players[choice.player]?.is_bot : choice.player === seat;
}

/**
 * @typedef {{whole: Whole, choosing: Choosing, plain: string, mine: Choice[], told: string, tell: (text: string) => void,
 *   choose: (choice: Choice) => void, speakUp: (what: string, more?: Record<string, unknown>) => void,
 *   seat: number | null, drop: (what: {die: number, title?: string, row?: number, col?: number}) => void}} Desk
 */

/**
 * @param {Whole} whole
 * @param {Room} room
 * @param {Line} line
 * @param {number | null} seat
 * @param {string} plain
 * @returns {Desk}
 */
export function useDesk(whole, room, line, seat, plain) {
  const [told, setTold] = useState("");
  const mine = whole.choices.filter((choice) => isMine(whole, choice, seat));
  const speakUp = (/** @type {string} */ what, /** @type {Record<string, unknown>} */ more = {}) => {
    if (STEPS.includes(what) && (REPEATED.includes(what) ? inRow() === 2 : inRow() > 1)) return;
    line.send({ type: "say", what, t_ms: happened_ms(), ...more });
  };
  /** @param {Choice} choice @param {Record<string, unknown>} values */
  function make(choice, values) {
    const called = choice.is_said ? CALLED[choice.event] : undefined;
    if (called && choice.player !== null) return speakUp(called, { player: choice.player });
    return line.send({ type: "move", version: line.get().version, choice: choice.id, values });
  }
  const choosing = useChoosing(whole, mine, make);
  // where nobody calls, who says SET first takes first: others see it at once, whichever way the choice was begun
  const begun = choosing.draft?.choice;
  const says = !whole.is_camera && whole.players.length > 1 && begun && FIRST.includes(begun.event) && !whole.players.some(({ has_called }) => has_called);
  useEffect(() => void (says && speakUp("set", { player: begun.player })), [says && begun.id]);
  const latest = useRef(choosing);
  // at once, not after the next picture: a quick drop would still find nothing in the hand
  useLayoutEffect(() => {
    latest.current = choosing;
  });
  return {
    whole,
    choosing,
    plain,
    seat,
    mine,
    told,
    tell: setTold,
    choose(choice) {
      if (choice.needs.length) choosing.begin(choice);
      else if (inRow() === 1) make(choice, {});
    },
    speakUp,
    drop: ({ die, title, row, col }) => {
      if (title === undefined) latest.current.putBack();
      else if (row !== undefined && col !== undefined) latest.current.lay(title, row, col, die);
    },
  };
}

/**
 * Keys of the table: a player's letter does what comes first for that player, such as a call; the others are those that the buttons show.
 * @param {Desk} desk
 * @param {{undo: () => void, hint: () => void, dispute: () => void, full: () => void}} tools
 * @param {number | null} seat
 */
export function useKeys(desk, tools, seat) {
  useEffect(() => {
    /** @param {KeyboardEvent} event */
    function press(event) {
      const target = event.target;
      if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || !isHeard(event.key)) return;
      if (target instanceof HTMLSelectElement || document.querySelector("dialog[open]")) return;
      if (event.key === "Escape") return desk.choosing.cancel();
      if (target instanceof HTMLInputElement) return;
      const { whole, choosing, speakUp } = desk;
      // Caps Lock must not make an undo of a call: whether it is a capital is for Shift alone to say
      const key = event.key.length > 1 ? event.key : event.shiftKey ? event.key.toUpperCase() : event.key.toLowerCase();
      const number = Number(key);
      const player = whole.players.findIndex((one) => one.key === key && !one.is_bot);
      // nor may the key that has called give up: whoever is eager presses it twice
      const call = player < 0 ? undefined : desk.mine.find((choice) => choice.player === player && choice.event !== "give_up");
      if (key === "Enter" && choosing.isReady && (isPointing || !(target instanceof Element && target.matches("button, summary, a")))) {
        event.preventDefault();
        return choosing.confirm();
      }
      if (/^\d$/.test(key)) {
        if (whole.question) return speakUp("answer", { number, asked: whole.question.id });
        if (choosing.need?.form === "value" && choosing.need.values.includes(number)) return choosing.give(number);
      }
      if (player >= 0 && (seat === null || seat === player)) {
        if (call) return desk.choose(call);
        if (whole.is_camera) return speakUp("set", { player });
      }
      if (whole.differ && key === "t") return speakUp("table", { asked: whole.differ_id });
      if (whole.differ && key === "g") return speakUp("game", { asked: whole.differ_id });
      if (key === "U") return tools.undo();
      if (key === "H") return tools.hint();
      if (key === "D") return tools.dispute();
      if (key === "F") return tools.full();
      if (key === "N") return speakUp("next");
      return undefined;
    }
    window.addEventListener("keydown", press);
    return () => window.removeEventListener("keydown", press);
  });
}

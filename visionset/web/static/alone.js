/** Without a match: the puzzle of the day, the same for everybody, and dice for people who keep their sheets on paper. */
import { useEffect, useState } from "./vendor/hooks.js";
import { html } from "./html.js";
import { Explanation } from "./log.js";
import { Rows } from "./parts.js";
import { Drawn } from "./piece.js";
import { say } from "./words.js";

/** @typedef {import("./types.js").Piece} Piece */
/** @typedef {{date: string, sets: number, cards: Piece[]}} Puzzle */
/** @typedef {{is_set: boolean, explain: import("./types.js").Explained[]}} Answer  each has its number on the page: the same words are said again */
/** @typedef {{plain: string, onBack: () => void}} Alone */

const SET_DIE = "set-die";

/** Dice of a box of SET dice, all of which Scramble SET rolls at once. */
const ALL_DICE = 42;

/** @param {string} address */
async function asked(address) {
  const answer = await fetch(address).catch(() => null);
  return answer?.ok ? await answer.json() : null;
}

/** Twelve cards and six SETs to be found. @param {Alone} props */
export function PuzzlePage({ plain, onBack }) {
  const [puzzle, setPuzzle] = useState(/** @type {Puzzle | null} */ (null));
  const [picked, setPicked] = useState(/** @type {number[]} */ ([]));
  const [found, setFound] = useState(/** @type {string[]} */ ([]));
  const [answer, setAnswer] = useState(/** @type {(Answer & {pieces: Piece[], again: boolean, n: number}) | null} */ (null));
  useEffect(() => void asked("/puzzle").then(setPuzzle), []);
  if (puzzle === null) return html`<p role="status">${say("page.line.opening")}</p>`;
  /** @param {number} place */
  async function pick(place) {
    const now = picked.includes(place) ? picked.filter((one) => one !== place) : [...picked, place];
    setPicked(now);
    if (now.length < 3 || puzzle === null) return;
    const three = [...now].sort((one, other) => one - other).join(",");
    const told = /** @type {Answer | null} */ (await asked(`/puzzle/check?date=${puzzle.date}&at=${three}`));
    setPicked([]);
    if (told === null) return;
    setAnswer({ ...told, pieces: now.map((one) => puzzle.cards[one]), again: found.includes(three), n: (answer?.n ?? 0) + 1 });
    if (told.is_set && !found.includes(three)) setFound([...found, three]);
  }
  const done = found.length === puzzle.sets;
  const day = new Date(`${puzzle.date}T00:00`).toLocaleDateString(document.documentElement.lang, { dateStyle: "long" });
  const words = answer && (answer.again ? "page.puzzle.again" : answer.is_set ? "page.puzzle.right" : "page.puzzle.wrong");
  return html`<section class="alone" aria-label=${say("page.puzzle.title")}>
    <h2>${say("page.puzzle.title")}, ${day}</h2>
    <p class="prompt" role="status">${done ? say("page.puzzle.done") : say("page.puzzle.found", { found: found.length, count: puzzle.sets })}${answer && words && html`<span key=${answer.n}> – ${say(words)}</span>`}</p>
    <div class="table"><${Rows} title=${say("page.puzzle.task", { count: puzzle.sets })} pieces=${puzzle.cards} plain=${plain} live onPick=${pick}
      isPicked=${(/** @type {number} */ place) => picked.includes(place)} isMarked=${() => false} /></div>
    ${answer && words && html`<div class="answer"><p><b>${say(words)}</b></p>
      <${Explanation} pieces=${answer.pieces} lines=${answer.explain} plain=${plain} /></div>`}
    <button type="button" onClick=${onBack}>${say("page.start.back")}</button>
  </section>`;
}

/** @typedef {{at: number[], explain: import("./types.js").Explained[]}} LaidSet */

/** SETs that were taken, laid out for all to check, each with why it is one. @param {{dice: Piece[], laid: LaidSet[], plain: string}} props */
function LaidOut({ dice, laid, plain }) {
  return html`<section class="laid-out" aria-label=${say("page.dice.laid")}>
    <h3>${say("page.dice.laid_count", { count: laid.length })}</h3>
    <ol>${laid.map(({ at, explain }) => html`<li key=${at.join()}>
      <span class="row">${at.map((place) => html`<${Drawn} key=${place} piece=${dice[place]} plain=${plain} />`)}</span>
      ${explain.length > 0
        ? html`<details><summary>${say("page.log.why")}</summary><${Explanation} pieces=${at.map((place) => dice[place])} lines=${explain} plain=${plain} /></details>`
        : html`<p>${say("page.dice.wild")}</p>`}</li>`)}</ol>
  </section>`;
}

/** SET dice that lie there: three that are clicked are checked, and laid out where they are a SET. @param {{dice: Piece[], plain: string}} props */
function Checking({ dice, plain }) {
  const [picked, setPicked] = useState(/** @type {number[]} */ ([]));
  const [laid, setLaid] = useState(/** @type {LaidSet[]} */ ([]));
  const [answer, setAnswer] = useState(/** @type {(Answer & {pieces: Piece[], n: number}) | null} */ (null));
  const [isDone, setDone] = useState(false);
  const gone = new Set(laid.flatMap(({ at }) => at));
  const left = dice.map((_, place) => place).filter((place) => !gone.has(place));
  const named = (/** @type {number[]} */ places) => encodeURIComponent(places.map((place) => dice[place].code).join());
  /** @param {number} place */
  async function pick(place) {
    const now = picked.includes(place) ? picked.filter((one) => one !== place) : [...picked, place];
    setPicked(now);
    if (now.length < 3) return;
    const told = /** @type {Answer | null} */ (await asked(`/roll/check?dice=${named(now)}`));
    setPicked([]);
    if (told === null) return;
    setAnswer({ ...told, pieces: now.map((one) => dice[one]), n: (answer?.n ?? 0) + 1 });
    if (told.is_set) setLaid([...laid, { at: now, explain: told.explain }]);
  }
  async function layOut() {
    const told = /** @type {{sets: LaidSet[]} | null} */ (await asked(`/roll/sets?dice=${named(left)}`));
    if (told) setLaid([...laid, ...told.sets.map(({ at, explain }) => ({ at: at.map((place) => left[place]), explain }))]);
    setAnswer(null);
    setDone(told !== null);
  }
  return html`
    ${left.length > 0 && html`<div class="table"><${Rows} title=${say("page.dice.left", { count: left.length })} pieces=${dice.map((die, place) => (gone.has(place) ? null : die))} plain=${plain} live
      onPick=${pick} isPicked=${(/** @type {number} */ place) => picked.includes(place)} isMarked=${() => false} /></div>`}
    <div role="status">${answer && html`<div class="answer" key=${answer.n}><p><b>${say(answer.is_set ? "page.puzzle.right" : "page.puzzle.wrong")}</b></p>
      ${!answer.is_set && html`<${Explanation} pieces=${answer.pieces} lines=${answer.explain} plain=${plain} />`}</div>`}</div>
    ${!isDone && html`<button type="button" onClick=${layOut}>${say("page.dice.lay_out")}</button>`}
    ${laid.length > 0 && html`<${LaidOut} dice=${dice} laid=${laid} plain=${plain} />`}`;
}

/** Dice alone. @param {Alone} props */
export function DicePage({ plain, onBack }) {
  const [kind, setKind] = useState("pip-die");
  const [count, setCount] = useState("2"); // as it is typed, 1e1 for ten too: a field that is empty for a moment stays so
  const [rolled, setRolled] = useState(/** @type {{dice: Piece[], to_beat: number | null, n: number} | null} */ (null));
  const roll = async (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const told = await asked(`/roll?kind=${kind}&count=${Number(count)}`);
    if (told) setRolled({ ...told, n: (rolled?.n ?? 0) + 1 });
  };
  const choose = (/** @type {any} */ event) => {
    setKind(event.currentTarget.value);
    setCount(event.currentTarget.value === SET_DIE ? String(ALL_DICE) : "2");
    setRolled(null);
  };
  return html`<section class="alone" aria-label=${say("page.dice.title")}>
    <h2>${say("page.dice.title")}</h2>
    <form class="acts" onSubmit=${roll}>
      <label>${say("page.dice.kind")} <select value=${kind} onChange=${choose}>
        <option value="pip-die">${say("page.dice.pips")}</option><option value=${SET_DIE}>${say("page.dice.symbols")}</option></select></label>
      <label>${say("page.dice.count")} <input type="number" min="1" max=${ALL_DICE} required value=${count}
        onInput=${(/** @type {any} */ event) => setCount(event.currentTarget.value)} /></label>
      <button class="primary">${say("page.dice.roll")}</button>
    </form>
    <p class="prompt" role="status">${rolled && kind !== SET_DIE && html`<span key=${rolled.n}>${rolled.dice.map(({ said }) => said).join(", ")}</span>`}</p>
    ${kind === SET_DIE && html`<p>${say("page.dice.check")}</p>`}
    ${rolled && kind === SET_DIE && html`<${Checking} key=${rolled.n} dice=${rolled.dice} plain=${plain} />`}
    ${rolled && kind !== SET_DIE && html`<div class="table" key=${rolled.n}><${Rows} title=${say("page.table.pieces", { count: rolled.dice.length })} pieces=${rolled.dice} plain=${plain} live=${false} onPick=${() => {}}
      isPicked=${() => false} isMarked=${() => false} /></div>
      ${rolled.to_beat !== null && html`<p>${say("page.dice.to_beat", { points: rolled.to_beat })}</p>`}`}
    <button type="button" onClick=${onBack}>${say("page.start.back")}</button>
  </section>`;
}

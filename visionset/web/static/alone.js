/** Without a match: the puzzle of the day, the same for everybody, and dice for people who keep their sheets on paper. */
import { useEffect, useState } from "./vendor/hooks.js";
import { html } from "./html.js";
import { Explanation } from "./log.js";
import { Rows } from "./parts.js";
import { say } from "./words.js";

/** @typedef {import("./types.js").Piece} Piece */
/** @typedef {{date: string, sets: number, cards: Piece[]}} Puzzle */
/** @typedef {{is_set: boolean, explain: import("./types.js").Explained[]}} Answer */
/** @typedef {{plain: boolean, onBack: () => void}} Alone */

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
  const [answer, setAnswer] = useState(/** @type {(Answer & {pieces: Piece[], again: boolean}) | null} */ (null));
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
    setAnswer({ ...told, pieces: now.map((one) => puzzle.cards[one]), again: found.includes(three) });
    if (told.is_set && !found.includes(three)) setFound([...found, three]);
  }
  const done = found.length === puzzle.sets;
  const words = answer && (answer.again ? "page.puzzle.again" : answer.is_set ? "page.puzzle.right" : "page.puzzle.wrong");
  return html`<section class="alone" aria-label=${say("page.puzzle.title")}>
    <h2>${say("page.puzzle.title")}, ${puzzle.date}</h2>
    <p class="prompt" role="status">${done ? say("page.puzzle.done") : say("page.puzzle.found", { found: found.length, count: puzzle.sets })}</p>
    <div class="table"><${Rows} title=${say("page.puzzle.task", { count: puzzle.sets })} pieces=${puzzle.cards} plain=${plain} live onPick=${pick}
      isPicked=${(/** @type {number} */ place) => picked.includes(place)} isMarked=${() => false} /></div>
    ${answer && words && html`<div class="answer" role="status"><p><b>${say(words)}</b></p>
      <${Explanation} pieces=${answer.pieces} lines=${answer.explain} plain=${plain} /></div>`}
    <button type="button" onClick=${onBack}>${say("page.start.back")}</button>
  </section>`;
}

/** Dice alone. @param {Alone} props */
export function DicePage({ plain, onBack }) {
  const [kind, setKind] = useState("pip-die");
  const [count, setCount] = useState(2);
  const [rolled, setRolled] = useState(/** @type {{dice: Piece[], to_beat: number | null, n: number} | null} */ (null));
  const roll = async () => {
    const told = await asked(`/roll?kind=${kind}&count=${count}`);
    if (told) setRolled({ ...told, n: (rolled?.n ?? 0) + 1 });
  };
  const choose = (/** @type {any} */ event) => {
    setKind(event.currentTarget.value);
    setRolled(null);
  };
  return html`<section class="alone" aria-label=${say("page.dice.title")}>
    <h2>${say("page.dice.title")}</h2>
    <div class="acts">
      <label>${say("page.dice.kind")} <select value=${kind} onChange=${choose}>
        <option value="pip-die">${say("page.dice.pips")}</option><option value="set-die">${say("page.dice.symbols")}</option></select></label>
      <label>${say("page.dice.count")} <input type="number" min="1" max="42" value=${count}
        onInput=${(/** @type {any} */ event) => setCount(Number(event.currentTarget.value) || 1)} /></label>
      <button type="button" class="primary" onClick=${roll}>${say("page.dice.roll")}</button>
    </div>
    <p class="prompt" role="status">${rolled ? rolled.dice.map(({ said }) => said).join(", ") : ""}</p>
    ${rolled && html`<div class="table" key=${rolled.n}><${Rows} title=${say("page.table.pieces", { count: rolled.dice.length })} pieces=${rolled.dice} plain=${plain} live=${false} onPick=${() => {}}
      isPicked=${() => false} isMarked=${() => false} /></div>
      ${rolled.to_beat !== null && html`<p>${say("page.dice.to_beat", { points: rolled.to_beat })}</p>`}`}
    <button type="button" onClick=${onBack}>${say("page.start.back")}</button>
  </section>`;
}

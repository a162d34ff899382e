/** What a film of the table shows in front of it: scores, the most pressing prompt, and the last take, before one plain colour. */
import { render } from "./vendor/preact.js";
import { html } from "./html.js";
import { Drawn } from "./piece.js";
import { Standings } from "./standings.js";
import { loadWords, say, setApart } from "./words.js";

/** @typedef {import("./types.js").Whole} Whole */
/** @typedef {import("./types.js").LogEntry} LogEntry */

/** What is wished in the address: `background` as a colour of CSS or six digits, `standings=1`, `plain` as of pieces, `language`, else this browser's. */
const query = new URLSearchParams(location.search);

/** What an address wants, as the server is asked for a piece. @param {string} wanted */
function plainly(wanted) {
  return /^(inks|letters|patterns|letters-patterns)$/.test(wanted) ? wanted : wanted === "1" ? "letters-patterns" : "";
}

const plain = plainly(query.get("plain") ?? "");

/** @param {string} wished */
function paint(wished) {
  const color = /^[0-9a-f]{6}$/i.test(wished) ? `#${wished}` : wished;
  if (CSS.supports("color", color)) document.body.style.backgroundColor = color;
}

/** The last move by three pieces, or by any where none was. @param {LogEntry[]} log */
function lastTake(log) {
  const moves = [...log].reverse().filter(({ pieces }) => pieces.length > 0);
  return moves.find(({ explain }) => explain !== null) ?? moves[0];
}

/** @param {{take: LogEntry}} props */
function Take({ take }) {
  const shown = take.pictures.length === take.pieces.length;
  return html`<div class="plate take">
    <div class="pieces">${take.pieces.map((piece, at) =>
      shown
        ? html`<img key=${at} class=${`drawn ${piece.kind}`} src=${`/exhibit/${encodeURIComponent(take.pictures[at] ?? "")}.jpg`} alt=${piece.said} />`
        : html`<${Drawn} key=${at} piece=${piece} plain=${plain} />`)}</div>
    <p>${take.notice || take.text}</p>
  </div>`;
}

/** @param {{whole: Whole}} props */
function Overlay({ whole }) {
  const prompt = whole.over?.text || whole.differ || whole.question?.text || addressed(whole.prompts[0]) || "";
  const take = lastTake(whole.log);
  return html`<main>
    <h1 class=${prompt ? "plate prompt" : "unseen"}>${prompt || whole.game?.title || "visionset"}</h1>
    <div class="middle">
      ${take ? html`<${Take} take=${take} />` : html`<span></span>`}
      ${query.get("standings") === "1" && whole.standings.length > 0 && html`<${Standings} standings=${whole.standings} caption=${say("page.over.standings")} kind="plate" />`}
    </div>
    <ul class="scores">${whole.players.map((player) => html`<li key=${player.name} class=${`plate ${player.is_due ? "is-due" : ""}`}>
      <span>${player.name}</span><b>${player.score}</b></li>`)}</ul>
  </main>`;
}

/** @type {Whole | null} */
let whole = null;

/** A prompt with whom it is for. @param {import("./types.js").Prompt | undefined} prompt */
function addressed(prompt) {
  return prompt && `${prompt.to}: ${prompt.text}`;
}

function draw() {
  const place = document.getElementById("overlay");
  if (place && whole) render(html`<${Overlay} whole=${setApart(whole)} />`, place);
}

paint(query.get("background") ?? "00ff00");
const language = query.get("language") ?? document.documentElement.lang;
await loadWords(language);
const events = new EventSource(`/events?language=${encodeURIComponent(language)}`); // it comes back by itself, and is then told the whole state again
events.addEventListener("state", (event) => {
  whole = JSON.parse(event.data).whole;
  draw();
});
events.addEventListener("change", (event) => {
  const { set, gone } = JSON.parse(event.data);
  const kept = Object.entries({ ...whole, ...set }).filter(([key]) => !gone.includes(key));
  whole = /** @type {Whole} */ (Object.fromEntries(kept));
  draw();
});

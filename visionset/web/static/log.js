/** What happened so far, the newest first, each take with its pieces and with why it counts or not. */
import { useRef } from "./vendor/hooks.js";
import { html } from "./html.js";
import { Drawn } from "./piece.js";
import { say } from "./words.js";

/** @typedef {import("./desk.js").Desk} Desk */
/** @typedef {import("./types.js").LogEntry} LogEntry */

/**
 * Three pieces attribute by attribute, and the same in words.
 * @param {{pieces: import("./types.js").Piece[], lines: import("./types.js").Explained[], plain: string}} props
 */
export function Explanation({ pieces, lines, plain }) {
  return html`
    <table class="explain">
      <thead><tr><th scope="col">${say("page.log.attribute")}</th>
        ${pieces.map((piece, at) => html`<th key=${at} scope="col"><${Drawn} piece=${piece} plain=${plain} /></th>`)}</tr></thead>
      <tbody>
        ${lines.map((line) => html`<tr key=${line.attribute} class=${line.is_right ? "is-right" : "is-wrong"}>
          <th scope="row">${line.attribute}</th>${line.values.map((value, at) => html`<td key=${at}>${value}</td>`)}
        </tr>`)}
      </tbody>
    </table>
    <ul class="reasons">
      ${lines.map((line) => html`<li key=${line.attribute} class=${line.is_right ? "is-right" : "is-wrong"}>
        <span aria-hidden="true">${line.is_right ? "✓" : "✗"}</span> ${line.words}</li>`)}
    </ul>`;
}

/** @param {{entry: LogEntry, plain: string}} props */
function Explained({ entry, plain }) {
  if (entry.explain === null) return null;
  return html`<details>
    <summary>${say("page.log.why")}</summary>
    ${entry.pictures.length > 0 && html`<div class="row">${entry.pictures.map((id, at) => html`<img key=${id} class="crop"
      src=${`/exhibit/${encodeURIComponent(id)}.jpg`} alt=${say("page.ask.crop", { number: at + 1 })} />`)}</div>`}
    <${Explanation} pieces=${entry.pieces} lines=${entry.explain} plain=${plain} />
  </details>`;
}

/** More pieces at once are a whole board, which is laid anew with each die. */
const MOST_TOLD = 3;

/** @typedef {{seen: number, n: number, text: string}} News  the newest entry, and the newest one whose pieces are told, with these words */

/**
 * What was rolled, drawn, laid or taken since the page was opened, in words: those who do not see it are told of no piece elsewhere.
 * @param {LogEntry[]} log
 * @param {(entry: LogEntry) => boolean} isOpen  whether those at this page may know its pieces
 */
export function useNews(log, isOpen = () => true) {
  const seen = log.at(-1)?.n ?? -1;
  const news = useRef(/** @type {News} */ ({ seen, n: seen, text: "" }));
  const before = news.current;
  if (seen < before.seen) news.current = { seen, n: seen, text: "" }; // taken back: what lies before that is no news
  if (seen > before.seen) {
    const fresh = log.filter((entry) => entry.n > before.seen && entry.pieces.length > 0 && entry.pieces.length <= MOST_TOLD && isOpen(entry));
    const text = fresh.map((entry) => `${entry.text}: ${entry.pieces.map(({ said }) => said).join(", ")}`).join(". ");
    news.current = text ? { seen, n: seen, text } : { ...before, seen };
  }
  return news.current;
}

/** The news for those who do not see the page: each is read once, also one of the same words. @param {{news: News}} props */
export function NewsInWords({ news }) {
  return html`<p class="unseen" role="status">${news.text && html`<span key=${news.n}>${news.text}</span>`}</p>`;
}

/** @param {{desk: Desk}} props */
export function Log({ desk }) {
  const entries = [...desk.whole.log].reverse();
  return html`<section class="log" aria-label=${say("page.log.title")}>
    <h2>${say("page.log.title")}</h2>
    ${entries.length === 0 && html`<p>${say("page.log.nothing")}</p>`}
    <ol reversed>
      ${entries.map((entry) => html`<li key=${entry.n}>
        <div class="line">
          <span>${entry.text}</span>
          ${entry.pieces.length > 0 && html`<span class="thumbs">${entry.pieces.map((piece, at) => html`<${Drawn} key=${at} piece=${piece} plain=${desk.plain} />`)}</span>`}
        </div>
        <${Explained} entry=${entry} plain=${desk.plain} />
      </li>`)}
    </ol>
  </section>`;
}

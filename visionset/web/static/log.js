/** What happened so far, the newest first, each take with its pieces and with why it counts or not. */
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

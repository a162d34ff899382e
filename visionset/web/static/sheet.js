/** A sheet of values: circles around what is circled, a green button where a row may be, blank boxes for a bonus. */
import { isSecond } from "./desk.js";
import { html } from "./html.js";
import { capital, say } from "./words.js";

/** @typedef {import("./desk.js").Desk} Desk */
/** @typedef {import("./types.js").GridEntry} GridEntry */

const CIRCLED = /\((\d+)\)/g;

/** Values as they are said: of the brackets around those that are circled nothing is read out. @param {string} text */
export const saidValues = (text) => text.replace(CIRCLED, (_, value) => say("page.sheet.circled", { value }));

/** @param {{text: string, isSaid: boolean}} props  whether a button, or its owner's own device, says what else would stand in words */
function Values({ text, isSaid }) {
  return html`${text.split(" ").map((word, at) => {
    const said = saidValues(word);
    if (said !== word) return html`<span key=${at} class="value is-circled"><span aria-hidden="true">${word.slice(1, -1)}</span><span class="unseen">${said}</span></span> `;
    if (/^\d+$/.test(word)) return html`<span key=${at} class="value">${word}</span> `;
    return isSaid ? html`<span key=${at} class="unseen">${word} </span>` : `${word} `;
  })}`;
}

/** @param {{part: import("./types.js").GridPart, desk: Desk}} props */
export function Sheet({ part, desk }) {
  const { whole, choosing } = desk;
  const need = choosing.draft && choosing.need?.form === "value" ? choosing.need : null;
  const asked = need ? choosing.draft?.choice.player : null;

  /** @param {string} first  of the row @param {number} column */
  function buttons(first, column) {
    const player = whole.players.findIndex(({ name }) => name === part.head[column]);
    if (player < 0) return null;
    if (need && asked === player && need.values.includes(Number(first))) {
      return html`<button type="button" class="blank" onClick=${(/** @type {MouseEvent} */ event) => isSecond(event) || choosing.give(Number(first))}>
        <span class="unseen">${need.text} </span>${first}
      </button>`;
    }
    const fitting = desk.mine.filter(
      (choice) => choice.player === player && Object.values(choice.fixed ?? {}).some((value) => String(value) === first),
    );
    return fitting.map((choice) => html`<button type="button" class="good" key=${choice.id} data-choice=${choice.id} aria-pressed=${choosing.draft?.choice.id === choice.id}
      aria-label=${choice.label} onClick=${() => desk.choose(choice)}>${say("page.sheet.circle")}</button>`);
  }

  const own = desk.seat === null ? -1 : part.head.indexOf(whole.players[desk.seat]?.name ?? "");
  /** On a phone one's own column comes first: the others are a scroll away. */
  const columns = [...part.head.keys()].slice(1).sort((one, other) => Number(other === own) - Number(one === own));

  return html`<section class="sheet" aria-label=${part.title}>
    <p class="caption">${capital(part.title)}</p>
    <div class="scroll" tabIndex=${0} role="group" aria-label=${say("page.sheet.all")}>
      <table>
        <thead><tr>${[0, ...columns].map((at) => [at ? part.head[at] : capital(part.head[at]), at]).map(([text, at]) => html`<th key=${at} scope="col" style=${{ "--letters": String(String(text).length) }}>${text || html`<span class="unseen">${say("page.sheet.row")}</span>`}</th>`)}</tr></thead>
        <tbody>
          ${part.rows.map((row, r) => html`<tr key=${r}>
            <th scope="row">${row[0].text}</th>
            ${columns.map((c) => {
              const entry = row[c];
              const there = buttons(row[0].text, c);
              const hasButton = Boolean(Array.isArray(there) ? there.length : there);
              return html`<td key=${c} class=${`stress-${entry.stress}`}>
                <div class="entry"><span class="values"><${Values} text=${entry.text} isSaid=${hasButton || (desk.seat !== null && c !== own)} /></span>${there}</div>
              </td>`;
            })}
          </tr>`)}
        </tbody>
      </table>
    </div>
  </section>`;
}

/**
 * Choices that have their buttons in a sheet, and so need none elsewhere.
 * @param {import("./types.js").Whole} whole
 * @param {import("./types.js").Choice} choice
 */
export function isInSheet(whole, choice) {
  if (choice.player === null) return false;
  const name = whole.players[choice.player]?.name;
  const firsts = Object.values(choice.fixed ?? {}).map(String);
  return whole.view.some(
    (part) => part.part === "grid" && part.head[0] !== "" && part.head.includes(name) && part.rows.some((row) => firsts.includes(row[0].text)),
  );
}

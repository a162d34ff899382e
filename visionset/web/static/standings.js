/** The rounds of an evening added up. */
import { html } from "./html.js";
import { say } from "./words.js";

/** Who won how many, which is left out where all played alone: nobody was beaten then. @param {{standings: import("./types.js").Standing[], caption?: string, kind?: string}} props */
export function Standings({ standings, caption, kind }) {
  const isWon = standings.some(({ won }) => won > 0);
  return html`<table class=${kind}>${caption && html`<caption>${caption}</caption>`}
    <thead><tr><th scope="col">${say("page.over.name")}</th>${isWon && html`<th scope="col">${say("page.over.won_matches")}</th>`}<th scope="col">${say("page.over.points")}</th></tr></thead>
    <tbody>${standings.map((one) => html`<tr key=${one.name}><td>${one.name}</td>${isWon && html`<td>${one.won}</td>`}<td>${one.points}</td></tr>`)}</tbody></table>`;
}

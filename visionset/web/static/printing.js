/** What can be printed: each thing with its options, and a link to its PDF. */
import { useEffect, useState } from "./vendor/hooks.js";
import { html } from "./html.js";
import { say } from "./words.js";

/** @typedef {{name: string, usual: string | number | boolean, choices: string[], least: number, most: number, whole: boolean,
 *   counts_with: [string, string] | null}} Option  one that counts with a value of another alone */
/** @typedef {{name: string, options: Option[]}} Printable */

/** What a choice is called; names of games and papers call themselves. @param {Option} option @param {string} choice @param {{name: string, title: string}[]} games */
function called(option, choice, games) {
  if (option.name === "game" || option.name === "layout") return games.find(({ name }) => name === choice)?.title ?? choice;
  return say(`page.print.choice.${choice}`);
}

/** @param {{option: Option, value: string | number | boolean, setValue: (value: string | number | boolean) => void, games: {name: string, title: string}[], of: string}} props */
function OptionInput({ option, value, setValue, games, of }) {
  const id = `print-${of}-${option.name}`;
  const words = say(`page.print.option.${option.name.replace("-", "_")}`);
  if (option.choices.length) return html`<div class="switch"><label for=${id}>${words}</label>
    <select id=${id} value=${value} onChange=${(/** @type {any} */ event) => setValue(event.currentTarget.value)}>
      ${option.choices.map((choice) => html`<option key=${choice} value=${choice}>${called(option, choice, games)}</option>`)}</select></div>`;
  if (typeof option.usual === "boolean") return html`<label class="switch"><input type="checkbox" role="switch" checked=${value} onChange=${() => setValue(!value)} /> ${words}</label>`;
  return html`<div class="switch"><label for=${id}>${words}</label><input id=${id} type="number" min=${option.least} max=${option.most} step=${option.whole ? 1 : "any"} value=${value}
    onChange=${(/** @type {any} */ event) => setValue(event.currentTarget.validity.valid && event.currentTarget.value ? Number(event.currentTarget.value) : option.usual)} /></div>`;
}

/** @param {{thing: Printable, games: {name: string, title: string}[]}} props */
function PrintForm({ thing, games }) {
  const [chosen, setChosen] = useState(/** @type {Record<string, string | number | boolean>} */ ({}));
  const query = new URLSearchParams({ language: document.documentElement.lang });
  const valueOf = (/** @type {Option} */ { name, usual }) => chosen[name] ?? usual;
  const options = thing.options.filter(({ counts_with }) => thing.options.every((other) => other.name !== counts_with?.[0] || valueOf(other) === counts_with[1]));
  for (const option of options) query.set(option.name, String(Number.isNaN(Number(valueOf(option))) ? valueOf(option) : Number(valueOf(option))));
  const title = say(`page.print.thing.${thing.name}`);
  return html`<details><summary>${title}</summary>
    ${options.map((option) => html`<${OptionInput} key=${option.name} of=${thing.name} option=${option} games=${games} value=${valueOf(option)}
      setValue=${(/** @type {string | number | boolean} */ value) => setChosen({ ...chosen, [option.name]: value })} />`)}
    <a class="pdf-of" href=${`/print/${thing.name}.pdf?${query}`} target="_blank">${say("page.print.open", { thing: title })}</a></details>`;
}

/** @param {{games: {name: string, title: string}[], onBack: () => void}} props */
export function PrintPage({ games, onBack }) {
  const [things, setThings] = useState(/** @type {Printable[]} */ ([]));
  useEffect(() => void fetch("/print").then(async (answer) => answer.ok && setThings(await answer.json())).catch(() => null), []);
  return html`<section class="alone" aria-label=${say("page.print.title")}><h2>${say("page.print.title")}</h2>
    <p>${say("page.print.how")}</p>
    ${things.map((thing) => html`<${PrintForm} key=${thing.name} thing=${thing} games=${games} />`)}
    <button type="button" onClick=${onBack}>${say("page.start.back")}</button></section>`;
}

/** The language of this browser: each at a table may have its own, and keeps it. */
import { html } from "./html.js";
import { keep, recall } from "./wishes.js";
import { say } from "./words.js";

const YEAR_S = 31_536_000;
const IN_DIALOG = "visionset.language";

/** A language in its own words, as "Deutsch". @param {string} code */
const named = (code) => new Intl.DisplayNames([code], { type: "language" }).of(code) ?? code;

/** All that is on the page comes from the server in the language, so that the page is fetched anew. @param {any} event */
function choose(event) {
  document.cookie = `visionset_language=${event.currentTarget.value}; path=/; max-age=${YEAR_S}; samesite=strict`;
  keep(IN_DIALOG, event.currentTarget.closest("dialog") !== null, true);
  location.reload();
}

/** Whether the language was chosen in a dialog just now, which is to be open again; says so once. */
export function wasInDialog() {
  const was = recall(IN_DIALOG, false, true);
  keep(IN_DIALOG, false, true);
  return was;
}

/** @param {{autofocus?: boolean}} props  whether keys go on here, once its dialog is open again */
export function LanguageChoice({ autofocus = false }) {
  const { lang, dataset } = document.documentElement;
  const codes = (dataset.languages ?? lang).split(" ");
  return html`<label class="language"><span>${say("page.wish.language")}</span> <select value=${lang} autofocus=${autofocus} onChange=${choose}>
    ${codes.map((code) => html`<option key=${code} value=${code} lang=${code}>${named(code)}</option>`)}</select></label>`;
}

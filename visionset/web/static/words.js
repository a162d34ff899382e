/** The page's own words: one file a language, made by the server from its catalogue. */

const MISSING = "…";

/** Until words are asked for again where nobody answered. */
const AGAIN_MS = 500;

/** @type {Record<string, string>} */
let templates = {};
let plurals = new Intl.PluralRules("en");

/**
 * Load the words of a language; those that are there stay when it cannot be had. While the line is gone they are waited for: without
 * them no button says what it does.
 * @param {string} language
 * @returns {Promise<void>}
 */
export async function loadWords(language) {
  const answer = await fetch(`/static/words.${encodeURIComponent(language)}.json`).catch(() => null);
  if (answer && !answer.ok) return undefined;
  const words = await answer?.json().catch(() => null); // the line may break amid them
  if (!words) {
    await new Promise((done) => setTimeout(done, AGAIN_MS));
    return loadWords(language);
  }
  templates = words;
  plurals = new Intl.PluralRules(language);
  document.documentElement.lang = language;
  return undefined;
}

/** A name without what nobody sees: marks that turn the direction of writing, and spaces, come along with copied names. @param {string} text */
export function asName(text) {
  return text.replace(/[\p{Cc}\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu, "").replace(/\s+/gu, " ").trim();
}

/** Letters that are written from right to left: Hebrew, Arabic and what is akin to them. */
const FROM_RIGHT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/**
 * What is said of people, with each name that is written from right to left set apart: it would take along the number behind it, and turn its sign.
 * @param {import("./types.js").Whole} whole
 * @returns {import("./types.js").Whole}
 */
export function setApart(whole) {
  const names = whole.players.map(({ name }) => name).filter((name) => FROM_RIGHT.test(name));
  if (names.length === 0) return whole;
  const apart = (/** @type {string} */ text) => names.reduce((told, name) => told.replaceAll(name, `\u2068${name}\u2069`), text);
  const prompts = whole.prompts.map((prompt) => ({ ...prompt, to: apart(prompt.to), text: apart(prompt.text) }));
  const log = whole.log.map((entry) => ({ ...entry, text: apart(entry.text), notice: apart(entry.notice) }));
  const hints = whole.hints && { ...whole.hints, text: apart(whole.hints.text) };
  return { ...whole, prompts, log, hints, notice: apart(whole.notice), over: whole.over && { ...whole.over, text: apart(whole.over.text) } };
}

/** Words that stand alone, where the game says them within a line. @param {string} text */
export function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/**
 * Say something of the page: `{name}` stands for an argument, `{count:card|cards}` for the form that fits it.
 * @param {string} code  such as "page.start.begin"
 * @param {Record<string, string | number>} [args]
 * @returns {string}
 */
export function say(code, args = {}) {
  const template = templates[code];
  if (template === undefined) return MISSING;
  return template.replace(/\{(\w+)(?::([^}]*))?\}/g, (_, name, spec) => {
    const value = args[name];
    if (!spec || typeof value !== "number") return String(value ?? "");
    const [one, more] = spec.split("|");
    return plurals.select(value) === "one" ? one : (more ?? one);
  });
}

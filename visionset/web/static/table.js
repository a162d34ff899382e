/** The table: what lies there, what to do now, who plays, and what happened. */
import { useEffect, useRef } from "./vendor/hooks.js";
import { Asks, Exhibits, Filling, PhoneAsks, Questions, RoundOver, WishInWords } from "./asking.js";
import { useDesk, useKeys } from "./desk.js";
import { html } from "./html.js";
import { byOwner, isSheet, partKey, shownParts } from "./laying.js";
import { Log, NewsInWords, useNews } from "./log.js";
import { PartView } from "./parts.js";
import { Picture, Remarks } from "./picture.js";
import { ChoiceButton, Players, sharedChoices } from "./players.js";
import { RoundClock } from "./round_clock.js";
import { saidValues } from "./sheet.js";
import { canSpeak, speak } from "./speech.js";
import { PhoneSquares } from "./squares.js";
import { plainly } from "./wishes.js";
import { say } from "./words.js";

/** @typedef {import("./types.js").Whole} Whole */
/** @typedef {import("./desk.js").Desk} Desk */
/** @typedef {import("./room.js").Room} Room */
/** @typedef {import("./room.js").Line} Line */
/** @typedef {import("./wishes.js").Wishes} Wishes */

/**
 * A prompt; without a camera whoever is to take pieces of the table touches them.
 * @param {Whole} whole
 * @param {import("./types.js").Prompt} prompt
 */
export function promptText(whole, { players, text }) {
  const takes = whole.choices.find(({ player, needs }) => player !== null && players.join() === String(player) && needs[0]?.form === "list" && needs[0].count);
  if (whole.is_camera || !takes || !whole.view.some(({ part }) => part === "spread")) return text;
  return `${text}: ${say("page.table.touch", { count: takes.needs[0].count ?? 0 })}`;
}

/**
 * Prompts in words, those who have the same to do together: in Crossword SET that is everybody.
 * @param {Whole} whole
 * @param {import("./types.js").Prompt[]} prompts
 */
function promptWords(whole, prompts) {
  const texts = prompts.map((prompt) => promptText(whole, prompt));
  return [...new Set(texts)].map((text) => `${prompts.filter((_, at) => texts[at] === text).map(({ to }) => to).join(", ")}: ${text}`);
}

/**
 * Read prompts aloud as they change, where somebody wants that, and news once before them.
 * @param {string} text
 * @param {boolean} aloud
 * @param {import("./log.js").News} [news]
 */
export function useAloud(text, aloud, news) {
  const read = useRef(news?.n);
  useEffect(() => {
    if (aloud) speak([read.current === news?.n ? "" : news?.text, text].filter(Boolean).join(". "));
    read.current = news?.n;
  }, [text, aloud, news?.n]);
}

/** The most pressing prompt in large type, the others below it, and the hint, for which there is room: nothing moves. @param {{whole: Whole}} props */
function Prompts({ whole }) {
  const [first, ...others] = whole.prompts;
  return html`<div class="prompts" role="status">
    ${first && html`<p class="prompt"><strong>${first.to}</strong> ${promptText(whole, first)}</p>`}
    ${others.length > 0 && html`<p class="more">${promptWords(whole, others).join(" · ")}</p>`}
    ${whole.notice && html`<p class="notice">${whole.notice}</p>`}
    ${whole.hints && html`<p class="hint">${whole.hints.text}</p>`}
  </div>`;
}

/** What was refused and why; it goes with the next thing that is done. @param {{room: Room, line: Line}} props */
export function Refusal({ room, line }) {
  return html`<div class="refusals" role="alert">
    ${room.refused && html`<p class="refused" key=${room.refused.count}>${room.refused.text}
      <button type="button" class="small" onClick=${line.forgive}>${say("page.table.understood")}</button></p>`}
  </div>`;
}

/** The table in words, row by row. @param {Whole} whole */
function tableInWords(whole) {
  const lines = whole.view.flatMap((part) => {
    if (part.part === "hand") return [`${part.player}: ${part.pieces.map(({ said }) => said).join(", ")}`];
    if (part.part === "grid") return part.rows.map((row) => row.map((entry) => entry.piece?.said ?? saidValues(entry.text.replace("·", ""))).filter(Boolean).join(", "));
    const rows = [];
    for (let at = 0; at < part.pieces.length; at += part.columns) rows.push(part.pieces.slice(at, at + part.columns));
    return rows.map((row, at) => `${say("page.table.row", { number: at + 1 })}: ${row.map((piece) => piece?.said ?? say("page.table.empty")).join(", ")}`);
  });
  return lines.join(". ");
}

/** Buttons for what holds at every table. @param {{desk: Desk, tools: Tools, wishes: Wishes, setWishes: (wishes: Wishes) => void}} props */
function ToolBar({ desk, tools, wishes, setWishes }) {
  const { whole } = desk;
  const shows = /** @type {const} */ (["both", "picture", "drawn"]);
  return html`<div class="tools" role="group" aria-label=${say("page.tools.title")}>
    <button type="button" class="small" aria-keyshortcuts="Shift+U" onClick=${tools.undo}>${say("page.tools.undo")}<kbd aria-hidden="true">⇧U</kbd></button>
    <button type="button" class="small" aria-keyshortcuts="Shift+H" onClick=${tools.hint}>${say("page.tools.hint")}<kbd aria-hidden="true">⇧H</kbd></button>
    ${whole.is_camera && html`<button type="button" class="small" aria-keyshortcuts="Shift+D" onClick=${tools.dispute}>${say("page.tools.dispute")}<kbd aria-hidden="true">⇧D</kbd></button>`}
    <button type="button" class="small" aria-keyshortcuts="Shift+N" disabled=${!whole.is_camera && !whole.is_hurried} onClick=${() => desk.speakUp("next")}>${say("page.tools.next")}<kbd aria-hidden="true">⇧N</kbd></button>
    ${canSpeak() ? html`<button type="button" class="small" onClick=${() => speak(tableInWords(whole))}>${say("page.tools.read")}</button>` : null}
    <button type="button" class="small" aria-keyshortcuts="Shift+F" onClick=${tools.full}>${say("page.tools.full")}<kbd aria-hidden="true">⇧F</kbd></button>
    ${whole.camera && html`<label>${say("page.tools.show")} <select value=${wishes.show}
      onChange=${(/** @type {any} */ event) => setWishes({ ...wishes, show: event.currentTarget.value })}>
      ${shows.map((one) => html`<option key=${one} value=${one}>${say(`page.show.${one}`)}</option>`)}</select></label>`}
  </div>`;
}

/** @typedef {{undo: () => void, hint: () => void, dispute: () => void, full: () => void}} Tools */

/** @param {{whole: Whole, room: Room, line: Line, wishes: Wishes, setWishes: (wishes: Wishes) => void}} props */
export function TablePage({ whole, room, line, wishes, setWishes }) {
  const desk = useDesk(whole, room, line, room.welcome?.is_host ? null : (room.welcome?.player ?? null), plainly(wishes));
  const tools = {
    undo: () => desk.speakUp("undo"),
    hint: () => desk.speakUp("hint"),
    dispute: () => void (whole.is_camera && desk.speakUp("dispute")),
    full: () => void (document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen()),
  };
  useKeys(desk, tools, null);
  const news = useNews(whole.log);
  useAloud([...promptWords(whole, whole.prompts), whole.notice].join(". "), wishes.aloud, news);
  const shown = shownParts(whole, desk.mine);
  const isAlone = room.welcome?.player != null || whole.players.filter(({ is_bot }) => !is_bot).length === 1; // else a button says whose it is
  const camera = whole.camera;
  const drawn = camera === null || wishes.show !== "picture";
  const parts = drawn ? shown : shown.filter(isSheet); // what is circled there has its buttons nowhere else
  const filmed = camera !== null && wishes.show !== "drawn";
  const view = (/** @type {import("./types.js").Part} */ one) => html`<${PartView} key=${partKey(whole, one, parts.indexOf(one))} part=${one} desk=${desk} />`;
  return html`<main class="table-page">
    <h1 class="unseen">${whole.game?.title}</h1>
    <${NewsInWords} news=${news} />
    <${WishInWords} desk=${desk} />
    <${Prompts} whole=${whole} />
    <div class="stage">
      <div class=${`table ${filmed && parts.length ? "is-both" : ""}`}>
        ${filmed && html`<${Picture} camera=${camera} line=${line} tell=${desk.tell} zones=${room.welcome?.is_host ? whole.zones : null} />`}
        ${(drawn || parts.length > 0) && html`<div class=${`parts ${parts.every((one) => one.part === "hand") ? "has-hands-alone" : ""}`}>
          ${byOwner(parts).map((some) => (some.length > 1 ? html`<div class="owned" key=${`owned-${partKey(whole, some[0], 0)}`}>${some.map(view)}</div>` : view(some[0])))}
        </div>`}
      </div>
      <${Asks}>
        <${PhoneAsks} phone=${whole.asking_phone} line=${line} />
        <${Questions} desk=${desk} />
        ${whole.is_round_over && html`<${RoundOver} desk=${desk} />`}
        ${!whole.question && whole.exhibits.length > 0 && html`<${Exhibits} desk=${desk} />`}
        ${desk.choosing.draft?.asked && html`<${Filling} desk=${desk} />`}
      <//>
      <div class="below">
        <${Refusal} room=${room} line=${line} />
        ${camera && !filmed && html`<${Remarks} camera=${camera} />`}
        ${whole.lacks_phone && html`<details><summary>${say("page.table.phone_camera")}</summary><${PhoneSquares} /></details>`}
        ${!desk.choosing.draft?.asked && html`<${Filling} desk=${desk} />`}
        <p class="told" role="status">${desk.told}</p>
        ${!desk.choosing.draft && html`<div class="acts">${sharedChoices(desk).map((choice) => html`<${ChoiceButton} key=${choice.id} choice=${choice} desk=${desk} short=${isAlone} />`)}</div>`}
      </div>
    </div>
    <div class="side">
      ${whole.round_clock && html`<${RoundClock} time=${whole.round_clock} shown_ms=${room.shown_ms} />`}
      <${Players} desk=${desk} shown_ms=${room.shown_ms} />
      <${Status} whole=${whole} />
      ${whole.is_filmed && html`<p class="filmed">${say("page.table.filmed")}</p>`}
      <${ToolBar} desk=${desk} tools=${tools} wishes=${wishes} setWishes=${setWishes} />
      <${Log} desk=${desk} />
    </div>
  </main>`;
}

/** What the game says of itself: rounds, pack, places. @param {{whole: Whole}} props */
function Status({ whole }) {
  const scored = new Set(whole.players.map(({ name }) => name)); // points stand with the players
  const lines = [...whole.status, ...(whole.view.some(isSheet) ? [] : whole.sheet)].filter(([left]) => !scored.has(left));
  if (lines.length === 0) return null;
  return html`<table class="status" aria-label=${say("page.table.status")}><tbody>
    ${lines.map(([left, right], at) => html`<tr key=${at}><th scope="row">${left}</th><td>${right}</td></tr>`)}
  </tbody></table>`;
}

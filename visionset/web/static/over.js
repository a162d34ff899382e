/** The end of a match: who won, the final table, places among all games kept, and once more. */
import { Asks, PhoneAsks, Questions } from "./asking.js";
import { html } from "./html.js";
import { shownParts } from "./laying.js";
import { Log } from "./log.js";
import { PartView } from "./parts.js";
import { Standings } from "./standings.js";
import { Refusal, useAloud } from "./table.js";
import { isSecond, useAsked, useDesk, useKeys } from "./desk.js";
import { plainly } from "./wishes.js";
import { say } from "./words.js";

/** @typedef {import("./types.js").Whole} Whole */
/** @typedef {import("./room.js").Room} Room */
/** @typedef {import("./room.js").Line} Line */
/** @typedef {import("./wishes.js").Wishes} Wishes */

/** @param {{whole: Whole, room: Room, line: Line, wishes: Wishes, isPhone: boolean}} props */
export function OverPage({ whole, room, line, wishes, isPhone }) {
  const desk = useDesk(whole, room, line, null, plainly(wishes));
  const over = whole.over ?? { winners: [], text: "", rank: null };
  useAloud(over.text, wishes.aloud);
  const names = over.winners.map((at) => whole.players[at]?.name).filter(Boolean);
  const won = (/** @type {number} */ at) => Number(over.winners.includes(at)); // of who are level, by a roll-off
  const ranked = whole.players.map((player, at) => ({ ...player, at })).sort((a, b) => b.score - a.score || won(b.at) - won(a.at));
  const isHost = room.welcome?.is_host && !isPhone;
  const [asked, ask] = useAsked(room);
  const again = (/** @type {MouseEvent} */ event) => {
    if (isSecond(event) || asked) return;
    ask();
    line.send({ type: "again", match: whole.match });
  };
  const undo = () => void (isHost && desk.speakUp("undo"));
  const dispute = () => void (isHost && whole.is_camera && desk.speakUp("dispute"));
  useKeys(desk, { undo, hint() {}, dispute, full() {} }, isHost ? null : -1);
  return html`<main class="over-page">
    <h1>${names.length ? say("page.over.won", { names: names.join(", "), count: names.length }) : say("page.over.title")}</h1>
    <p class="prompt" role="alert">${over.text}</p>
    <${Refusal} room=${room} line=${line} />
    <${Asks}>
      <${PhoneAsks} phone=${whole.asking_phone} line=${line} />
      ${isHost && html`<${Questions} desk=${desk} />`}
    <//>
    ${isHost && html`<div class="acts"><button type="button" class="primary" onClick=${again}>${say(asked ? "page.line.opening" : "page.over.again")}</button>
      <button type="button" aria-keyshortcuts="Shift+U" onClick=${undo}>${say("page.tools.undo")}<kbd aria-hidden="true">⇧U</kbd></button>
      ${whole.is_camera && html`<button type="button" aria-keyshortcuts="Shift+D" onClick=${dispute}>${say("page.tools.dispute")}<kbd aria-hidden="true">⇧D</kbd></button>`}
      <button type="button" onClick=${() => line.send({ type: "leave" })}>${say("page.over.other")}</button></div>`}
    ${whole.match !== null && html`<p><a href=${`/report/${encodeURIComponent(String(whole.match))}${desk.plain && `?plain=${desk.plain}`}`}>${say("page.over.report")}</a></p>`}
    <div class="columns">
      <section><h2>${say("page.over.points")}</h2>
        <ol class="final">${ranked.map((player) => html`<li key=${player.at} class=${over.winners.includes(player.at) ? "has-won" : ""}>
          <span class="name">${player.name}</span><span class="score">${player.score}</span></li>`)}</ol></section>
      ${over.rank && html`<section><h2>${say("page.over.rank")}</h2>
        <table><thead><tr><th scope="col">${say("page.over.place")}</th><th scope="col">${say("page.over.name")}</th><th scope="col">${say("page.over.points")}</th></tr></thead>
        <tbody>${over.rank.map((line, at) => html`<tr key=${at} class=${line.is_mine ? "is-mine" : ""}><td>${line.place}</td><td>${line.name}</td><td>${line.points}</td></tr>`)}</tbody></table></section>`}
      ${whole.standings.length > 0 && html`<section><h2>${say("page.over.standings")}</h2>
        <${Standings} standings=${whole.standings} /></section>`}
    </div>
    ${whole.view.length > 0 && html`<section class="last-table"><h2>${say("page.over.table")}</h2>
      <div class="parts">${shownParts(whole, []).map((part, at) => html`<${PartView} key=${at} part=${part} desk=${desk} />`)}</div></section>`}
    <${Log} desk=${desk} />
  </main>`;
}

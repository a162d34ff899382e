/** A phone at the table: one large button, one's own points, hand and questions. */
import { useLayoutEffect, useRef, useState } from "./vendor/hooks.js";
import { Asks, Filling, Questions, RoundOver, WishInWords } from "./asking.js";
import { LanguageChoice } from "./language.js";
import { useDesk, useKeys } from "./desk.js";
import { html } from "./html.js";
import { handOf, partKey, shownParts } from "./laying.js";
import { NewsInWords, useNews } from "./log.js";
import { PartView } from "./parts.js";
import { useSaidOnce } from "./picture.js";
import { ChoiceButton, Ring, Score } from "./players.js";
import { RoundClock } from "./round_clock.js";
import { promptText, Refusal, useAloud } from "./table.js";
import { plainly } from "./wishes.js";
import { asName, say } from "./words.js";

/** @typedef {import("./types.js").Whole} Whole */
/** @typedef {import("./room.js").Room} Room */
/** @typedef {import("./room.js").Line} Line */
/** @typedef {import("./wishes.js").Wishes} Wishes */

/**
 * Who joins says a name first; who has one may keep it, and who plays under it is told what another one costs.
 * @param {{onName: (name: string) => void, names: string[], own: string, plays: boolean}} props
 */
export function JoinPage({ onName, names, own, plays }) {
  const submit = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const name = asName(String(new FormData(/** @type {HTMLFormElement} */ (event.currentTarget)).get("name")));
    if (name) onName(name);
  };
  return html`<main class="join-page">
    <h1>${say("page.phone.welcome")}</h1>
    <form onSubmit=${submit}>
      <label>${say("page.phone.name")} <input name="name" required pattern=".*\\S.*" maxlength="24" autocomplete="nickname" defaultValue=${own} /></label>
      <button class="primary">${say("page.phone.join")}</button>
    </form>
    ${plays && html`<p class="remark">${say("page.phone.plays", { name: own })}</p>`}
    ${own && html`<p><button type="button" onClick=${() => onName(own)}>${say("page.phone.back")}</button></p>`}
    ${names.length > 0 && html`<div class="answers">${names.map((name) => html`<button type="button" key=${name} onClick=${() => onName(name)}>${name}</button>`)}</div>`}
    <p><${LanguageChoice} /></p>
  </main>`;
}

/** Keeps what has this ref where it is on the screen when somebody calls: a finger is on its way to it. @param {boolean} has_called */
function useStill(has_called) {
  const part = useRef(/** @type {HTMLElement | null} */ (null));
  const last = useRef({ has_called, top: /** @type {number | null} */ (null) });
  useLayoutEffect(() => {
    const top = part.current === null ? null : part.current.getBoundingClientRect().top + scrollY;
    const moved = top === null || last.current.top === null ? 0 : top - last.current.top; // cards that were not there yet did not move
    if (has_called && !last.current.has_called) scrollBy({ top: moved, behavior: "instant" });
    last.current = { has_called, top };
  });
  return part;
}

/** @param {{whole: Whole, room: Room, line: Line, wishes: Wishes}} props */
export function PhonePage({ whole, room, line, wishes }) {
  const seat = room.welcome?.player ?? null;
  const me = seat === null ? null : whole.players[seat];
  const desk = useDesk(whole, room, line, seat ?? -1, plainly(wishes));
  const [open, setOpen] = useState(!whole.is_camera);
  useKeys(desk, { undo() {}, hint: () => desk.speakUp("hint"), dispute() {}, full() {} }, seat ?? -1);
  /** At a real table a turn is played there; on the page, where something may be pressed. */
  const isMine = Boolean(me?.is_due) && (whole.is_camera || desk.mine.length > 0);
  /** One's own time, or that of all who are waited for. */
  const runs = whole.clock?.player === seat || isMine;
  const mine = whole.prompts.filter(({ players }) => seat !== null && players.includes(seat));
  const prompts = mine.length ? mine : whole.prompts.slice(0, 1);
  const asked = whole.prompts.filter(({ text }) => text === prompts[0]?.text).map(({ to }) => to).join(", "); // such as both of a tie
  /** What others hold is not said here. @param {import("./types.js").LogEntry} entry */
  const isOpen = ({ player, pieces }) => {
    const held = player === null || player === seat ? [] : (handOf(whole, whole.players[player].name)?.pieces ?? []);
    return !pieces.some(({ code }) => held.some((piece) => piece.code === code));
  };
  const news = useNews(whole.log, isOpen);
  useAloud(prompts.map((prompt) => (mine.length ? promptText(whole, prompt) : prompt.text)).join(". "), wishes.aloud, news);
  const own = (/** @type {string} */ wanted) => desk.mine.find(({ event, player }) => event === wanted && player === seat);
  const takes = whole.players.some(({ has_called }) => has_called) ? undefined : own("take"); // where nobody calls, who says SET takes
  const call = own("call") ?? takes;
  const agree = own("agree");
  const others = desk.mine.filter((choice) => choice !== takes && choice.event !== "call" && choice.event !== "agree");
  const calls = whole.choices.some(({ event }) => event === "call" || event === "take") || whole.heard.length > 0;
  const says = (/** @type {"set" | "no_set"} */ what) => !whole.is_camera || whole.heard.includes(what);
  const needsTable = desk.mine.some((choice) => choice.player === seat && choice.needs.length > 0);
  const shows = open || needsTable;
  /** Long words do not push cards out of sight for which people look: they stand below them. */
  const notice = whole.notice && html`<p class="notice">${whole.notice}</p>`;
  /** The first thing that is wrong with the picture: while nothing is seen, nobody's time runs. */
  const wrong = whole.camera?.trouble || whole.camera?.remarks[0] || "";
  const said = useSaidOnce(wrong);
  const hands = whole.view.filter((part) => part.part === "hand" && part.player === me?.name);
  /** What others have laid down lies open; what they hold is theirs. */
  const laid = whole.view.flatMap((part) => (part.part === "hand" && part.player !== me?.name && part.laid.length ? [{ ...part, pieces: [] }] : []));
  const tables = [...shownParts(whole, desk.mine, seat).filter((part) => part.part !== "hand"), ...laid];
  const cards = useStill(me?.has_called ?? false);
  /** With the buttons that begin a choice: below, so that pieces for which people look, and cells to which a die is on its way, stay there. */
  const fillsBelow = !me?.has_called;
  /** Of many boards one's own is the first, and what is said of it stands below that one. */
  const fillsBetween = desk.choosing.need?.form === "placings" && tables.length > 1;
  /** At the touch, not when the finger leaves; a click without a pointer comes from keys and screen readers. */
  const sayIt = () => (call ? desk.choose(call) : desk.speakUp("set", { player: seat }));
  /** Above the cards once one has called: below them lies the finger that has just called, and a second touch would give up. */
  const acts = html`<div class="acts">${others.map((choice) => html`<${ChoiceButton} key=${choice.id} choice=${choice} desk=${desk} short />`)}</div>`;
  return html`<main class=${`phone-page ${me?.has_called ? "has-called" : ""}`}>
    <h1 class="unseen">${whole.game?.title}</h1>
    <${Asks}>
      <${Questions} desk=${desk} />
      ${whole.is_round_over && html`<${RoundOver} desk=${desk} />`}
      ${desk.choosing.draft?.asked && html`<${Filling} desk=${desk} />`}
    <//>
    <div class="me"><span class="name">${me?.name ?? say("page.phone.watching")}</span>
      ${me?.sits_out && html`<span class="notes">${say("page.players.sits_out")}</span>`}
      ${runs && whole.clock && html`<${Ring} clock=${whole.clock} shown_ms=${room.shown_ms} />`}
      ${whole.round_clock && html`<${RoundClock} time=${whole.round_clock} shown_ms=${room.shown_ms} />`}
      ${me && html`<${Score} points=${me.score} />`}</div>
    <div class=${`prompts ${isMine ? "is-due" : ""}`} role="status">
      ${isMine && html`<p class="turn">${say("page.phone.your_turn")}</p>`}
      ${prompts.map((prompt) => html`<p class="prompt" key=${prompt.text}>${mine.length ? promptText(whole, prompt) : `${asked}: ${prompt.text}`}</p>`)}
      ${!shows && notice}
      ${wrong && html`<p class="remark" aria-hidden="true">${wrong}</p>`}<p class="unseen">${said}</p>
    </div>
    <${NewsInWords} news=${news} />
    <${WishInWords} desk=${desk} />
    <${Refusal} room=${room} line=${line} />
    ${!fillsBelow && !desk.choosing.draft?.asked && html`<${Filling} desk=${desk} />`}
    ${hands.map((part) => html`<${PartView} key="hand" part=${part} desk=${desk} />`)}
    ${me?.has_called && acts}
    ${shows && html`<div class="parts" ref=${cards}>${tables.map((part, at) => html`<${PartView} key=${partKey(whole, part, at)} part=${part} desk=${desk} />
      ${at === 0 && fillsBetween && !desk.choosing.draft?.asked && html`<${Filling} key="filling" desk=${desk} />`}`)}</div>`}
    ${fillsBelow && !fillsBetween && !desk.choosing.draft?.asked && html`<${Filling} desk=${desk} />`}
    ${shows && html`<div role="status">${notice}</div>`}
    ${!me?.has_called && acts}
    <p class="told" role="status">${desk.told}</p>
    ${!needsTable && html`<button type="button" class="small" aria-expanded=${String(open)} onClick=${() => setOpen(!open)}>${say(open ? "page.phone.no_table" : "page.phone.table")}</button>`}
    <ol class="scores" aria-label=${say("page.players.title")}>${whole.players.map((player) => html`<li key=${player.name}><bdi>${player.name}</bdi> <b>${player.score}</b></li>`)}</ol>
    ${calls && me && !me.sits_out && html`<div class="buzzer">
      ${says("set") && html`<button type="button" class="set" disabled=${!call && !whole.is_camera}
        onPointerDown=${sayIt} onClick=${(/** @type {MouseEvent} */ event) => event.detail === 0 && sayIt()}
        >${say("page.phone.set")}</button>`}
      ${!takes && says("no_set") && html`<button type="button" class="no-set" disabled=${!agree && !whole.is_camera}
        onClick=${() => (agree ? desk.choose(agree) : desk.speakUp("no_set", { player: seat }))}>${say("page.phone.no_set")}</button>`}
    </div>`}
  </main>`;
}

/** Large cards that ask: a question, a difference between table and game, a value, the face of a WILD. */
import { useEffect, useLayoutEffect, useRef, useState } from "./vendor/hooks.js";
import { isSecond, isSecondTap } from "./desk.js";
import { html } from "./html.js";
import { useArrows } from "./moving.js";
import { Explanation } from "./log.js";
import { Drawn } from "./piece.js";
import { say } from "./words.js";

/** @typedef {import("./desk.js").Desk} Desk */
/** @typedef {import("./types.js").Piece} Piece */

const COLORS = ["red", "green", "purple"];
const SHAPES = ["oval", "squiggle", "diamond"];
const NUMBERS = [1, 2, 3];

/**
 * @param {{title: string, kind?: string, pressing?: boolean, children?: unknown}} props
 */
function Card({ title, kind = "", pressing = false, children }) {
  return html`<section class=${`ask ${kind}`} aria-label=${title}>
    <p class="ask-title" role=${pressing ? "alert" : undefined}>${title}</p>
    ${children}
  </section>`;
}

/**
 * Whether it is asked which of several pieces is meant: each has the answer of its number, is seen in that, and is named by it.
 * @param {import("./types.js").Whole} whole
 */
function asksWhich({ exhibits, question }) {
  return exhibits.length > 1 && exhibits.every(({ piece }, at) => question?.options[at]?.text.startsWith(piece.text));
}

/**
 * What the referee wants to know, or wants to be told first.
 * @param {{desk: Desk}} props
 */
export function Questions({ desk }) {
  const { whole, plain, speakUp } = desk;
  const isWhich = asksWhich(whole);
  return html`
    ${whole.differ && html`<${Card} title=${whole.differ} kind="is-differ" pressing>
      ${desk.seat !== null && whole.players.length > 1 ? html`<p>${say("page.ask.settled_there")}</p>` : html`<div class="answers">
        ${/** @type {const} */ (["table", "game"]).map((what) => {
          const key = whole.players.some((player) => player.key === what[0]) ? undefined : what[0]; // of many players one calls with it
          return html`<button type="button" class="primary" key=${what} aria-keyshortcuts=${key} onClick=${() => speakUp(what, { asked: whole.differ_id })}>
            ${say(`page.ask.${what}_is_right`)}${key && html`<kbd aria-hidden="true">${key}</kbd>`}</button>`;
        })}
      </div>`}
    <//>`}
    ${whole.question && html`<${Card} title=${whole.question.text} kind="is-question" pressing>
      ${whole.question.picture && html`<${Crop} name=${whole.question.picture} text=${say("page.ask.seen")} />`}
      ${!isWhich && html`<${Exhibits} desk=${desk} isNamed=${!whole.exhibits.every(({ piece }) => whole.question?.options.some(({ text }) => text.startsWith(piece.text)))} />`}
      <div class=${isWhich ? "answers is-which" : "answers"}>
        ${whole.question.options.map((option, at) => html`<button type="button" class="primary" aria-keyshortcuts=${option.number} key=${option.number}
          onClick=${() => speakUp("answer", { number: option.number, asked: whole.question?.id })}>
          ${isWhich && whole.exhibits[at] ? html`<span class="exhibit"><${Seen} exhibit=${whole.exhibits[at]} text="" plain=${plain} /></span>` : option.piece && html`<${Drawn} piece=${option.piece} plain=${plain} silent />`}
          <span>${option.text}<kbd aria-hidden="true">${option.number}</kbd></span>
        </button>`)}
        ${whole.question.none !== null && html`<button type="button" aria-keyshortcuts="0" onClick=${() => speakUp("answer", { number: 0, asked: whole.question?.id })}>
          <span>${whole.question.none || say("page.ask.none")}<kbd aria-hidden="true">0</kbd></span>
        </button>`}
      </div>
    <//>`}`;
}

/**
 * Where all that is asked stands: in sight however the page is scrolled; of what has no room there is said that there is more.
 * @param {{children?: unknown}} props
 */
export function Asks({ children }) {
  const frame = useRef(/** @type {HTMLDivElement | null} */ (null));
  const [isMore, setMore] = useState(false);
  const look = () => {
    const at = frame.current;
    setMore(at !== null && at.scrollHeight - at.scrollTop > at.clientHeight + 2);
    document.documentElement.style.scrollPaddingTop = `${at?.offsetHeight ?? 0}px`; // what keys lead to is not left behind it
  };
  useEffect(() => { // with all that is drawn anew, and when a picture in there has come
    const watcher = new ResizeObserver(look);
    if (frame.current) for (const one of [frame.current, ...frame.current.children]) watcher.observe(one);
    return () => watcher.disconnect();
  });
  const scroll = () => frame.current?.scrollBy({ top: frame.current.clientHeight * 0.7 });
  return html`<div class="asks" ref=${frame} onScroll=${look}>${children}
    ${isMore && html`<button type="button" class="small more-below" onClick=${scroll}>${say("page.ask.more")}<span aria-hidden="true"> ▾</span></button>`}</div>`;
}

/** Whether a phone may be the camera: for the host to say. @param {{phone: import("./types.js").AskingPhone | null, line: import("./room.js").Line}} props */
export function PhoneAsks({ phone, line }) {
  if (phone === null) return null;
  const answer = (/** @type {boolean} */ is_allowed) => line.send({ type: "phone", number: phone.number, is_allowed });
  const title = phone.name ? say("page.ask.phone_of", { name: phone.name }) : say("page.ask.phone_at", { address: phone.address });
  return html`<${Card} title=${title} kind="is-phone" pressing>
    <div class="answers">
      <button type="button" class="primary" onClick=${() => answer(true)}>${say("page.ask.allow")}</button>
      <button type="button" onClick=${() => answer(false)}>${say("page.ask.refuse")}</button>
    </div>
  <//>`;
}

/** A piece as the camera saw it. @param {{name: string, text: string}} props */
function Crop({ name, text }) {
  return html`<img class="shown-crop" src=${`/exhibit/${encodeURIComponent(name)}.jpg`} alt=${text} />`;
}

/** A piece as the camera saw it, beside what it was taken for. @param {{exhibit: import("./types.js").Exhibit, text: string, plain: Desk["plain"]}} props */
function Seen({ exhibit, text, plain }) {
  return html`${exhibit.picture && html`<${Crop} name=${exhibit.picture} text=${text} />`}
    <${Drawn} piece=${exhibit.piece} plain=${plain} silent />`;
}

/**
 * The crops by which something was judged, each beside what it was taken for; not named once more where each has an answer of its own.
 * @param {{desk: Desk, isNamed?: boolean}} props
 */
export function Exhibits({ desk, isNamed = true }) {
  if (desk.whole.exhibits.length === 0) return null;
  return html`<ul class="exhibits">
    ${desk.whole.exhibits.map((exhibit, at) => html`<li key=${at}>
      <${Seen} exhibit=${exhibit} text=${say("page.ask.crop", { number: at + 1 })} plain=${desk.plain} />
      ${isNamed && html`<span>${exhibit.piece.text}${exhibit.confidence !== null && html`, ${say("page.ask.sure", { percent: Math.round(exhibit.confidence * 100) })}`}
        ${exhibit.runner_up && html`<br />${say("page.ask.else", { piece: exhibit.runner_up.text })}`}</span>`}
    </li>`)}
  </ul>`;
}

/** The end of a round, until somebody goes on: who won it, where all stand, and the take that ended it. @param {{desk: Desk}} props */
export function RoundOver({ desk }) {
  const { whole, plain, speakUp } = desk;
  const last = whole.log.findLast(({ pieces }) => pieces.length > 0);
  const ranked = [...whole.players].sort((one, other) => other.score - one.score);
  const isRound = whole.prompts.every(({ players }) => players.length === 0); // else some are level, and settle that
  return html`<${Card} title=${whole.notice} kind="is-round-over" pressing>
    <ol class="scores">${ranked.map(({ name, score }) => html`<li key=${name}><bdi>${name}</bdi> <b>${score}</b></li>`)}</ol>
    <div class="answers"><button type="button" class="primary" onClick=${() => speakUp("next")}>${say(isRound ? "page.ask.next_round" : "page.tools.next")}</button></div>
    ${last && html`<p>${last.text}</p>`}
    ${last?.explain && html`<${Explanation} pieces=${last.pieces} lines=${last.explain} plain=${plain} />`}
  <//>`;
}

/** What is wanted next, in words. @param {import("./types.js").Need} need */
const wish = (need) => (need.form === "placings" ? say("page.ask.place") : need.text);

/** The same for those who do not see it come: pressing its button changes nothing else for them. How many pieces there are to be is counted there. @param {{desk: Desk}} props */
export function WishInWords({ desk }) {
  const { draft, need } = desk.choosing;
  return html`<p class="unseen" role="status">${draft && need && !draft.asked && !need.count && wish(need)}</p>`;
}

/** What a choice that is being filled still wants. @param {{desk: Desk}} props */
export function Filling({ desk }) {
  const { choosing, whole } = desk;
  const { draft, need } = choosing;
  const frame = useRef(/** @type {HTMLElement | null} */ (null));
  const wanted = need?.form === "value" ? draft?.choice.id : undefined; // nothing else is pressed then: who began it in a sheet far above reads it first
  useLayoutEffect(() => frame.current?.scrollIntoView({ block: "nearest" }), [wanted]);
  if (!draft || !need) return null;
  if (draft.asked) return html`<${Faces} desk=${desk} />`;
  const values = need.form === "value" ? need.values : [];
  const named = (/** @type {number | string} */ value) => (need.field === "owner" ? (whole.players[Number(value)]?.name ?? value) : value);
  const takesMany = need.form === "list" || need.form === "placings";
  return html`<section class="filling" aria-label=${draft.choice.label} ref=${wanted === undefined ? undefined : frame}>
    <p><strong>${draft.choice.label}</strong>: ${wish(need)}</p>
    <div class="answers">
      ${values.map((value) => html`<button type="button" class="primary" key=${value} onClick=${(/** @type {MouseEvent} */ event) => isSecond(event) || choosing.give(value)}>${named(value)}</button>`)}
      ${need.form === "value" && values.length === 0 && html`<${AnyValue} desk=${desk} label=${need.text} />`}
      ${need.count ? html`<span class="count" role="status">${say("page.ask.picked", { picked: draft.picked.length, count: need.count })}</span>` : null}
      ${!need.count && takesMany && !choosing.goesAtOnce && html`<button type="button" class="primary" aria-keyshortcuts="Enter" disabled=${!choosing.isReady} onClick=${choosing.confirm}>${draft.choice.label}<kbd aria-hidden="true">Enter</kbd></button>`}
      ${draft.held !== null && html`<button type="button" onClick=${choosing.putBack}>${say("page.table.put_back")}</button>`}
      <button type="button" aria-keyshortcuts="Escape" onClick=${choosing.cancel}>${say("page.ask.cancel")}<kbd aria-hidden="true">Esc</kbd></button>
    </div>
  </section>`;
}

/** @param {{desk: Desk, label: string}} props */
function AnyValue({ desk, label }) {
  const submit = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const text = String(new FormData(/** @type {HTMLFormElement} */ (event.currentTarget)).get("value"));
    desk.choosing.give(/^-?\d+$/.test(text) ? Number(text) : text);
  };
  return html`<form class="row" onSubmit=${submit}><label>${label} <input name="value" required maxlength="64" autofocus /></label>
    <button class="primary">${say("page.ask.give")}</button></form>`;
}

/** Which face a WILD stands for: all 27, by colour. @param {{desk: Desk}} props */
function Faces({ desk }) {
  const { choosing, plain } = desk;
  const faces = COLORS.flatMap((color) => SHAPES.flatMap((shape) => NUMBERS.map((number) => `${number}-${color}-${shape}`)));
  const named = (/** @type {string} */ code) => {
    const [number, color, shape] = code.split("-");
    return say(`table.set_die.${shape}`, { number: say(`number.${number}`), color: say(`color.${color}`), count: Number(number) });
  };
  const { here, onKeyDown, stand } = useArrows([...faces.keys()]);
  return html`<${Card} title=${say("page.wild.which")} kind="is-filling" pressing>
    <div class="faces" role="group" aria-label=${say("page.wild.which")} onKeyDown=${onKeyDown}>
      ${faces.map((code, place) => html`<button type="button" class="piece is-live" key=${code} aria-label=${named(code)}
        data-stop=${place} tabindex=${place === here ? 0 : -1} onFocus=${() => stand(place)} onClick=${(/** @type {MouseEvent} */ event) => isSecondTap(event) || choosing.state(code)}>
        <${Drawn} piece=${{ kind: "set-die", code, text: code, said: code }} plain=${plain} silent />
      </button>`)}
    </div>
    <div class="answers">
      ${choosing.goesAtOnce && html`<button type="button" onClick=${() => choosing.state(null)}>${say("page.wild.later")}</button>`}
      <button type="button" aria-keyshortcuts="Escape" onClick=${choosing.cancel}>${say("page.ask.cancel")}<kbd aria-hidden="true">Esc</kbd></button>
    </div>
  <//>`;
}

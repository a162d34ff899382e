/** The players: names, points, keys, the time of who has called, and what each of them may do. */
import { useEffect, useRef, useState } from "./vendor/hooks.js";
import { EAGER_MS } from "./choosing.js";
import { html } from "./html.js";
import { isInSheet } from "./sheet.js";
import { capital, say } from "./words.js";

/** @typedef {import("./desk.js").Desk} Desk */
/** @typedef {import("./types.js").Choice} Choice */
/** @typedef {import("./types.js").Clock} Clock */

/**
 * What a button says beside the name of its player.
 * @param {Choice} choice
 * @param {string} name
 */
function shortLabel(choice, name) {
  return capital(choice.label.startsWith(`${name}: `) ? choice.label.slice(name.length + 2) : choice.label);
}

/**
 * One button of a choice.
 * @param {{choice: Choice, desk: Desk, short?: boolean, kind?: string}} props
 */
export function ChoiceButton({ choice, desk, short = false, kind = "" }) {
  const name = choice.player === null ? "" : (desk.whole.players[choice.player]?.name ?? "");
  const pressed = desk.choosing.draft?.choice.id === choice.id;
  const [waits, setWaits] = useState(choice.event === "give_up");
  useEffect(() => {
    if (!waits) return undefined;
    const timer = setTimeout(() => setWaits(false), EAGER_MS);
    return () => clearTimeout(timer);
  }, [waits]);
  const words = short || choice.player === null ? shortLabel(choice, name) : choice.label;
  // beside others' buttons of the same words, those who do not see it hear whose it is
  return html`<button type="button" class=${kind || "primary"} aria-label=${short && kind ? `${name}: ${words}` : undefined} data-choice=${choice.id} aria-pressed=${choice.needs.length ? String(pressed) : undefined}
    disabled=${waits} onClick=${() => desk.choose(choice)}>${words}</button>`;
}

/**
 * The choices that get a button below the table: everybody's, or those of the only one who plays on this device.
 * @param {Desk} desk
 */
export function sharedChoices(desk) {
  const rest = desk.mine.filter((choice) => !isInSheet(desk.whole, choice));
  const players = new Set(rest.map(({ player }) => player).filter((player) => player !== null));
  return rest.filter(({ player }) => player === null || players.size === 1);
}

/** Points, which are called so to those who do not see where they stand. @param {{points: number}} props */
export function Score({ points }) {
  return html`<span class="score" aria-hidden="true">${points}</span><span class="unseen">${say("page.players.points", { count: points })}</span>`;
}

/** A ring that runs out with the caller's time. @param {{clock: Clock, shown_ms: number}} props */
export function Ring({ clock, shown_ms }) {
  const style = { animationDuration: `${clock.of_s}s`, animationDelay: `${clock.left_s - clock.of_s}s`, animationPlayState: clock.stands ? "paused" : "running" };
  return html`<svg class="ring" viewBox="0 0 40 40" role="img" aria-label=${say("page.players.seconds", { count: Math.ceil(clock.left_s) })} key=${shown_ms}>
    <circle class="ring-all" cx="20" cy="20" r="16" />
    <circle class="ring-left" cx="20" cy="20" r="16" pathLength="100" style=${style} />
  </svg>`;
}

/** @param {{desk: Desk, shown_ms: number}} props */
export function Players({ desk, shown_ms }) {
  const { whole } = desk;
  const shared = new Set(sharedChoices(desk));
  const acted = useRef(/** @type {Set<string>} */ (new Set())); // whoever had buttons keeps the place for them, so that none below moves
  return html`<section class="players" aria-label=${say("page.players.title")}>
    <h2 class="unseen">${say("page.players.title")}</h2>
    <ul>
      ${whole.players.map((player, number) => {
        const choices = desk.mine.filter((choice) => choice.player === number && !shared.has(choice) && !isInSheet(whole, choice));
        if (choices.length > 0) acted.current.add(player.name);
        const acts = acted.current.has(player.name);
        const clock = whole.clock?.player === number ? whole.clock : null;
        const won = whole.over?.winners.includes(number);
        const notes = [
          player.is_bot && say("page.players.bot"),
          player.is_connected && say("page.players.phone"),
          player.sits_out && say("page.players.sits_out"),
          player.has_called && say("page.players.called"),
          won && say("page.players.won"),
        ].filter(Boolean);
        const looks = ["player", player.is_due && "is-due", player.has_called && "has-called", won && "has-won"].filter(Boolean).join(" ");
        return html`<li key=${player.name} class=${looks}>
          <div class="who">
            ${player.key && !player.is_bot && html`<span class="key"><kbd aria-hidden="true">${player.key}</kbd><span class="unseen">${say("page.players.key", { key: player.key })} </span></span>`}
            <span class="name">${player.name}</span>
            ${clock && html`<${Ring} clock=${clock} shown_ms=${shown_ms} />`}
            <${Score} points=${player.score} />
          </div>
          ${(acts || notes.length > 0) && html`<p class="notes">${notes.join(" · ")}</p>`}
          ${acts && html`<div class="acts">${choices.map((choice) => html`<${ChoiceButton} key=${choice.id} choice=${choice} desk=${desk} short kind="small" />`)}</div>`}
        </li>`;
      })}
    </ul>
  </section>`;
}

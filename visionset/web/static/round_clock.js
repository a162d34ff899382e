/** The clock of the round: counts up, or down to where the host's limit is; at its end it says so. */
import { useEffect, useState } from "./vendor/hooks.js";
import { html } from "./html.js";
import { say } from "./words.js";

/** @typedef {import("./types.js").RoundTime} RoundTime */

const EACH_MS = 250;

/** Minutes and seconds. @param {number} seconds */
function written(seconds) {
  const whole = Math.max(0, Math.floor(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

/** @param {{time: RoundTime, shown_ms: number}} props  when the state came by this device's clock */
export function RoundClock({ time, shown_ms }) {
  const [now_ms, setNow] = useState(performance.now());
  useEffect(() => {
    if (!time.is_running) return undefined;
    const timer = setInterval(() => setNow(performance.now()), EACH_MS);
    return () => clearInterval(timer);
  }, [time.is_running]);
  const elapsed_s = time.elapsed_s + (time.is_running ? Math.max(0, now_ms - shown_ms) / 1000 : 0);
  const isUp = time.is_up || (time.limit_s !== null && elapsed_s >= time.limit_s);
  const text = time.limit_s === null ? written(elapsed_s) : written(Math.ceil(time.limit_s - elapsed_s));
  return html`<section class=${`round-clock ${isUp ? "is-up" : ""}`} aria-label=${say("page.round_clock.title")}>
    <span class="caption">${say(time.limit_s === null ? "page.round_clock.elapsed" : "page.round_clock.left")}</span>
    <span class="time" role="timer">${text}</span>
    <span class="end" role="status">${isUp ? say("page.round_clock.up") : ""}</span>
  </section>`;
}

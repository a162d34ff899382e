/** What every view has around it: the name, the line's state, wishes, phones, and the way out. */
import { useEffect, useRef, useState } from "./vendor/hooks.js";
import { isSecond } from "./desk.js";
import { html } from "./html.js";
import { LanguageChoice, wasInDialog } from "./language.js";
import { canSpeak, hush } from "./speech.js";
import { Squares } from "./squares.js";
import { say } from "./words.js";

/** @typedef {import("./wishes.js").Wishes} Wishes */
/** @typedef {import("./room.js").Room} Room */
/** @typedef {import("./room.js").Line} Line */

/**
 * A dialog that the Escape key closes and that gives the focus back.
 * @param {{title: string, onClose: () => void, children?: unknown}} props
 */
function Dialog({ title, onClose, children }) {
  const dialog = useRef(/** @type {HTMLDialogElement | null} */ (null));
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  return html`<dialog ref=${dialog} aria-label=${title} onClose=${onClose}>
    <h2>${title}</h2>
    ${children}
    <button type="button" class="primary" onClick=${() => dialog.current?.close()}>${say("page.frame.close")}</button>
  </dialog>`;
}

/**
 * @param {{wishes: Wishes, setWishes: (wishes: Wishes) => void, isAgain: boolean, onClose: () => void}} props  isAgain: in another language
 */
function WishesDialog({ wishes, setWishes, isAgain, onClose }) {
  const themes = /** @type {const} */ (["auto", "light", "dark"]);
  const sizes = [100, 125, 150, 200];
  const local = canSpeak();
  const toggle = (/** @type {"plain" | "letters" | "patterns" | "aloud" | "still" | "keys"} */ name, disabled = false) => html`<label class="switch">
    <input type="checkbox" checked=${wishes[name]} disabled=${disabled}
      onChange=${() => setWishes({ ...wishes, [name]: !wishes[name] })} /> ${say(`page.wish.${name}`)}</label>`;
  return html`<${Dialog} title=${say("page.wish.title")} onClose=${onClose}>
    <fieldset><legend>${say("page.wish.theme")}</legend>
      ${themes.map((theme) => html`<label class="switch" key=${theme}><input type="radio" name="theme" checked=${wishes.theme === theme}
        onChange=${() => setWishes({ ...wishes, theme })} /> ${say(`page.theme.${theme}`)}</label>`)}</fieldset>
    <fieldset><legend>${say("page.wish.size")}</legend>
      ${sizes.map((size) => html`<label class="switch" key=${size}><input type="radio" name="size" checked=${wishes.size === size}
        onChange=${() => setWishes({ ...wishes, size })} /> ${size} %</label>`)}</fieldset>
    <div class="switch"><${LanguageChoice} autofocus=${isAgain} /></div>
    ${toggle("plain")} ${wishes.plain && html`<div class="within">${toggle("letters")} ${toggle("patterns")}</div>`} ${toggle("still")} ${toggle("keys")} ${toggle("aloud", !local)}
    ${!local && html`<p class="caption">${say("page.wish.no_voice")}</p>`}
  <//>`;
}

/** @param {{onClose: () => void}} props */
function PhonesDialog({ onClose }) {
  const [link, setLink] = useState("");
  useEffect(() => void fetch("/qr.svg").then((answer) => setLink(answer.headers.get("x-join-link") ?? ""), () => {}), []);
  const isAlone = link !== "" && new URL(link).hostname === "127.0.0.1"; // no phone finds this machine under that address
  return html`<${Dialog} title=${say("page.frame.phones")} onClose=${onClose}>
    ${isAlone ? html`<p>${say("page.frame.no_phones")}</p>` : html`<p>${say("page.frame.scan")}</p>
    <${Squares} path="/qr.svg" alt=${say("page.frame.qr")} />`}
  <//>`;
}

/**
 * @param {{room: Room, line: Line, wishes: Wishes, setWishes: (wishes: Wishes) => void, onRename: (() => void) | null}} props  on a phone its owner may say another name
 */
export function Frame({ room, line, wishes, setWishes, onRename }) {
  const [open, setOpen] = useState(() => /** @type {"" | "wishes" | "language" | "phones" | "leave"} */ (wasInDialog() ? "language" : ""));
  const isHost = Boolean(room.welcome?.is_host) && !onRename;
  const close = () => {
    setOpen("");
    if (!wishes.aloud) hush();
  };
  const pauses = isHost && open !== "" && room.whole?.page === "table" && !room.whole.is_camera;
  useEffect(() => {
    if (!pauses) return undefined;
    line.send({ type: "say", what: "pause" });
    return () => line.send({ type: "say", what: "go_on" });
  }, [pauses, line]);
  const title = room.whole?.game?.title ?? "visionset"; // the one line that stays over all views: who does not see them hears that a match begins
  const leave = (/** @type {MouseEvent} */ event) => {
    if (isSecond(event)) return; // of a press that has opened the dialog, where this button has the focus
    line.send({ type: "leave" });
    close();
  };
  const lost = room.line === "lost" && room.whole !== null;
  return html`${lost && html`<div class="lost" role="alert"><p class="prompt">${say("page.line.lost")}</p><p>${say("page.line.waits")}</p>
      ${room.unheard > 0 && html`<p key=${room.unheard}><b>${say("page.line.unheard")}</b></p>`}</div>`}
  <header class="frame">
    <p class="title" role="status">${title}</p>
    <span class=${`line is-${room.line}`} role="status" data-version=${room.version}><span class="dot" aria-hidden="true"></span><span class="unseen">${say(`page.line.${room.line}`)}</span></span>
    <nav aria-label=${say("page.frame.title")}>
      ${isHost && room.whole?.page === "start" && html`<${LanguageChoice} />`}
      ${isHost && html`<button type="button" class="small" onClick=${() => setOpen("phones")}>${say("page.frame.phones")}</button>`}
      ${onRename && html`<button type="button" class="small" onClick=${onRename}>${say("page.phone.name")}</button>`}
      <button type="button" class="small" onClick=${() => setOpen("wishes")}>${say("page.wish.title")}</button>
      ${isHost && room.whole && room.whole.page !== "start" && html`<button type="button" class="small" onClick=${() => setOpen("leave")}>${say("page.frame.leave")}</button>`}
    </nav>
    ${(open === "wishes" || open === "language") && html`<${WishesDialog} wishes=${wishes} setWishes=${setWishes} isAgain=${open === "language"} onClose=${close} />`}
    ${open === "phones" && html`<${PhonesDialog} onClose=${close} />`}
    ${open === "leave" && html`<${Dialog} title=${say("page.frame.leave")} onClose=${close}>
      <p>${say("page.frame.kept")}</p>
      <button type="button" onClick=${leave}>${say("page.frame.yes_leave")}</button>
    <//>`}
  </header>`;
}

/** The page: which view is shown follows from the state of the table and from whose device it is. */
import { useEffect, useMemo, useState } from "./vendor/hooks.js";
import { render } from "./vendor/preact.js";
import { keepFocus } from "./focus.js";
import { Frame } from "./frame.js";
import { html } from "./html.js";
import { OverPage } from "./over.js";
import { JoinPage, PhonePage } from "./phone.js";
import { join } from "./room.js";
import { StartPage } from "./start.js";
import { TablePage } from "./table.js";
import { applyWishes, DARK, keep, keepWishes, readWishes, recall } from "./wishes.js";
import { loadWords, say, setApart } from "./words.js";

const NAME = "visionset.name";

const code = /^\/join\/([^/]+)/.exec(location.pathname)?.[1] ?? "";
const isPhone = code !== "";

/** @param {{line: import("./room.js").Line, onRename: () => void}} props */
function Page({ line, onRename }) {
  const [room, setRoom] = useState(line.get());
  const [wishes, setWishes] = useState(readWishes);
  const [language, setLanguage] = useState(document.documentElement.lang);
  useEffect(() => {
    setRoom(line.get());
    return line.listen(setRoom);
  }, [line]);
  useEffect(() => {
    const apply = () => applyWishes(wishes);
    DARK.addEventListener("change", apply);
    return () => DARK.removeEventListener("change", apply);
  }, [wishes]);
  const spoken = room.welcome?.language ?? language;
  useEffect(() => {
    if (spoken !== language) loadWords(spoken).then(() => setLanguage(spoken));
  }, [spoken, language]);
  const wish = (/** @type {import("./wishes.js").Wishes} */ wanted) => {
    keepWishes(wanted);
    applyWishes(wanted);
    setWishes(wanted);
  };
  const whole = useMemo(() => room.whole && setApart(room.whole), [room.whole]);
  useEffect(() => {
    document.title = whole?.game ? `${whole.game.title} – visionset` : "visionset";
  }, [whole?.game?.title]);
  useEffect(() => window.scrollTo(0, 0), [whole?.page]);
  const isTaken = whole === null && isPhone && room.refused?.why === "name"; // the line was closed for that: nothing is lost, and the way on is no dead button
  const framed = isTaken ? { ...room, line: "open" } : room;
  const frame = html`<${Frame} room=${framed} line=${line} wishes=${wishes} setWishes=${wish} onRename=${isPhone ? onRename : null} />`;
  const shared = { whole, room, line, wishes };
  const view = (/** @type {unknown} */ shown) => html`${frame}<div class=${`view is-${framed.line}`}>${shown}</div>`;
  if (whole === null) {
    const line = room.line === "open" ? "opening" : room.line; // it is open, and the table is not: its camera takes a while
    return view(html`<main class="waiting"><h1>${say(isTaken ? "page.phone.taken" : `page.line.${line}`)}</h1>
      ${room.refused && html`<p class="refused" role="alert">${room.refused.text}</p>`}
      ${isTaken && html`<button type="button" class="primary" onClick=${onRename}>${say("page.phone.name")}</button>`}</main>`);
  }
  if (whole.page === "over") return view(html`<${OverPage} ...${shared} isPhone=${isPhone} />`);
  if (whole.page === "start" && !isPhone && room.welcome?.is_host) return view(html`<${StartPage} ...${shared} />`);
  if (whole.page === "start") return view(html`<main class="waiting"><h1>${say("page.phone.wait")}</h1></main>`);
  return view(isPhone ? html`<${PhonePage} ...${shared} />` : html`<${TablePage} ...${shared} setWishes=${wish} />`);
}

/** Who may be at this table: players who are people, nobody while none play. @returns {Promise<import("./types.js").Player[]>} */
async function people() {
  const answer = await fetch("/state").catch(() => null);
  if (!answer?.ok) return [];
  const whole = /** @type {import("./types.js").Whole} */ (await answer.json());
  return whole.page === "start" ? [] : whole.players.filter((player) => !player.is_bot); // those who wait play nothing yet
}

async function begin() {
  applyWishes(readWishes());
  const words = loadWords(document.documentElement.lang);
  const page = /** @type {HTMLElement} */ (document.getElementById("page"));
  page.replaceChildren();
  keepFocus(page);
  /** The line is opened while the words are still on their way. @param {string} name */
  async function sitDown(name) {
    const line = join(() => ({ ...(isPhone ? { code } : {}), ...(name ? { name } : {}) }));
    const onRename = () => {
      const isTaken = line.get().refused?.why === "name";
      line.leave();
      askName(isTaken);
    };
    await words;
    render(html`<${Page} line=${line} onRename=${onRename} key=${name} />`, page);
  }
  /** @param {boolean} isTaken  somebody else has the name that was kept */
  async function askName(isTaken = false) {
    const onName = (/** @type {string} */ name) => {
      keep(NAME, name);
      sitDown(name);
    };
    const own = isTaken ? "" : recall(NAME, "");
    const [players] = await Promise.all([people(), words]);
    const names = players.filter(({ name, is_connected }) => name !== own && !is_connected).map(({ name }) => name);
    render(html`<${JoinPage} onName=${onName} names=${names} own=${own} plays=${players.some(({ name }) => name === own)} />`, page);
  }
  const name = isPhone ? recall(NAME, "") : "";
  if (isPhone && !name) askName();
  else sitDown(name);
}

begin();

/** The start: which game, who plays, by which rules; a match that is not finished goes on. */
import { useEffect, useLayoutEffect, useRef, useState } from "./vendor/hooks.js";
import { PrintPage } from "./printing.js";
import { DicePage, PuzzlePage } from "./alone.js";
import { Asks, PhoneAsks } from "./asking.js";
import { isSecond, isSecondTap, useAsked } from "./desk.js";
import { html } from "./html.js";
import { Picture } from "./picture.js";
import { Drawn } from "./piece.js";
import { PhoneSquares } from "./squares.js";
import { Refusal } from "./table.js";
import { keep, recall, plainly } from "./wishes.js";
import { asName, capital, say } from "./words.js";

/** @typedef {import("./types.js").Game} Game */
/** @typedef {import("./types.js").Match} Match */
/** @typedef {import("./types.js").HouseRule} HouseRule */
/** @typedef {import("./room.js").Room} Room */
/** @typedef {import("./room.js").Line} Line */
/** @typedef {import("./wishes.js").Wishes} Wishes */
/** @typedef {{name: string, is_bot: boolean, strength: 1 | 2 | 3, is_filler?: boolean}} Wanted  a filler sits there because the game needs somebody */
/** @typedef {{source: string, name: string}} Source  a camera, as the server calls it and as people do */

/** How the server calls the phone that sends its pictures. */
const PHONE = "phone";

const NAMES = "visionset.names";
const BEGUN = "visionset.begun";
const STRENGTHS = /** @type {const} */ ([1, 2, 3]);
const MOST_SHOWN = 4;
const MOST_REPORTED = 40;

/** Pieces that stand for a game on its card; a game of another package is shown by its name. */
const FACES = /** @type {Record<string, [string, string][]>} */ ({
  set: [["set-card", "2-red-striped-oval"], ["set-card", "1-purple-solid-squiggle"], ["set-card", "3-green-open-diamond"]],
  solitaire: [["set-card", "1-green-solid-oval"]],
  cubed: [["set-die", "1-red-oval"], ["set-die", "2-green-oval"], ["set-die", "3-purple-oval"]],
  scramble: [["set-die", "2-purple-diamond"], ["set-die", "wild"], ["set-die", "1-red-squiggle"]],
  crossword: [["set-die", "3-green-squiggle"], ["set-die", "1-green-diamond"]],
  "sets-dice": [["pip-die", "3"], ["pip-die", "5"]],
  "english-sets": [["playing-card", "QH"], ["playing-card", "QS"]],
});

/** Our own games stand first, in the order in which most people know them. @param {Game} game */
function shelf(game) {
  const place = Object.keys(FACES).indexOf(game.name);
  return place < 0 ? Object.keys(FACES).length : place;
}

/**
 * Who sits down when nobody says otherwise: who played last, of those who have played since this page was opened where there are phones,
 * and those whose phones are there.
 * @param {Game} game
 * @param {string[]} guests
 * @returns {Wanted[]}
 */
function usualPlayers(game, guests) {
  const before = recall(NAMES, /** @type {string[]} */ ([]), guests.length > 0);
  const names = [...before, ...guests.filter((name) => !before.includes(name))];
  const people = names.length ? names.slice(0, game.max_players) : [say("page.start.player", { number: 1 })];
  /** @type {Wanted[]} */
  const wanted = people.map((name) => ({ name, is_bot: false, strength: 2 }));
  while (wanted.length < game.min_players) wanted.push({ ...newBot(wanted), is_filler: true });
  return wanted;
}

/** @param {Wanted[]} there @param {string} code */
function freeName(there, code) {
  for (let number = 1; ; number += 1) {
    const name = say(code, { number });
    if (!there.some((one) => one.name === name)) return name;
  }
}

/**
 * Those whose phones have come since: each on a seat that nobody has named or that was filled, or on one more.
 * @param {Game} game
 * @param {Wanted[]} seated
 * @param {string[]} guests
 * @returns {Wanted[]}
 */
function withGuests(game, seated, guests) {
  const unnamed = new Set(Array.from({ length: game.max_players }, (_, at) => say("page.start.player", { number: at + 1 })));
  return guests.reduce((there, name) => {
    if (there.some((one) => one.name === name)) return there;
    const free = there.findIndex((one) => one.is_filler || (!one.is_bot && unnamed.has(one.name)));
    if (free < 0 && there.length >= game.max_players) return there;
    /** @type {Wanted} */
    const guest = { name, is_bot: false, strength: 2 };
    return free < 0 ? [...there, guest] : there.map((one, at) => (at === free ? guest : one));
  }, seated);
}

/** @param {Wanted[]} there @returns {Wanted} */
function newBot(there) {
  return { name: freeName(there, "page.start.bot"), is_bot: true, strength: 2 };
}

/**
 * Before a camera people play alone: who was to play by itself becomes a person, and keeps a name that somebody gave it.
 * @param {Wanted[]} seated
 * @returns {Wanted[]}
 */
function peopleAlone(seated) {
  const usual = seated.map((_, at) => say("page.start.bot", { number: at + 1 }));
  /** @type {Wanted[]} */
  const people = [];
  for (const one of seated) {
    const name = one.is_bot && usual.includes(one.name) ? freeName([...seated, ...people], "page.start.player") : one.name;
    people.push({ ...one, name, is_bot: false });
  }
  return people;
}

/**
 * Begin a match, and remember how: the same is offered for the next of this game.
 * @param {Line} line
 * @param {Record<string, unknown>} wanted
 */
function begin(line, wanted) {
  keep(BEGUN, { ...recall(BEGUN, {}), [String(wanted.game)]: wanted });
  line.send({ type: "begin", ...wanted });
}

/** How the last match of a game was begun here. @param {string} game @returns {Record<string, any> | null} */
function lastBegun(game) {
  return recall(BEGUN, /** @type {Record<string, any>} */ ({}))[game] ?? null;
}

/** @param {{rule: HouseRule, value: unknown, setValue: (value: unknown) => void}} props */
function RuleInput({ rule, value, setValue }) {
  const id = `rule-${rule.name}`;
  const mayBeLeft = rule.kind === "switch" && rule.may_be_left;
  if (rule.kind === "switch" && !mayBeLeft) {
    return html`<label class="switch"><input type="checkbox" role="switch" checked=${Boolean(value)} onChange=${() => setValue(!value)} /> ${capital(rule.words)}</label>`;
  }
  const change = (/** @type {any} */ event) => {
    const text = event.currentTarget.value;
    setValue(text === "" ? (rule.may_be_left ? null : undefined) : mayBeLeft ? text === "true" : rule.kind === "number" ? Number(text) : text);
  };
  const values = mayBeLeft
    ? [{ value: "", words: say("page.start.usual") }, { value: "true", words: say("page.start.yes") }, { value: "false", words: say("page.start.no") }]
    : rule.values;
  return html`<div class="switch"><label for=${id}>${capital(rule.words)}</label>
    ${values?.length
      ? html`<select id=${id} value=${String(value ?? "")} onChange=${change}>
          ${values.map((one) => html`<option key=${one.value} value=${one.value}>${one.words}</option>`)}</select>`
      : html`<input id=${id} type=${rule.kind === "number" ? "number" : "text"} step="any" maxlength="64" value=${value ?? ""}
          placeholder=${say("page.start.usual")} onInput=${change} />`}
  </div>`;
}

/**
 * Who plays: names, bots and their strength; before a camera people play alone.
 * @param {{game: Game, players: Wanted[], setPlayers: (players: Wanted[]) => void, withBots: boolean}} props
 */
function WhoPlays({ game, players, setPlayers, withBots }) {
  const set = (/** @type {number} */ at, /** @type {Partial<Wanted>} */ change) => setPlayers(players.map((one, place) => (place === at ? { ...one, is_filler: false, ...change } : one)));
  const add = (/** @type {boolean} */ is_bot) => setPlayers([...players, is_bot ? newBot(players) : { name: freeName(players, "page.start.player"), is_bot, strength: 2 }]);
  const varies = game.min_players < game.max_players;
  return html`<fieldset><legend>${say("page.start.players")}</legend>
    <ul class="seats">
      ${players.map((player, at) => html`<li key=${at}>
        <label><span class="unseen">${say("page.start.name_of", { number: at + 1 })}</span>
          <input value=${player.name} maxlength="24" required pattern=".*\\S.*" onInput=${(/** @type {any} */ event) => set(at, { name: event.currentTarget.value })} /></label>
        ${player.is_bot && html`<label><span class="unseen">${say("page.start.strength_of", { name: player.name })}</span>
          <select value=${player.strength} onChange=${(/** @type {any} */ event) => set(at, { strength: /** @type {1 | 2 | 3} */ (Number(event.currentTarget.value)) })}>
            ${STRENGTHS.map((strength) => html`<option key=${strength} value=${strength}>${say(`page.strength.${strength}`)}</option>`)}</select></label>`}
        ${varies && html`<button type="button" class="small" disabled=${players.length <= game.min_players} aria-label=${say("page.start.remove", { name: player.name })}
          onClick=${() => setPlayers(players.filter((_, place) => place !== at))}>✕</button>`}
      </li>`)}
    </ul>
    ${varies && html`<div class="acts">
      <button type="button" class="small" disabled=${players.length >= game.max_players} onClick=${() => add(false)}>${say("page.start.add_player")}</button>
      ${withBots && html`<button type="button" class="small" disabled=${players.length >= game.max_players} onClick=${() => add(true)}>${say("page.start.add_bot")}</button>`}
    </div>`}
  </fieldset>`;
}

/**
 * One game before it begins.
 * @param {{game: Game, room: Room, line: Line, cameras: Source[], camera: string, setCamera: (source: string) => void, opening: unknown, guests: string[], onBack: () => void}} props
 */
function GameSetup({ game, room, line, cameras, camera, setCamera, opening, guests, onBack }) {
  const [seated, setPlayers] = useState(() => usualPlayers(game, guests));
  const players = camera ? peopleAlone(seated) : seated;
  const known = useRef(guests);
  useEffect(() => {
    const fresh = guests.filter((name) => !known.current.includes(name));
    known.current = [...known.current, ...fresh]; // one who was taken off stays off
    if (fresh.length) setPlayers((there) => withGuests(game, there, fresh));
  }, [guests.join("\n")]);
  const [last] = useState(() => lastBegun(game.name));
  const kept = Object.entries(last?.house ?? {}).filter(([name]) => game.house.some((rule) => rule.name === name));
  const [house, setHouse] = useState(/** @type {Record<string, unknown>} */ (Object.fromEntries(kept)));
  const [preset, setPreset] = useState(game.presets.find(({ name }) => name === last?.preset) ?? game.presets[0]);
  const [film, setFilm] = useState(false);
  const [clock, setClock] = useState(/** @type {{limit_s: number | null} | null} */ (last?.round_clock ?? null));
  const choose = (/** @type {any} */ event) => {
    setPreset(game.presets[event.currentTarget.selectedIndex]);
    setHouse({});
  };
  const [asked, ask] = useAsked(room);
  const submit = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    if (asked) return;
    ask();
    const named = players.map(({ name, is_bot, strength }) => ({ name: asName(name), is_bot, strength }));
    const people = named.filter(({ is_bot }) => !is_bot).map(({ name }) => name);
    for (const isBrief of [true, false]) keep(NAMES, people, isBrief);
    begin(line, { game: game.name, players: named, house, ...(preset.name ? { preset: preset.name } : {}), ...(camera ? { camera, film } : {}), ...(clock ? { round_clock: clock } : {}) });
  };
  return html`<form class="setup" onSubmit=${submit} aria-label=${game.title}>
    <h2>${game.title}</h2>
    <${WhoPlays} game=${game} players=${players} setPlayers=${setPlayers} withBots=${camera === ""} />
    ${cameras.length > 0 && html`<fieldset><legend>${say("page.start.where")}</legend>
      <label class="switch"><input type="radio" name="where" checked=${camera === ""} onChange=${() => setCamera("")} /> ${say("page.start.virtual")}</label>
      ${cameras.map((one) => html`<label class="switch" key=${one.source}><input type="radio" name="where" checked=${camera === one.source}
        onChange=${() => setCamera(one.source)} /> ${say("page.start.camera", { name: one.name })}</label>`)}
      ${opening}
      ${camera && html`<label class="switch"><input type="checkbox" role="switch" checked=${film} onChange=${() => setFilm(!film)} /> ${say("page.start.film")}</label>`}
    </fieldset>`}
    <fieldset><legend>${say("page.round_clock.title")}</legend>
      <label class="switch"><input type="checkbox" role="switch" checked=${clock !== null} onChange=${() => setClock(clock ? null : { limit_s: null })} /> ${say("page.round_clock.wanted")}</label>
      ${clock && html`<div class="switch"><label for="round-minutes">${say("page.round_clock.minutes")}</label>
        <input id="round-minutes" type="number" min="1" max="1440" value=${clock.limit_s === null ? "" : clock.limit_s / 60}
          onInput=${(/** @type {any} */ event) => setClock({ limit_s: 60 * Number(event.currentTarget.value) || null })} /></div>`}
    </fieldset>
    ${(game.house.length > 0 || game.presets.length > 1) && html`<fieldset class="house"><legend>${say("page.start.house")}</legend>
      ${game.presets.length > 1 && html`<div class="switch"><label for="preset">${say("page.start.preset")}</label>
        <select id="preset" value=${preset.name} aria-describedby="preset-means" onChange=${choose}>
          ${game.presets.map((one) => html`<option key=${one.name} value=${one.name}>${one.title}</option>`)}</select>
        <p id="preset-means" class="means">${capital(preset.means)}</p></div>`}
      ${game.house.map((rule) => html`<${RuleInput} key=${rule.name} rule=${rule} value=${rule.name in house ? house[rule.name] : preset.values[rule.name]}
        setValue=${(/** @type {unknown} */ value) => setHouse({ ...house, [rule.name]: value })} />`)}
    </fieldset>`}
    <details><summary>${say("page.start.rules")}</summary>
      <dl class="rules">${game.rules.map((rule) => html`<div key=${rule.number}><dt>${rule.number}</dt><dd>${rule.text}</dd></div>`)}</dl></details>
    <div class="foot"><${Refusal} room=${room} line=${line} /><button class="primary begin" autofocus onClick=${(/** @type {MouseEvent} */ event) => void (isSecond(event) && event.preventDefault())}>${say(asked ? "page.line.opening" : "page.start.begin")}</button>
      <button type="button" onClick=${onBack}>${say("page.start.back")}</button></div>
  </form>`;
}

/** How a match stands; a name that is written from right to left leaves its points behind it. @param {Match} match */
const standing = (match) => match.players.map((name, at) => html`${at ? ", " : ""}<bdi>${name}</bdi> ${match.scores[at]}`);

/** A match that is not finished: whose, how it stands, and when it was played last. @param {{match: Match, room: Room, line: Line}} props */
function Going({ match, room, line }) {
  const [asked, ask] = useAsked(room);
  const goOn = () => {
    if (asked) return;
    ask();
    line.send({ type: "resume", match: match.id });
  };
  const played = new Date(match.at.replace(" ", "T")).toLocaleString(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" });
  return html`<li><button type="button" class="small" onClick=${goOn}>
    <b>${match.title}</b> ${standing(match)} · ${asked ? say("page.line.opening") : played}</button><${FilmsOf} match=${match} /></li>`;
}

/** The films of a match, to be kept elsewhere or looked at. @param {{match: Match}} props */
function FilmsOf({ match }) {
  return Array.from({ length: match.films }, (_, at) => html` <a class="film-of" key=${at} href=${`/film/${encodeURIComponent(String(match.id))}/${at + 1}.avi`} download>
    ${match.films === 1 ? say("page.start.film_of") : say("page.start.film_part", { number: at + 1 })}</a>`);
}

/**
 * Take what the server lists at an address; what is there already stays where nothing comes.
 * @param {string} address
 * @param {(all: any[]) => void} take
 */
async function list(address, take) {
  const answer = await fetch(address).catch(() => null);
  if (answer?.ok) take(await answer.json());
}

/** What leaves that which is open on the start page; null while nothing is. @type {(() => void) | null} */
let leaveOpened = null;

/** Whether the browser is on its way back by itself: that takes time, and goes on when the view that wanted it is gone. */
let goesBack = false;

/** What is open has one step in the history; what is closed, by a match that begins too, none. */
function keepStep() {
  if (goesBack || (leaveOpened !== null) === (history.state === "inside")) return;
  history.scrollRestoration = "manual"; // a match that has begun by then must not be scrolled as far as the games were
  if (leaveOpened) return history.pushState("inside", "");
  goesBack = true;
  history.back();
}

window.addEventListener("popstate", () => {
  if (!goesBack) return leaveOpened?.();
  goesBack = false;
  keepStep(); // somebody may have opened another in the meantime, which stays
});

/**
 * The browser's Back leads out of what was opened here, not off the page.
 * @param {boolean} isInside
 * @param {() => void} leave
 */
function useBack(isInside, leave) {
  const top_px = window.scrollY; // before what is opened is drawn, which may be too short to be scrolled as far
  useLayoutEffect(() => { // before it is seen, so that no Back comes too early
    if (isInside) window.scrollTo(0, 0);
    leaveOpened = isInside ? leave : null;
    keepStep();
    return () => {
      leaveOpened = null;
      keepStep();
      if (isInside) window.scrollTo(0, top_px);
    };
  }, [isInside]);
}

/** @param {{room: Room, line: Line, wishes: Wishes}} props */
export function StartPage({ room, line, wishes }) {
  const [games, setGames] = useState(/** @type {Game[]} */ ([]));
  const [matches, setMatches] = useState(/** @type {Match[]} */ ([]));
  const [cameras, setCameras] = useState(/** @type {Source[]} */ ([]));
  const [told, setTold] = useState("");
  const [alone, setAlone] = useState(/** @type {"" | "puzzle" | "dice" | "print"} */ (""));
  const [chosen, setChosen] = useState(/** @type {Game | null} */ (null));
  useBack(alone !== "" || chosen !== null, () => {
    setAlone("");
    setChosen(null);
  });
  useEffect(() => {
    if (room.line !== "open") return; // with each new line: the server may have been started anew, with another camera
    list("/games", (all) => setGames(all.sort((one, other) => shelf(one) - shelf(other))));
    list("/matches", setMatches);
    list("/cameras", setCameras);
  }, [room.line]);
  const backToGames = () => {
    line.forgive(); // what was wrong with one game says nothing of the next
    setChosen(null);
  };
  /** The second tap of what has led here is none on what lies in its place. @param {() => void} open */
  const once = (open) => (/** @type {MouseEvent} */ event) => isSecondTap(event) || open();
  const going = matches.filter(({ is_finished }) => !is_finished);
  const goingAmong = (/** @type {Match[]} */ some) => html`<ul class="going">${some.map((match) => html`<${Going} key=${match.id} match=${match} room=${room} line=${line} />`)}</ul>`;
  const ended = matches.filter(({ is_finished }) => is_finished).slice(0, MOST_REPORTED);
  const camera = room.whole?.camera ?? null;
  const [asked, setSource] = useState(/** @type {string | null} */ (null));
  const source = asked ?? camera?.source ?? ""; // one that the server was started with is open already
  const [looked, note] = useAsked(room);
  const look = (/** @type {string} */ wanted) => {
    setSource(wanted);
    note();
    line.send({ type: "look", camera: wanted || null });
  };
  const opening = html`<p class="told" role="status">${looked && source && source !== PHONE && !camera && say("page.start.opening")}</p>`;
  const offered = games.find(({ name }) => name === camera?.offer?.name);
  const guests = (room.whole?.players ?? []).map(({ name }) => name);
  const back = { plain: plainly(wishes), onBack: () => setAlone("") };
  if (alone) return html`<main class="start-page"><h1 class="unseen">${say(`page.${alone}.title`)}</h1>${alone === "print" ? html`<${PrintPage} games=${games} onBack=${back.onBack} />` : alone === "puzzle" ? html`<${PuzzlePage} ...${back} />` : html`<${DicePage} ...${back} />`}</main>`;
  return html`<main class="start-page">
    <h1>${say("page.start.title")}</h1>
    ${!chosen && html`<${Refusal} room=${room} line=${line} />`}
    <${Asks}><${PhoneAsks} phone=${room.whole?.asking_phone ?? null} line=${line} /><//>
    <div class="start-columns"><div>${chosen
      ? html`<${GameSetup} key=${chosen.name} game=${chosen} room=${room} line=${line} cameras=${cameras} camera=${source} setCamera=${look} opening=${opening} guests=${guests} onBack=${backToGames} />`
      : html`
        ${cameras.length > 0 && html`<section class="looking" aria-label=${say("page.start.where")}>
          <label class="switch"><span>${say("page.start.where")}</span> <select value=${source} onChange=${(/** @type {any} */ event) => look(event.currentTarget.value)}>
            <option value="">${say("page.start.virtual")}</option>
            ${cameras.map((one) => html`<option key=${one.source} value=${one.source}>${say("page.start.camera", { name: one.name })}</option>`)}</select></label>
          ${opening}
          ${offered && html`<button type="button" class="primary" onClick=${() => setChosen(offered)}>${say("page.start.offer", { game: offered.title })}</button>`}
        </section>`}
        <p class="told" role="status">${!room.refused && room.whole?.notice}</p>
        ${going.length > 0 && html`<section aria-label=${say("page.start.go_on")}><h2>${say("page.start.go_on")}</h2>
          ${goingAmong(going.slice(0, MOST_SHOWN))}
          ${going.length > MOST_SHOWN && html`<details class="earlier"><summary>${say("page.start.earlier")}</summary>${goingAmong(going.slice(MOST_SHOWN))}</details>`}</section>`}
        <ul class="games">${games.map((game) => html`<li key=${game.name}><button type="button" onClick=${once(() => setChosen(game))}>
          <span class="faces-of" aria-hidden="true">${(FACES[game.name] ?? []).map(([kind, code]) => html`<${Drawn} key=${code} plain=${plainly(wishes)} silent
            piece=${{ kind, code, text: "", said: "" }} />`)}</span>
          <span class="name">${game.title}</span>
          <span class="seats-of">${game.min_players === game.max_players ? say("page.start.seats", { count: game.min_players }) : say("page.start.seats_to", { least: game.min_players, most: game.max_players })}</span>
        </button></li>`)}</ul>
        <div class="acts alone-too"><button type="button" onClick=${once(() => setAlone("puzzle"))}>${say("page.puzzle.title")}</button>
          <button type="button" onClick=${once(() => setAlone("dice"))}>${say("page.dice.title")}</button>
          <button type="button" onClick=${once(() => setAlone("print"))}>${say("page.print.title")}</button></div>
        ${ended.length > 0 && html`<details class="ended"><summary>${say("page.start.ended")}</summary>
          <ul>${ended.map((match) => html`<li key=${match.id}><a href=${`/report/${encodeURIComponent(String(match.id))}${back.plain && `?plain=${back.plain}`}`}>
            <b>${match.title}</b> ${standing(match)}</a><${FilmsOf} match=${match} /></li>`)}</ul></details>`}`}</div>
    <div class="looked">${source === PHONE && (!camera || room.whole?.lacks_phone) && html`<${PhoneSquares} />`}
      ${camera && source && html`<${Picture} camera=${camera} line=${line} tell=${setTold} />`}</div></div>
    <p class="told" role="status">${told}</p>
  </main>`;
}

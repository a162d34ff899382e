/** A phone that is the camera: opens its back camera, shows what it sees, and sends that, one picture in flight, the newest. */
import { keep, recall } from "./wishes.js";
import { loadWords, say } from "./words.js";

const TURNED = "visionset.turned";

/** More of a table than this no reader needs; a camera that has less gives what it has. */
const WANTED = { facingMode: { ideal: "environment" }, width: { ideal: 1920 }, height: { ideal: 1080 } };
const QUALITY = 0.85;

/** Between two pictures at least: a table is followed well at 15 a second, and the phone stays cool. */
const EACH_MS = 66;

/** What is sent while the host has not said yes: no picture leaves the phone before. */
const NOTHING = new Blob([]);

/** Between two pictures that nobody looks at, and until the line is tried again. */
const IDLE_MS = 1000;

/** Longer than this no picture is on its way: the line is dead, though nothing says so. */
const LATE_MS = 5000;

const film = /** @type {HTMLVideoElement} */ (document.getElementById("film"));
const again = /** @type {HTMLButtonElement} */ (document.getElementById("again"));
const canvas = document.createElement("canvas");
/** A phone that stands on its head does not turn its picture. Kept: a page that is opened anew must not turn the table amid a game. */
let isTurned = recall(TURNED, false);
/** Keeps the screen on. @type {WakeLockSentinel | null | undefined} */
let lock;

/** @param {string} id @param {string} text */
function write(id, text) {
  const place = document.getElementById(id);
  if (place && place.textContent !== text) place.textContent = text; // what is written again is read aloud again
}

/** @param {() => void} anew  what is tried once more */
function offer(anew) {
  again.onclick = anew;
  again.hidden = false;
}

/** Open the camera; false where it may not be opened, or there is none. */
async function open() {
  again.hidden = true;
  try {
    film.srcObject = await navigator.mediaDevices.getUserMedia({ video: WANTED, audio: false });
    await film.play();
    return true;
  } catch {
    write("told", say("page.camera.closed"));
    offer(run);
    return false;
  }
}

/** The table wants this camera no more: it films nothing, and the screen may sleep; whoever tries again asks anew. */
function close() {
  for (const track of /** @type {MediaStream} */ (film.srcObject).getTracks()) track.stop();
  document.removeEventListener("visibilitychange", stayAwake);
  lock?.release();
  offer(() => location.reload());
}

/** Whether the camera still gives pictures: another program may take it, and a phone that slept gives it back. */
function films() {
  const stream = /** @type {MediaStream | null} */ (film.srcObject);
  return stream !== null && stream.active && film.videoWidth > 0;
}

/** What it sees now. @returns {Promise<Blob | null>} */
function picture() {
  if (canvas.width !== film.videoWidth || canvas.height !== film.videoHeight) [canvas.width, canvas.height] = [film.videoWidth, film.videoHeight];
  const context = canvas.getContext("2d");
  if (isTurned) context?.setTransform(-1, 0, 0, -1, canvas.width, canvas.height);
  else context?.resetTransform();
  context?.drawImage(film, 0, 0);
  return new Promise((done) => canvas.toBlob(done, "image/jpeg", QUALITY));
}

/** Send a picture. @param {Blob} jpeg @returns {Promise<"seen" | "unseen" | "later" | "asking" | "turned_away" | "refused" | "lost">} */
async function send(jpeg) {
  try {
    const answer = await fetch("/frame", { method: "POST", body: jpeg, signal: AbortSignal.timeout(LATE_MS) });
    if (answer.ok) return (await answer.json()).is_seen ? "seen" : "unseen";
    if (answer.status !== 403) return "later";
    const { why } = await answer.json();
    return why === "asking" || why === "turned_away" ? why : "refused";
  } catch {
    return "lost";
  }
}

/** @param {boolean} turned */
function turn(turned) {
  isTurned = turned;
  keep(TURNED, isTurned);
  film.classList.toggle("is-turned", isTurned);
}

const pause = (/** @type {number} */ ms) => new Promise((done) => setTimeout(done, ms));

/** The screen stays on where the phone allows that: one that sleeps films nothing. */
async function stayAwake() {
  if (document.visibilityState === "visible") lock = await navigator.wakeLock?.request("screen").catch(() => null);
}

async function run() {
  let isAllowed = false;
  for (;;) {
    if (!films() && !(await open())) return;
    const began_ms = performance.now();
    /** @type {Blob | null} */
    const jpeg = document.visibilityState === "visible" ? await (isAllowed ? picture() : NOTHING) : null;
    /** @type {"seen" | "unseen" | "later" | "asking" | "turned_away" | "refused" | "lost"} */
    const became = jpeg === null ? "later" : await send(jpeg);
    if (became !== "later") write("told", say(`page.camera.${became}`));
    if (became === "refused" || became === "turned_away") return close();
    isAllowed = became === "seen" || became === "unseen" || (isAllowed && became !== "asking");
    await pause(became === "seen" ? Math.max(0, EACH_MS - (performance.now() - began_ms)) : IDLE_MS);
  }
}

await loadWords(document.documentElement.lang);
write("title", say("page.camera.title"));
again.textContent = say("page.camera.again");
const half = /** @type {HTMLButtonElement} */ (document.getElementById("half"));
half.textContent = say("page.camera.turn");
half.onclick = () => turn(!isTurned);
turn(isTurned);
document.addEventListener("visibilitychange", stayAwake);
stayAwake();
run();

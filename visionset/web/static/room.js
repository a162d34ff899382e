/** The line to the server: opens again by itself, keeps the newest state whole, hands pictures on. */

/** @typedef {import("./types.js").Whole} Whole */
/** @typedef {import("./types.js").Welcome} Welcome */

/**
 * @typedef {{line: "opening" | "open" | "lost", version: number, welcome: Welcome | null, whole: Whole | null, shown_ms: number,
 *   refused: {text: string, why: string, count: number} | null, unheard: number}} Room
 * `shown_ms` is when the state came, by this device's clock; `unheard` counts what people did while the line was lost.
 */

const FIRST_WAIT_MS = 250;

/** All are back within a second of the server, whoever lost the line when: a call runs for five, and who comes after it loses a point. */
const LONGEST_WAIT_MS = 1000;
const PICTURE_HEAD = 16;

/** What the page says by itself; all else somebody has pressed. */
const OWN = ["hello", "pong", "seen", "stream", "pause", "go_on"];

/** The server speaks each second; longer than this without a word, the line is dead, though nothing says so: a router that is off, a phone that slept. */
const SILENT_MS = 5000;

/** While the camera's pictures come, each word waits for the one before it, on a slow line that long. */
const SILENT_WITH_PICTURES_MS = 20_000;

/** Between two looks at whether the line is dead. */
const WATCH_MS = 1000;

/** A picture that was not taken so long ago that nobody draws it: the next may come. */
const PICTURE_PATIENCE_MS = 2000;

/** In which what was refused is read, however much others do meanwhile. */
const READING_MS = 6000;

/**
 * Join the table of this server.
 * @param {() => {seat?: string, name?: string, code?: string}} introduce  what to say first, asked again at each new line
 */
export function join(introduce) {
  /** @type {Room} */
  let room = { line: "opening", version: 0, welcome: null, whole: null, shown_ms: 0, refused: null, unheard: 0 };
  /** @type {Set<(room: Room) => void>} */
  const listeners = new Set();
  /** @type {Set<(jpeg: Blob) => Promise<void>>} */
  const painters = new Set();
  /** @type {WebSocket | null} */
  let socket = null;
  let wait_ms = FIRST_WAIT_MS;
  let timer = 0;
  let is_closed = false;
  /** Somebody has this name: asked again by itself, the page would take the seat as soon as whoever has it looks away. */
  let is_taken = false;
  /** What was last asked for of the camera's pictures: a new line knows nothing of it. @type {Record<string, unknown> | null} */
  let stream = null;
  /** When the line is dead if nothing is heard by then. */
  let due_ms = Infinity;
  /** Until when what was refused last is read: what happens later than that has nothing to do with it. */
  let read_ms = 0;

  /** @param {Partial<Room>} change */
  function become(change) {
    room = { ...room, ...change };
    for (const listener of listeners) listener(room);
  }

  /** Until when the next word or picture is waited for. */
  const patience = () => performance.now() + (stream?.on ? SILENT_WITH_PICTURES_MS : SILENT_MS);

  /** @param {Record<string, unknown>} message */
  function send(message) {
    if (message.type === "stream") {
      stream = message;
      due_ms = Math.max(due_ms, patience()); // a large picture may come before any word does
    }
    const isPressed = !OWN.includes(String(message.what ?? message.type));
    if (isPressed && room.refused !== null) become({ refused: null });
    if (isPressed && room.line === "lost") become({ unheard: room.unheard + 1 });
    else if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
  }

  /** @param {any} message */
  function hear(message) {
    switch (message.type) {
      case "welcome":
        wait_ms = FIRST_WAIT_MS;
        if (stream?.on) send(stream);
        // what an earlier line has shown stays no more than that until the table is there: its camera may take a while
        return become({ line: room.whole === null ? "open" : room.line, welcome: message });
      case "ping":
        return send({ type: "pong", n: message.n, t_ms: performance.now() });
      case "state":
        return become({ line: "open", unheard: 0, version: message.version, whole: message.whole, shown_ms: performance.now() });
      case "change": {
        // a gap is closed by a new line, which begins with the whole state
        if (room.whole === null || message.since !== room.version) return socket?.close();
        /** @type {any} */
        const whole = { ...room.whole, ...message.set };
        for (const key of message.gone) delete whole[key];
        if ("log" in message.set && performance.now() > read_ms) become({ refused: null });
        return become({ version: message.version, whole, shown_ms: performance.now() });
      }
      case "refused":
      case "error":
        is_taken = message.type === "error" && message.why === "name";
        if (is_taken) become({ whole: null }); // nor is what it showed of that seat its own any more
        read_ms = performance.now() + READING_MS;
        return become({ refused: { text: message.text, why: message.why ?? "", count: (room.refused?.count ?? 0) + 1 } });
    }
  }

  /** @param {ArrayBuffer} bytes */
  async function paint(bytes) {
    const n = new DataView(bytes).getUint32(0, true);
    const jpeg = new Blob([bytes.slice(PICTURE_HEAD)], { type: "image/jpeg" });
    const painted = Promise.allSettled([...painters].map((painter) => painter(jpeg)));
    await Promise.race([painted, new Promise((done) => setTimeout(done, PICTURE_PATIENCE_MS))]);
    send({ type: "seen", n });
  }

  function open() {
    clearTimeout(timer);
    if (is_closed || socket !== null) return;
    const opened = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws`);
    opened.binaryType = "arraybuffer";
    opened.onopen = () => send({ type: "hello", ...introduce() });
    opened.onmessage = (event) => {
      if (socket !== opened) return;
      due_ms = patience();
      if (typeof event.data === "string") hear(JSON.parse(event.data));
      else paint(event.data);
    };
    opened.onclose = () => {
      if (socket === opened) lose();
    };
    due_ms = performance.now() + SILENT_MS;
    socket = opened;
  }

  /** The line is gone: another is opened after a while. */
  function lose() {
    socket = null;
    if (is_closed) return;
    become({ line: "lost" });
    if (is_taken) return;
    timer = window.setTimeout(open, wait_ms * (0.75 + Math.random() / 2));
    wait_ms = Math.min(wait_ms * 2, LONGEST_WAIT_MS);
  }

  function watch() {
    const slept = performance.now() - watched_ms > 2 * WATCH_MS;
    watched_ms = performance.now();
    if (socket === null || watched_ms < due_ms || slept) return; // what came while this page slept is heard first
    socket.close(); // it says that it is closed when the other side has answered, which may take a minute
    lose();
  }

  /** Who comes back to the page, or finds the network again, waits no longer. */
  function hurry() {
    if (document.visibilityState === "visible" && socket === null && !is_taken) open();
  }

  document.addEventListener("visibilitychange", hurry);
  window.addEventListener("online", hurry);
  let watched_ms = performance.now();
  const watcher = setInterval(watch, WATCH_MS);
  open();

  return {
    get: () => room,
    send,
    /** @param {(room: Room) => void} listener */
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    /** @param {(jpeg: Blob) => Promise<void>} painter */
    onPicture(painter) {
      painters.add(painter);
      return () => void painters.delete(painter);
    },
    forgive: () => become({ refused: null }),
    leave() {
      is_closed = true;
      clearTimeout(timer);
      clearInterval(watcher);
      socket?.close();
    },
  };
}

/** @typedef {ReturnType<typeof join>} Line */

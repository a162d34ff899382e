/** The live picture of the camera, and what was read in it as vectors over it. */
import { useEffect, useRef } from "./vendor/hooks.js";
import { html } from "./html.js";
import { useArrows, useSize } from "./moving.js";
import { boxAround, LETTER_WIDTH, nameSpot, OptionalZones, Zones } from "./zones.js";
import { say } from "./words.js";

/** @typedef {import("./types.js").Camera} Camera */
/** @typedef {import("./types.js").Mark} Mark */
/** @typedef {import("./room.js").Line} Line */

/** No screen shows more of a table than this. */
const MOST_WIDTH = 1920;

/** How many pictures of a line are on the page: a new one may come before the old one goes, and the last that goes ends the stream. */
const shownOf = /** @type {WeakMap<Line, number>} */ (new WeakMap());

/** The kind of a card that lies face down: it shows no piece, and is not unread. */
const BACK = "card_back";

/** Height of a letter: a share of the picture's, and on the screen this at the least. */
const LETTER = 1 / 32;
const LEAST_LETTER_PX = 16;

/** How far a name may reach beyond its piece. */
const BEYOND = 1.3;

const points = (/** @type {[number, number][]} */ outline) => outline.map(([x, y]) => `${x},${y}`).join(" ");

/**
 * What those hear who do not see the page: the same words while numbers alone change, for seconds that count are no news.
 * @param {string} text
 */
export function useSaidOnce(text) {
  const said = useRef("");
  const plain = (/** @type {string} */ one) => one.replace(/[\d.,]+/g, "");
  if (plain(said.current) !== plain(text)) said.current = text;
  return said.current;
}

/** What is wrong with the picture, and what could be better. @param {{camera: Camera}} props */
export function Remarks({ camera }) {
  const lines = [camera.trouble, ...camera.remarks, ...camera.advice].filter(Boolean);
  const said = useSaidOnce(lines.join(". "));
  return html`<p class="unseen" role="status">${said}</p>${lines.map((text) => html`<p class="remark" aria-hidden="true" key=${text}>${text}</p>`)}`;
}

/**
 * @param {{camera: Camera, line: Line, tell: (text: string) => void, zones?: import("./types.js").Zone[] | null}} props  zones where they may be moved
 */
export function Picture({ camera, line, tell, zones = null }) {
  const canvas = useRef(/** @type {HTMLCanvasElement | null} */ (null));
  const [film, shown] = useSize();
  const { here, onKeyDown, stand } = useArrows([...camera.pieces.keys()]);
  useEffect(() => {
    const width = Math.min(MOST_WIDTH, Math.round((canvas.current?.clientWidth || 1280) * devicePixelRatio));
    shownOf.set(line, (shownOf.get(line) ?? 0) + 1);
    line.send({ type: "stream", on: true, width });
    const stop = line.onPicture(async (jpeg) => {
      const picture = await createImageBitmap(jpeg);
      const at = canvas.current;
      if (at !== null) {
        if (at.width !== picture.width || at.height !== picture.height) [at.width, at.height] = [picture.width, picture.height];
        at.getContext("2d")?.drawImage(picture, 0, 0);
      }
      picture.close();
    });
    return () => {
      stop();
      const left = (shownOf.get(line) ?? 1) - 1;
      shownOf.set(line, left);
      if (left === 0) line.send({ type: "stream", on: false, width });
    };
  }, [line]);
  const [width, height] = camera.size;
  const scale = Math.min(shown.width / width, shown.height / height) || 1;
  const letter = Math.max(height * LETTER, LEAST_LETTER_PX / scale);
  // a name without room would lie over its neighbour's: it is left out, and the piece says it when it is touched
  const fits = (/** @type {[number, number][]} */ outline, /** @type {string} */ text) => {
    const [left, , right] = boxAround(outline);
    return text.length * LETTER_WIDTH * letter <= BEYOND * (right - left);
  };
  /** Below the piece, in the middle. */
  const label = (/** @type {[number, number][]} */ outline, /** @type {string} */ text) => {
    const [left, , right, bottom] = boxAround(outline);
    return html`<text x=${(left + right) / 2} y=${Math.min(height - letter * 0.3, bottom + letter)} font-size=${letter} text-anchor="middle">${text}</text>`;
  };
  const pieces = camera.pieces.map(({ outline }) => boxAround(outline));
  const move = (/** @type {{name: string, box: [number, number, number, number] | null}[]} */ moved) => line.send({ type: "zones", zones: moved });
  return html`<section class="picture" aria-label=${say("page.picture.title")}>
    <div class="film" ref=${film} style=${{ aspectRatio: `${width} / ${height}` }}>
      <canvas ref=${canvas} width=${width} height=${height} aria-hidden="true"></canvas>
      <svg viewBox=${`0 0 ${width} ${height}`} role="group" aria-label=${say("page.picture.read", { count: camera.pieces.length })} onKeyDown=${onKeyDown}>
        ${camera.pieces.map((seen, at) => {
          const isUnread = !seen.piece && seen.kind !== BACK;
          const name = seen.piece?.said ?? say(isUnread ? "page.picture.unread" : "page.picture.face_down");
          const press = (/** @type {KeyboardEvent} */ event) => (event.key === "Enter" || event.key === " ") && tell(name);
          return html`<g key=${seen.track} class=${`seen ${isUnread ? "is-unread" : ""}`} role="button" data-stop=${at} tabindex=${at === here ? 0 : -1} aria-label=${name}
            onFocus=${() => stand(at)}
            onClick=${() => tell(name)} onKeyDown=${press}><polygon class="under" points=${points(seen.outline)} /><polygon class="over" points=${points(seen.outline)} />${seen.text && fits(seen.outline, seen.text) && label(seen.outline, seen.text)}</g>`;
        })}
        ${camera.marks.filter(({ tone }) => !(zones && tone === "zone")).map((mark, at) => html`<g key=${`mark-${at}`} class=${`mark tone-${mark.tone}`} aria-hidden="true">
          <polygon class="under" points=${points(mark.outline)} /><polygon class="over" points=${points(mark.outline)} />
          ${mark.text && (mark.tone === "zone" ? html`<text ...${nameSpot(boxAround(mark.outline), mark.text, letter, pieces)} font-size=${letter}>${mark.text}</text>` : label(mark.outline, mark.text))}</g>`)}
        ${zones && html`<${Zones} zones=${zones.filter(({ box }) => box !== null)} size=${camera.size} letter=${letter} pieces=${pieces} onMove=${move} />`}
      </svg>
    </div>
    ${zones && html`<${OptionalZones} zones=${zones} onMove=${move} />`}
    <${Remarks} camera=${camera} />
  </section>`;
}

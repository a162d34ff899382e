/** A link as a QR code, and in letters for phones that do not scan. */
import { useEffect, useState } from "./vendor/hooks.js";
import { html } from "./html.js";
import { say } from "./words.js";

/** @param {{path: string, alt: string}} props  where the picture is, whose answer names the link too */
export function Squares({ path, alt }) {
  const [link, setLink] = useState("");
  useEffect(() => {
    fetch(path).then((answer) => setLink(answer.headers.get("x-join-link") ?? ""), () => {});
  }, [path]);
  return html`<img class="qr" src=${path} alt=${alt} /><p class="link">${link}</p>`;
}

/** How a phone becomes the camera. */
export function PhoneSquares() {
  return html`<section class="phone-camera" aria-label=${say("page.start.phone_qr")}>
    <p>${say("page.start.phone_camera")}</p><${Squares} path="/camera-qr.svg" alt=${say("page.start.phone_qr")} /></section>`;
}

/** Markup as tagged templates: the one place that binds htm to preact. */
import { h } from "./vendor/preact.js";
import htm from "./vendor/htm.js";
import { isHeard } from "./wishes.js";

const KEYS = "aria-keyshortcuts";

/**
 * An element as Preact makes one, which names no key that does nothing.
 * @param {any} type
 * @param {Record<string, any> | null} props
 * @param {...any} children
 */
function element(type, props, ...children) {
  const key = String(props?.[KEYS] ?? "").split("+").pop(); // of an answer it is a number
  return h(type, key && !isHeard(key) ? { ...props, [KEYS]: undefined } : props, ...children);
}

export const html = htm.bind(element);

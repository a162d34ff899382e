/** Markup as tagged templates: the one place that binds htm to preact. */
import { h } from "./vendor/preact.js";
import htm from "./vendor/htm.js";

export const html = htm.bind(h);

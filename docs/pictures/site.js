/* What screen readers and keys miss in the theme: wide tables are scrolled by keys, and lists within lists are no landmarks of their own. */
const mend = () => {
  for (const one of document.querySelectorAll(".md-typeset__scrollwrap")) one.tabIndex = 0;
  for (const one of document.querySelectorAll("nav nav, .md-code__nav, .md-sidebar nav nav")) {
    for (const name of ["aria-label", "aria-labelledby", "aria-expanded"]) one.removeAttribute(name);
    one.setAttribute("role", "none");
  }
};
new MutationObserver(mend).observe(document.documentElement, { childList: true, subtree: true, attributeFilter: ["aria-expanded"] });
document.addEventListener("DOMContentLoaded", mend);

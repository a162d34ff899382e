"""The law of the page's looks: what is wrong with a view, in words. Every length is in CSS pixels."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page

AXE = (Path(__file__).parent / "vendor" / "axe.min.js").read_text(encoding="utf-8")
LEAST_PX = 16
LEAST_PROMPT_PX = 28
LEAST_CONTROL_PX = 24
LEAST_TOUCH_PX = 44
RING_PX = 6
"""How far the ring around what has the focus stands out."""

PHONE_PX = 640
"""A screen that is no wider is touched with a thumb."""

PROMPT_CONTRAST = 7.0


def axe_faults(page: Page) -> list[str]:
    """What axe finds, of any grade."""
    page.evaluate(AXE)
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [f"{one['id']}: {node['target']} {node['html'][:120]}" for one in found["violations"] for node in one["nodes"]]


def settle(page: Page) -> None:
    """Wait until all pictures are there and nothing moves."""
    page.wait_for_function("() => [...document.querySelectorAll('img')].every(one => one.complete)")
    page.evaluate("document.getAnimations().forEach(one => one.finish())")


def faults(page: Page, axe: bool = True) -> list[str]:
    """What is wrong with a view, in words."""
    settle(page)
    told = axe_faults(page) if axe else []
    is_phone = page.evaluate("innerWidth") <= PHONE_PX
    told += [f"small: {one}" for one in page.evaluate(SMALL, LEAST_PX - 0.01)]
    told += [f"small in the picture: {one}" for one in page.evaluate(SMALL_IN_PICTURE, LEAST_PX - 0.1)]
    told += [f"small prompt: {one}" for one in page.evaluate(PROMPTS_PX) if one < LEAST_PROMPT_PX]
    told += [f"small prompt of the table: {one}" for one in page.evaluate(TABLE_PROMPT)]
    told += [f"prompt contrast {one:.1f}" for one in page.evaluate(PROMPTS_CONTRAST) if one < PROMPT_CONTRAST]
    told += [f"cut: {one}" for one in page.evaluate(CUT)]
    told += [f"cut in height: {one}" for one in page.evaluate(CUT_HEIGHT)]
    told += [f"small control: {one}" for one in page.evaluate(SMALL_CONTROLS, LEAST_TOUCH_PX if is_phone else LEAST_CONTROL_PX)]
    told += [f"overlap: {one}" for one in page.evaluate(OVERLAPS)]
    told += [f"covered: {one}" for one in page.evaluate(COVERED)]
    told += [f"key read out: {one}" for one in page.evaluate(KEYS_READ_OUT)]
    told += [f"Tab stops: {one}" for one in page.evaluate(TAB_STOPS)]
    told += [f"asked out of sight: {one}" for one in page.evaluate(ASKED)]
    if not is_phone:  # which has no keys
        told += [f"cut ring: {one}" for one in page.evaluate(CUT_RINGS, RING_PX)]
    wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    return told + ([f"{wide} px wider than the screen"] if wide > 0 else [])


SMALL = """least => [...document.querySelectorAll('body *')].filter(one => one.checkVisibility() && !one.closest('svg, noscript') &&
    [...one.childNodes].some(node => node.nodeType === 3 && node.data.trim()) && parseFloat(getComputedStyle(one).fontSize) < least)
    .map(one => one.outerHTML.slice(0, 120))"""

SMALL_IN_PICTURE = """least => [...document.querySelectorAll('.film text')].filter(one => one.checkVisibility() &&
    parseFloat(one.getAttribute('font-size')) * one.ownerSVGElement.getScreenCTM().a < least).map(one => one.outerHTML.slice(0, 120))"""
"""Text over the live picture that is too small as the screen shows it."""

CUT = """() => [...document.querySelectorAll('body *')].filter(one => one.checkVisibility() && !one.closest('svg, .unseen') &&
    [...one.childNodes].some(node => node.nodeType === 3 && node.data.trim()) && one.clientWidth > 0 &&
    one.scrollWidth > one.clientWidth + 1).map(one => one.outerHTML.slice(0, 120))"""
"""Text that is wider than its place."""

CUT_HEIGHT = """() => [...document.querySelectorAll('body *')].filter(one => one.checkVisibility() && !one.closest('svg, .unseen') &&
    [...one.childNodes].some(node => node.nodeType === 3 && node.data.trim()) && one.clientHeight > 0 &&
    ['hidden', 'clip'].includes(getComputedStyle(one).overflowY) && one.scrollHeight > one.clientHeight + 1)
    .map(one => one.outerHTML.slice(0, 120))"""
"""Text that is higher than a place that hides the rest."""

SMALL_CONTROLS = """least => [...document.querySelectorAll('button, select, input, summary, a[href]')].filter(one => {
    if (one.matches('p a')) return false;  // within a sentence it is as high as the line
    const boxes = [one, one.closest('label')].filter(Boolean).map(part => part.getBoundingClientRect());
    return one.checkVisibility() && !one.closest('.unseen') && boxes.every(box => Math.min(box.width, box.height) < least - .1);
}).map(one => one.outerHTML.slice(0, 120))"""
"""What is too small for a finger; the label of a switch may be pressed in its place."""

OVERLAPS = """() => {
    const root = document.querySelector('dialog[open]') ?? document.body;
    const controls = 'button, select, input, summary, a[href]';
    const isSeen = one => one.checkVisibility() && !one.closest('svg, .unseen, .ghost');
    const clipped = (box, from) => {
        let { left, top, right, bottom } = box;
        for (let one = from; one && one !== document.body; one = one.parentElement) {
            if (getComputedStyle(one).overflow === 'visible') continue;
            const frame = one.getBoundingClientRect();
            [left, top] = [Math.max(left, frame.left), Math.max(top, frame.top)];
            [right, bottom] = [Math.min(right, frame.right), Math.min(bottom, frame.bottom)];
        }
        return { left, top, right, bottom };
    };
    const layer = from => {
        for (let one = from; one && one !== root; one = one.parentElement) {
            if (['sticky', 'fixed', 'absolute'].includes(getComputedStyle(one).position)) return one;
        }
        return root;
    };
    const items = [...root.querySelectorAll(controls)].filter(isSeen)
        .map(one => ({ one, box: clipped(one.getBoundingClientRect(), one.parentElement), layer: layer(one) }));
    const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
        const one = texts.currentNode.parentElement;
        if (!texts.currentNode.data.trim() || !isSeen(one) || one.closest('select, script, style, noscript')) continue;
        const range = document.createRange();
        range.selectNodeContents(texts.currentNode);
        for (const { left, top, right, bottom } of range.getClientRects()) {
            const air = (bottom - top) * .22;  // letters fill less than their line's box
            items.push({ one, box: clipped({ left, top: top + air, right, bottom: bottom - air }, one), layer: layer(one) });
        }
    }
    const named = one => (one.textContent.trim() || one.outerHTML).slice(0, 60);
    const told = [];
    items.forEach((a, at) => items.slice(at + 1).forEach(b => {
        if (a.layer !== b.layer || a.one === b.one || a.one.contains(b.one) || b.one.contains(a.one)) return;
        const across = Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left);
        const down = Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top);
        if (across > 1.5 && down > 1.5) told.push(`${named(a.one)} / ${named(b.one)} by ${across.toFixed()} x ${down.toFixed()}`);
    }));
    return told;
}"""
"""Controls and words of one layer that lie over each other, as far as they are seen."""

COVERED = """() => {
    const root = document.querySelector('dialog[open]') ?? document.body;
    const before = scrollY;
    const told = [...root.querySelectorAll('button, select, input, summary, a[href]')].filter(one => {
        if (!one.checkVisibility() || one.closest('.unseen')) return false;
        const isHit = () => {
            const box = one.getClientRects()[0];
            const hit = document.elementFromPoint((box.left + box.right) / 2, (box.top + box.bottom) / 2);
            // what is asked may lie over the table, which is to be looked at then, but not the empty frame of it, unless
            // that scrolls; so may the way to another phone, until it is shut again, and that there is more, over the more
            return hit !== null && (one.contains(hit) || one.closest('label')?.contains(hit) ||
                (hit.closest('.asks > *, .asks:has(> .more-below), .below .phone-camera') && one.closest('.table')) ||
                (hit.closest('.more-below') && one.closest('.asks')));
        };
        if (isHit()) return false;
        return !['center', 'start', 'end', 'nearest'].some(block => {
            one.scrollIntoView({ block, behavior: 'instant' });
            return isHit();
        });
    }).map(one => one.outerHTML.slice(0, 120));
    document.querySelectorAll('.asks, .scroll').forEach(one => one.scrollTo(0, 0));
    scrollTo({ top: before, behavior: 'instant' });
    return told;
}"""
"""Controls that no pointer reaches, however the page is scrolled."""

CUT_RINGS = """reach => [...document.querySelectorAll('button, select, input, summary, a[href], [tabindex]')].filter(one => {
    if (!one.checkVisibility() || one.tabIndex < 0 || one.closest('.unseen, svg')) return false;
    const box = one.getBoundingClientRect();
    const sides = { X: ['left', 'right', 'Width'], Y: ['top', 'bottom', 'Height'] };
    return Object.entries(sides).some(([axis, [first, last, length]]) => {
        for (let at = one.parentElement; at && at !== document.body; at = at.parentElement) {
            const looks = getComputedStyle(at);
            if (looks[`overflow${axis}`] === 'visible' || looks.display === 'contents') continue;
            if (at[`scroll${length}`] > at[`client${length}`]) return false;
            const frame = at.getBoundingClientRect();
            if (box[first] - reach < frame[first] - .5 || box[last] + reach > frame[last] + .5) return true;
        }
        return false;
    });
}).map(one => one.outerHTML.slice(0, 120))"""
"""Controls whose ring, when keys lead to them, is cut by the edge of what they are in, and that does not scroll."""

KEYS_READ_OUT = """() => [...document.querySelectorAll('button kbd')]
    .filter(one => one.ariaHidden !== 'true' || !one.closest('button').hasAttribute('aria-keyshortcuts'))
    .map(one => one.closest('button').outerHTML.slice(0, 120))"""
"""Buttons whose key is part of their name: whoever does not see them hears "Undo⇧U"."""

TAB_STOPS = """() => [...document.querySelectorAll('[role=group], svg')]
    .filter(one => one.checkVisibility() && one.querySelector('[data-stop], .seen'))
    .map(one => ({ one, stops: [...one.querySelectorAll('[data-stop], .seen')].filter(stop => stop.tabIndex >= 0) }))
    .filter(({ stops }) => stops.length !== 1).map(({ one, stops }) => `${stops.length} in ${one.outerHTML.slice(0, 100)}`)"""
"""Fields of pieces or cells that take another number of stops than one."""

ASKED = """() => {
    const told = [];
    const before = scrollY;
    for (const at of [0, document.documentElement.scrollHeight]) {
        scrollTo({ top: at, behavior: 'instant' });
        for (const ask of document.querySelectorAll('.ask')) {
            const frame = ask.closest('.asks') ?? ask;
            const more = [...frame.querySelectorAll('.more-below')].find(one => one.checkVisibility());
            const isIn = one => {
                const [{ top, bottom }, around] = [one, frame].map(part => part.getBoundingClientRect());
                return top >= Math.max(0, around.top) - 1 && bottom <= Math.min(innerHeight, around.bottom) + 1;
            };
            if (more && !isIn(more)) told.push(`at ${at}: more below`);
            [...ask.querySelectorAll('.ask-title, button')].filter(one => one.checkVisibility() && !isIn(one) && !more)
                .forEach(one => told.push(`at ${at}: ${one.outerHTML.slice(0, 120)}`));
        }
    }
    scrollTo({ top: before, behavior: 'instant' });
    return told;
}"""
"""What is asked, or a button that answers, where people would have to scroll, at the top of the page and at its end."""

TABLE_PROMPT = """() => [...document.querySelectorAll('.table-page .prompts > .prompt')].filter(one =>
    innerWidth >= 640 && parseFloat(getComputedStyle(one).fontSize) < innerHeight / 20 - .1).map(one => getComputedStyle(one).fontSize)"""
"""Prompts that nobody reads from two metres: less than 5 % of the height, except on a phone."""

PROMPTS_PX = "[...document.querySelectorAll('.prompt')].map(one => parseFloat(getComputedStyle(one).fontSize))"
PROMPTS_CONTRAST = """[...document.querySelectorAll('.prompts .prompt')].map(one => {
    const light = text => {
        const parts = text.match(/[0-9.]+/g).slice(0, 3).map(part => part / 255);
        const [r, g, b] = parts.map(part => part <= .04045 ? part / 12.92 : ((part + .055) / 1.055) ** 2.4);
        return .2126 * r + .7152 * g + .0722 * b;
    };
    const [ink, paper] = [light(getComputedStyle(one).color), light(getComputedStyle(one.closest('.prompts')).backgroundColor)];
    return (Math.max(ink, paper) + .05) / (Math.min(ink, paper) + .05);
})"""

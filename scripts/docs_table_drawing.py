"""Where the laptop stands: a table from the side, drawn with its distances, in each language."""

from __future__ import annotations

WORDS = {
    "en": ("tilt the lid forward", "30 to 60 cm", "light from the side or above", "no lamp mirrored here", "cards"),
    "de": ("Deckel nach vorn neigen", "30 bis 60 cm", "Licht von der Seite oder oben", "hier keine Lampe gespiegelt", "Karten"),
}
TITLES = {"en": "A laptop before a table, from the side", "de": "Ein Laptop vor einem Tisch, von der Seite"}


def laptop(language: str) -> str:
    """The drawing in a language."""
    tilt, far, light, mirrored, cards = WORDS[language]
    text = 'font-family="Arial, Helvetica, sans-serif" font-size="15" fill="#1d1b20"'
    return f"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 300" role="img"><title>{TITLES[language]}</title>
<rect width="640" height="300" rx="8" fill="#eef3f1"/>
<path d="M20 240H620V252H20Z" fill="#b98a5a"/>
<path d="M60 234H190V240H60Z" fill="#4a4a52"/>
<path d="M66 234L112 96L118 98L73 235Z" fill="#4a4a52"/>
<circle cx="113" cy="103" r="5" fill="#1f5a52"/>
<path d="M113 103L300 236M113 103L560 236" stroke="#1f5a52" stroke-width="1.5" stroke-dasharray="6 4" fill="none"/>
<path d="M113 103L300 236H560Z" fill="#1f5a52" opacity=".1"/>
<path d="M300 237H350M365 237H415M430 237H480M495 237H545" stroke="#e4572e" stroke-width="5"/>
<path d="M300 270H190M196 265L190 270L196 275M294 265L300 270L294 275" stroke="#1d1b20" stroke-width="1.5" fill="none"/>
<circle cx="520" cy="48" r="18" fill="#f4c542"/>
<path d="M505 68L470 150M520 72L505 160M535 68L545 150" stroke="#c79a1a" stroke-width="2" stroke-dasharray="3 4"/>
<text x="30" y="84" {text}>{tilt}</text>
<text x="192" y="290" {text}>{far}</text>
<text x="400" y="276" {text}>{cards}</text>
<text x="494" y="28" text-anchor="end" {text}>{light}</text>
<text x="405" y="178" {text}>{mirrored}</text>
</svg>
"""

/** Reading aloud, by voices of this device alone: what is said at a table goes to nobody else. */

/** @returns {SpeechSynthesisVoice | null} */
function localVoice() {
  if (!("speechSynthesis" in window)) return null;
  const voices = speechSynthesis.getVoices().filter((voice) => voice.localService);
  const language = document.documentElement.lang;
  return voices.find((voice) => voice.lang.toLowerCase().startsWith(language)) ?? null;
}

export function canSpeak() {
  return localVoice() !== null;
}

/**
 * Say something; it takes the place of what is being said.
 * @param {string} text
 */
export function speak(text) {
  const voice = localVoice();
  if (voice === null || !text) return;
  const said = new SpeechSynthesisUtterance(text);
  said.voice = voice;
  said.lang = voice.lang;
  speechSynthesis.cancel();
  speechSynthesis.speak(said);
}

export function hush() {
  if ("speechSynthesis" in window) speechSynthesis.cancel();
}

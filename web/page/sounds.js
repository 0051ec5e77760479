/** @file Three short tones, off until the viewer turns them on: a play, the viewer's turn, a gang. */

import { prefer, preference } from "./preferences.js";

/** Frequencies in hertz, one after the other. */
const TONES = { play: [330], turn: [523, 659], gang: [392, 523, 784] };
const LENGTH = 0.09;
const VOLUME = 0.08;

/** @type {AudioContext | null} */
let context = null;

export function hasSounds() {
  return preference("sounds", "off") === "on";
}

/** Turns sounds on or off, and plays one when they are on. */
export function switchSounds() {
  prefer("sounds", hasSounds() ? "off" : "on");
  sound("turn");
}

/** @param {keyof typeof TONES} name */
export function sound(name) {
  if (!hasSounds() || document.hidden) return;
  context ??= new AudioContext();
  TONES[name].forEach((frequency, place) => tone(/** @type {AudioContext} */ (context), frequency, place * LENGTH));
}

/**
 * @param {AudioContext} audio
 * @param {number} frequency
 * @param {number} after seconds
 */
function tone(audio, frequency, after) {
  const begin = audio.currentTime + after;
  const source = new OscillatorNode(audio, { type: "triangle", frequency });
  const gain = new GainNode(audio, { gain: 0 });
  gain.gain.linearRampToValueAtTime(VOLUME, begin + 0.01);
  gain.gain.exponentialRampToValueAtTime(0.0001, begin + 2 * LENGTH);
  source.connect(gain).connect(audio.destination);
  source.start(begin);
  source.stop(begin + 2 * LENGTH);
}

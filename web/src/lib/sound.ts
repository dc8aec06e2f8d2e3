// Five short dry sounds, made of tones, not files. They are off until somebody turns them on.

import { prefs } from "./prefs.svelte";

export type Sound = "turn" | "refused" | "talk" | "time" | "end";

/** A tone: when it begins and how long it is in seconds, its pitch in hertz, how loud from 0 to 1, its form. */
type Tone = [at: number, long: number, pitch: number, loud: number, form?: OscillatorType];

const SOUNDS: Record<Sound, readonly Tone[]> = {
  turn: [
    [0, 0.12, 523, 0.5],
    [0.1, 0.2, 784, 0.5],
  ],
  refused: [
    [0, 0.09, 185, 0.5, "triangle"],
    [0.1, 0.14, 147, 0.5, "triangle"],
  ],
  talk: [[0, 0.07, 988, 0.25]],
  time: [[0, 0.04, 1319, 0.3, "triangle"]],
  end: [
    [0, 0.16, 523, 0.45],
    [0.14, 0.16, 659, 0.45],
    [0.28, 0.4, 784, 0.45],
  ],
};

let context: AudioContext | null = null;

/** Plays a sound, if sounds are on. A browser that can't play sound, or doesn't allow it yet, stays silent. */
export function play(sound: Sound): void {
  // Before the first click a browser holds tones back, and would play them all at once later.
  if (!prefs.sound || navigator.userActivation?.hasBeenActive === false) return;
  try {
    context ??= new AudioContext();
    void context.resume().catch(() => undefined);
    for (const tone of SOUNDS[sound]) strike(context, tone);
  } catch {
    // Then it stays silent.
  }
}

function strike(on: AudioContext, [at, long, pitch, loud, form = "sine"]: Tone): void {
  const begin = on.currentTime + at;
  const tone = on.createOscillator();
  const volume = on.createGain();
  tone.type = form;
  tone.frequency.value = pitch;
  // A few milliseconds to rise and the rest to fade: a hard edge would click.
  volume.gain.setValueAtTime(0, begin);
  volume.gain.linearRampToValueAtTime(loud * 0.4, begin + 0.008);
  volume.gain.exponentialRampToValueAtTime(0.001, begin + long);
  tone.connect(volume).connect(on.destination);
  tone.start(begin);
  tone.stop(begin + long + 0.02);
}

// Music that follows the game: synthesised, off by default, silent while the page is hidden. It knows the figures of
// the frame shown and nothing else: how tense it is, and who is ahead.

import { keep, kept } from "../../lib/store";

type Figures = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** How tense a moment is, from 0 to 1, for the seat in greater danger. */
export function tensionOf(figures: Figures): number {
  return Math.max(0, Math.min(1, ...[Math.max(0, ...Object.values(figures["tension"] ?? {}))]));
}

/** Who is ahead: by the health of the base, then by the value of towers; null if nobody is. */
export function aheadOf(figures: Figures): string | null {
  for (const figure of ["health", "worth"]) {
    const [[a, x] = ["", 0], [b, y] = ["", 0]] = Object.entries(figures[figure] ?? {});
    if (x !== y) return x > y ? a : b;
  }
  return null;
}

// Steps of a minor scale above A, in semitones. Red's motif climbs, blue's descends, nobody's rests.
const MOTIFS: Readonly<Record<string, readonly (number | null)[]>> = {
  red: [0, null, 3, 5, 7, null, 5, null, 8, null, 7, 3, 5, null, null, null],
  blue: [12, null, 10, 8, 7, null, 8, null, 5, null, 7, 3, 0, null, null, null],
  "": [0, null, null, null, 7, null, null, null, 3, null, null, null, 5, null, null, null],
};
const BASS = [0, 0, -4, -2]; // one bar each
const A = 220;
const AHEAD = 0.25; // seconds that notes are scheduled in advance
const LOOK = 100; // ms between two checks
const LAYERS = { drum: 0.15, bass: 0.3, choir: 0.55 } as const; // tension from which each is heard

const pitch = (halfTones: number, octave = 0): number => A * 2 ** (octave + halfTones / 12);

class Music {
  on = $state(false);
  volume = $state(kept<number>("demons.volume") ?? 0.5);
  private tension = 0;
  private ahead = "";
  private context: AudioContext | null = null;
  private out: GainNode | null = null;
  private timer = 0;
  private next = 0; // when the next note is due
  private beat = 0;

  constructor() {
    document.addEventListener("visibilitychange", () => (document.hidden ? this.hush() : this.on && this.sound()));
  }

  /** The moment shown now. */
  follow(figures: Figures): void {
    this.tension = tensionOf(figures);
    this.ahead = aheadOf(figures) ?? "";
  }

  /** Called by a button: browsers don't allow sound that nobody asked for. */
  toggle(): void {
    this.on = !this.on;
    if (this.on) this.sound();
    else this.hush();
  }

  setVolume(volume: number): void {
    this.volume = volume;
    keep("demons.volume", volume);
    if (this.context && this.out) this.out.gain.setTargetAtTime(0.5 * volume, this.context.currentTime, 0.05);
  }

  /** The board is gone. */
  leave(): void {
    this.on = false;
    this.hush();
    void this.context?.close();
    this.context = this.out = null;
  }

  private sound(): void {
    if (!this.context) {
      this.context = new AudioContext();
      this.out = new GainNode(this.context, { gain: 0.5 * this.volume });
      const soft = new DynamicsCompressorNode(this.context, { threshold: -18, ratio: 6 });
      this.out.connect(soft).connect(this.context.destination);
    }
    void this.context.resume();
    this.next = this.context.currentTime + 0.1;
    clearInterval(this.timer);
    this.timer = window.setInterval(() => this.write(), LOOK);
  }

  private hush(): void {
    clearInterval(this.timer);
    void this.context?.suspend();
  }

  /** Schedules the notes that are due soon: eight to a bar, faster when it is tense. */
  private write(): void {
    if (!this.context) return;
    while (this.next < this.context.currentTime + AHEAD) {
      this.play(this.next, this.beat++);
      this.next += 30 / (76 + 44 * this.tension);
    }
  }

  private play(at: number, beat: number): void {
    const { tension } = this;
    const root = BASS[Math.floor(beat / 8) % BASS.length]!;
    const layer = (from: number): number => Math.max(0, Math.min(1, (tension - from) / 0.15));
    const note = (MOTIFS[this.ahead] ?? MOTIFS[""]!)[beat % 16];
    if (note !== null && note !== undefined) this.tone("triangle", pitch(note), at, 0.5, 0.1);
    if (beat % 8 === 0) this.tone("sine", pitch(root, -1), at, 3, 0.12, 0.6);
    const bass = layer(LAYERS.bass);
    if (bass && beat % 2 === 0) this.tone("sawtooth", pitch(root, -2), at, 0.35, 0.09 * bass, 0.01, 420);
    const drum = layer(LAYERS.drum);
    if (drum && beat % 4 === 0) this.drum(at, 0.5 * drum);
    if (drum && tension > 0.4 && beat % 4 === 3) this.drum(at, 0.25 * drum);
    const choir = layer(LAYERS.choir);
    if (choir && beat % 8 === 0) for (const third of [0, 3, 7]) this.tone("sawtooth", pitch(root + third), at, 3.2, 0.03 * choir, 0.9, 900);
  }

  /** One note that swells in `rise` seconds and dies away; `dull` takes the highs off. */
  private tone(type: OscillatorType, frequency: number, at: number, long: number, loud: number, rise = 0.02, dull = 0): void {
    const context = this.context!;
    const voice = new OscillatorNode(context, { type, frequency });
    const level = new GainNode(context, { gain: 0 });
    level.gain.setValueAtTime(0, at);
    level.gain.linearRampToValueAtTime(loud, at + rise);
    level.gain.exponentialRampToValueAtTime(0.0001, at + long);
    const filter = dull ? new BiquadFilterNode(context, { type: "lowpass", frequency: dull }) : null;
    (filter ? voice.connect(filter) : voice).connect(level).connect(this.out!);
    voice.start(at);
    voice.stop(at + long + 0.05);
  }

  private drum(at: number, loud: number): void {
    const context = this.context!;
    const skin = new OscillatorNode(context, { frequency: 120 });
    const level = new GainNode(context, { gain: loud });
    skin.frequency.setValueAtTime(120, at);
    skin.frequency.exponentialRampToValueAtTime(42, at + 0.14);
    level.gain.setValueAtTime(loud, at);
    level.gain.exponentialRampToValueAtTime(0.0001, at + 0.28);
    skin.connect(level).connect(this.out!);
    skin.start(at);
    skin.stop(at + 0.3);
  }
}

export const music = new Music();

import type { Grounds } from '../grounds.ts';
import type { Section } from '../ledger.ts';
import type { Random } from '../random.ts';

/** What a hostile input is tried with. */
export interface Scene {
  section: Section;
  grounds: Grounds;
  random: Random;
}

/** A hole that an attack found once, tried again. */
export interface Row {
  name: string;
  /** Whether it mostly waits for the clock, so that it may go on beside others. */
  waits?: true;
  run(scene: Scene): Promise<void>;
}

/** A text with a secret word, and enough around it to be a memory of some size. */
export function textWith(word: string, bytes = 0): string {
  return `The safe opens with ${word} on Sundays. ${'It rained on the town all day. '.repeat(Math.ceil(bytes / 31))}`;
}

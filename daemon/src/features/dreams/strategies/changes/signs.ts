import type { SlotClash } from './clashes.ts';
import type { Line } from './notes.ts';
import { type Pair, type RawSigns, rawSignsOf } from './raw-signs.ts';
import type { Worth } from './stating.ts';
import { reasonOf, type Weighed, weighed } from './weighing.ts';
import type { Words } from './words.ts';

/** What tells whether the newer of two memories speaks against the older one, each about 0..1, and the values that differ. */
export function signsOf(pair: Pair, words: Words, worth: Worth): ReadSigns | undefined {
  const read = rawSignsOf(pair, words, worth);
  if (!read) return undefined;
  const { raw, clash } = read;
  const [a, b] = pair.lines;
  const isDenied = raw.opposite > 0 || (raw.flip > 0.5 && raw.mass > 0.2);
  // Said anew in the same words, and without another value.
  const says = Math.max(raw.slot, 0.6 * raw.opposite, 0.5 * raw.flip, 0.6 * raw.swap, raw.stance);
  const isRepeated = (raw.here > 0.8 && raw.back > 0.8 && says < 0.3) || areEqual(a, b);
  const signs = weighed(raw);
  const isPossible = !isRepeated && reasonOf(signs) >= LEAST_REASON;
  return { signs, raw, clash, isDenied, isPossible };
}

/** Without a value that differs, a word against the other, somebody else, or a word of change there is nothing to judge. */
const LEAST_REASON = 0.01;

export interface ReadSigns {
  readonly signs: Weighed;
  readonly raw: RawSigns;
  readonly clash: SlotClash | undefined;
  readonly isDenied: boolean;
  readonly isPossible: boolean;
}

/** Whether two lines have the same words that tell, numbers among them. */
function areEqual(a: Line, b: Line): boolean {
  return a.has.size === b.has.size && a.has.isSubsetOf(b.has) && a.denied.size === b.denied.size;
}

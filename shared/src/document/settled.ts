import { type Hlc, wallOf } from './clock.ts';
import type { VersionName } from './register.ts';

/** The key that facts about settled conflicts stand under in a bucket: no memory has it, so that programs which know none pass them over. */
export const SETTLED = '';

/** Facts of a bucket that are kept, and for how long, ms: who was away for longer settles a conflict of then once more. */
export const MOST_SETTLED = 100;
const KEPT_FOR = 30 * 24 * 3_600_000;

/** The slot that says that a conflict is settled, by the version that lost; its text is the stamp of the decision. */
export const settledSlot = ({ device, incarnation, hlc }: VersionName): string =>
  `${SETTLED}\0${device}\0${incarnation}\0${hlc}`;

/** The version whose conflict a slot says to be settled; undefined for any other slot. */
export function readSettled(slot: string): VersionName | undefined {
  const [key, device, incarnation, hlc, ...more] = slot.split('\0');
  if (key !== SETTLED || !device || !incarnation || !hlc || more.length > 0) return undefined;
  const stamp = Number(hlc);
  return Number.isSafeInteger(stamp) && stamp >= 0 ? { device, incarnation, hlc: stamp } : undefined;
}

/** Facts that go when another one is written then: old ones, and the oldest of many. */
export function outdatedFacts(facts: readonly (readonly [slot: string, at: Hlc])[], hlc: Hlc): string[] {
  return [...facts]
    .sort(([, a], [, b]) => b - a)
    .filter(([, at], index) => index >= MOST_SETTLED - 1 || wallOf(at) < wallOf(hlc) - KEPT_FOR)
    .map(([slot]) => slot);
}

import { type Reading, readingOf } from '../reading.ts';
import { type Clash, clashesOf } from '../stances.ts';
import type { DreamView } from '../strategy.ts';
import { candidatesOf, type Nominated } from './candidates.ts';
import { type Note, noteOf } from './notes.ts';
import { linesOf, type Pair, type Signs, signsOf } from './signs.ts';
import type { SlotClash } from './clashes.ts';
import { createWords } from './words.ts';

/** Two memories of which the newer may speak against the older, with what tells whether it does. */
export interface ReadPair {
  readonly pair: Pair;
  readonly signs: Signs;
  readonly clash: SlotClash | undefined;
  readonly stance: Clash | undefined;
  /** Whether one denies what the other says. */
  readonly isDenied: boolean;
}

export interface Watch {
  isStopped: () => boolean;
  step: (done: number, total: number) => void;
}

/** All pairs of a namespace that are worth judging. */
export function pairsOf(view: DreamView, { isStopped, step }: Watch): ReadPair[] {
  const reading = readingOf(view);
  const words = createWords();
  const notes = new Map<number, Note>();
  const stances = stancesOf(reading, isStopped);
  const noted = (id: number): Note | undefined => {
    const memory = reading.byId.get(id);
    let note = notes.get(id);
    if (!note && memory) notes.set(id, (note = noteOf(memory, reading, words)));
    return note;
  };
  const nominated = withStances(candidatesOf(reading, view), stances);
  const found: ReadPair[] = [];
  for (const [index, place] of nominated.entries()) {
    if (index % 500 === 0) {
      if (isStopped()) break;
      step(index, nominated.length);
    }
    const [older, newer] = [noted(place.older), noted(place.newer)];
    if (!older || !newer || isTogether(older, newer)) continue;
    const lines = linesOf(older, newer);
    if (!lines) continue;
    const stance = stances.get(nameOf(place));
    const pair = { older, newer, lines, place, isStance: stance !== undefined };
    const { signs, clash, isDenied, isPossible } = signsOf(pair, words);
    if (isPossible) found.push({ pair, signs, clash, stance, isDenied });
  }
  return found;
}

const nameOf = ({ older, newer }: { older: number; newer: number }): string => `${older} ${newer}`;

function stancesOf(reading: Reading, isStopped: () => boolean): Map<string, Clash> {
  return new Map(
    clashesOf(reading, isStopped).map((clash) => [
      nameOf({ older: clash.older.sentence.of.memory.id, newer: clash.newer.sentence.of.memory.id }),
      clash,
    ]),
  );
}

/** With the pairs that stand against each other, and that no other way found. */
function withStances(nominated: readonly Nominated[], stances: ReadonlyMap<string, Clash>): Nominated[] {
  const known = new Set(nominated.map(nameOf));
  const added = [...stances].flatMap(([name, { older, newer }]) =>
    known.has(name)
      ? []
      : [
          {
            older: older.sentence.of.memory.id,
            newer: newer.sentence.of.memory.id,
            rankForNewer: 12,
          },
        ],
  );
  return [...nominated, ...added];
}

/** In one conversation: what is said later there is said knowing what was said before. */
function isTogether({ memory: { memory: a } }: Note, { memory: { memory: b } }: Note): boolean {
  return a.session !== null && a.session === b.session;
}

import { type Reading, readingOf } from '../reading.ts';
import { type Clash, clashesOf } from '../stances.ts';
import type { DreamView } from '../strategy.ts';
import { aliasesOf } from './aliases.ts';
import { candidatesOf, type Nominated } from './candidates.ts';
import { type Note, noteOf } from './notes.ts';
import { linesOf, type Pair } from './raw-signs.ts';
import { signsOf } from './signs.ts';
import type { SlotClash } from './clashes.ts';
import { likelihoodOf } from './judgement.ts';
import { ALONE, rivalsOf, type Signs } from './rivals.ts';
import { statingOf } from './stating.ts';
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

/** The pairs of a namespace that may contradict each other, and how each is read. */
export interface PairReader {
  readonly nominated: readonly Nominated[];
  /** Undefined where there is nothing to compare; `isPossible` is false where nothing tells that the two differ. */
  read(place: Nominated): (ReadPair & { readonly isPossible: boolean }) | undefined;
}

export function pairReader(view: DreamView, isStopped: () => boolean): PairReader {
  const reading = readingOf(view);
  const words = createWords(aliasesOf(reading));
  const notes = new Map<number, Note>();
  const stances = stancesOf(reading, isStopped);
  const { stating, worth } = statingOf(reading);
  const noted = (id: number): Note | undefined => {
    const memory = reading.byId.get(id);
    let note = notes.get(id);
    if (!note && memory) notes.set(id, (note = noteOf(memory, reading, words)));
    return note;
  };
  return {
    nominated: withStances(candidatesOf(reading, view, stating), stances),
    read(place) {
      const [older, newer] = [noted(place.older), noted(place.newer)];
      if (!older || !newer || isTogether(older, newer)) return undefined;
      const closest = linesOf([older, newer], worth, words);
      if (!closest) return undefined;
      const stance = stances.get(nameOf(place));
      const { lines, sharing } = closest;
      const pair = { older, newer, lines, sharing, place, isStance: stance !== undefined };
      const read = signsOf(pair, words, worth);
      return read && { pair, stance, ...read, signs: { ...read.signs, ...ALONE } };
    },
  };
}

/** All pairs of a namespace that are worth judging. */
export function pairsOf(view: DreamView, { isStopped, step }: Watch): ReadPair[] {
  const { nominated, read } = pairReader(view, isStopped);
  const found: ReadPair[] = [];
  for (const [index, place] of nominated.entries()) {
    if (index % 500 === 0) {
      if (isStopped()) break;
      step(index, nominated.length);
    }
    const pair = read(place);
    if (pair?.isPossible) found.push(pair);
  }
  const rivals = rivalsOf(
    found.map(({ pair, signs }) => ({ older: pair.place.older, newer: pair.place.newer, signs })),
  );
  return found.map((pair, at) => ({ ...pair, signs: { ...pair.signs, ...(rivals[at] ?? ALONE) } }));
}

/** All compared pairs of a namespace with how likely the newer speaks against the older, the likeliest first. */
export function likelyPairsOf(
  view: DreamView,
  watch: Watch,
): readonly (ReadPair & { readonly likelihood: number })[] {
  return pairsOf(view, watch)
    .map((pair) => ({ ...pair, likelihood: likelihoodOf(pair.signs) }))
    .sort(
      (a, b) =>
        b.likelihood - a.likelihood ||
        a.pair.place.older - b.pair.place.older ||
        a.pair.place.newer - b.pair.place.newer,
    );
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

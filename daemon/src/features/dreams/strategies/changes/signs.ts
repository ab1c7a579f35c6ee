import { align, flipOf, termsOf, windowOf } from './alignment.ts';
import type { Nominated } from './candidates.ts';
import { namingOf } from './naming.ts';
import { isOpen } from './cues.ts';
import { cosineOf, type Line, type Note } from './notes.ts';
import { areOpposite } from './opposites.ts';
import { agrees, clashOf, type SlotClash } from './clashes.ts';
import { areTwins } from './twins.ts';
import type { Words } from './words.ts';

export interface Pair {
  readonly older: Note;
  readonly newer: Note;
  /** The lines that come closest: there the contradiction is, if there is one. */
  readonly lines: readonly [Line, Line];
  readonly place: Nominated;
  /** Whether the two are known to stand against each other: `allergic to fish` and `ordered the trout`. */
  readonly isStance: boolean;
}

/** The lines of two memories that are most alike, those that speak of a change first. */
export function linesOf(older: Note, newer: Note): readonly [Line, Line] | undefined {
  let best: { at: readonly [Line, Line]; score: number } | undefined;
  for (const a of older.lines)
    for (const b of newer.lines) {
      if (a.terms.length === 0 || b.terms.length === 0) continue;
      const shared = a.terms.reduce((sum, { term, weight }) => sum + (b.has.has(term) ? weight : 0), 0);
      const score = cosineOf(a, b) + 0.2 * Math.min(2, shared) + 0.12 * b.cues.change + 0.1 * b.saysChange;
      if (!best || score > best.score) best = { at: [a, b], score };
    }
  return best?.at;
}

/** What tells whether the newer of two memories speaks against the older one, each about 0..1, and the values that differ. */
export function signsOf(pair: Pair, words: Words) {
  const { older, newer, place } = pair;
  const [a, b] = pair.lines;
  const near = windowOf(newer, b);
  const here = align(a.terms, [...termsOf(near), ...newer.keyTerms], words);
  const back = align(b.terms, [...termsOf(windowOf(older, a)), ...older.keyTerms], words);
  const names = namingOf(pair, near, words);
  const clash = bestClash([a, b], near, words);
  const cue = Math.max(
    b.saysChange,
    0.6 * b.cues.change,
    ...near.map(({ saysChange, cues }) => Math.max(0.8 * saysChange, 0.45 * cues.change)),
  );
  const opposite = Number(near.some((line) => areOpposite(a.sentence.text, line.sentence.text)));
  const flip = Math.max(...near.map((line) => flipOf(a, line, words)));
  const mass = Math.min(3, here.mass) / 3;
  const slot = clash ? Math.max(0.1, clash.fit) : 0;
  const says = Math.max(slot, 0.6 * opposite, 0.5 * flip, 0.6 * names.swap, Number(pair.isStance));
  const days = Math.abs(newer.memory.day - older.memory.day);
  const signs = {
    cosine: Math.max(0, cosineOf(older, newer)),
    mass,
    strongest: here.strongest,
    sharedName: names.shared,
    cueCovered: cue * here.share,
    cueMass: cue * mass,
    slotCue: slot * cue,
    isClass: Number(clash?.older.kind.startsWith('class') ?? false),
    stance: Number(pair.isStance),
    flipCue: flip * cue * here.share,
    swap: names.swap,
    kin: names.kin,
    namesakes: names.namesakes,
    twins: Number(
      areTwins(a, b, {
        older: (term) => older.memory.terms.has(term),
        newer: (term) => newer.memory.terms.has(term),
      }),
    ),
    onceOlder: a.cues.once,
    readings: b.cues.reading * a.cues.reading,
    once: b.cues.once,
    beside: b.cues.beside,
    still: b.cues.still * (1 - cue),
    besideOlder: a.cues.beside,
    agrees: Number(!clash && agrees(a, b)),
    rankForNewer: 1 / (1 + place.rankForNewer),
    lengthNewer: Math.min(0.6, newer.terms.length / 24),
    present: b.tense.present,
    presentOlder: a.tense.present,
    days: Math.min(1, days / 45),
  };
  const isClaimed = !isOpen(a.sentence.text) && !isOpen(b.sentence.text) && !isOver(a);
  const isRepeated = here.share > 0.8 && back.share > 0.8 && says < 0.3;
  const isDenied = opposite > 0 || (flip > 0.5 && mass > 0.2);
  // Without a value that differs, a word against the other, somebody else, or a word of change there is nothing to judge.
  const isPossible =
    (clash !== undefined && (clash.fit > 0.2 || (cue > 0.7 && signs.cueMass > 0.15))) ||
    pair.isStance ||
    isDenied ||
    names.swap * cue > 0.25 ||
    signs.cueCovered > 0.3;
  return { signs, clash, isDenied, isPossible: isClaimed && !isRepeated && isPossible };
}
export type Signs = ReturnType<typeof signsOf>['signs'];
export type Sign = keyof Signs;

/** What happened once is no state that could end. */
const isOver = ({ tense }: Line): boolean => tense.past > 0 && tense.present === 0;

/** The best clash of a line with the other one, or with what stands beside that. */
function bestClash(
  [a, b]: readonly [Line, Line],
  near: readonly Line[],
  words: Words,
): SlotClash | undefined {
  const here = clashOf(a, b, words);
  return near.reduce<SlotClash | undefined>((best, line) => {
    if (line === b) return best;
    const there = clashOf(a, line, words);
    return there && 0.7 * there.fit > (best?.fit ?? -1) ? { ...there, fit: 0.7 * there.fit } : best;
  }, here);
}

import { sharedLeaning } from '../../../../language/attribute-leanings.ts';
import { align, flipOf, rejectionOf, termsOf, windowOf } from './alignment.ts';
import type { Nominated } from './candidates.ts';
import { namingOf } from './naming.ts';
import { isOpen } from './cues.ts';
import { cosineOf, type Line, type Note } from './notes.ts';
import { areOpposite } from './opposites.ts';
import { marksOf } from '../marks.ts';
import { agrees, agreesBeside, clashOf, type SlotClash } from './clashes.ts';
import { type Shared, type Sharing, sharingOf } from './sharing.ts';
import type { Worth } from './stating.ts';
import { hasPassed, holdsElsewhere } from './places.ts';
import { areOfOthers, haveOtherOwners } from './possessors.ts';
import { bareTerms, standingOf } from './standing.ts';
import { comparedValues } from './comparing.ts';
import { occasionsOf } from './occasions.ts';
import { entitiesOf } from './entities.ts';
import { headsOf } from './heads.ts';
import { subjectsOf, subjectsUnder } from './subjects.ts';
import { isToldChange } from './told.ts';
import { areTwins } from './twins.ts';
import type { Words } from './words.ts';

export interface Pair {
  readonly older: Note;
  readonly newer: Note;
  /** The lines that come closest: there the contradiction is, if there is one. */
  readonly lines: readonly [Line, Line];
  readonly sharing: Sharing;
  readonly place: Nominated;
  /** Whether the two are known to stand against each other: `allergic to fish` and `ordered the trout`. */
  readonly isStance: boolean;
}

export interface Lines {
  readonly lines: readonly [Line, Line];
  readonly sharing: Sharing;
}

/** How surely two lines state one attribute, and nobody else does. */
const stateOf = (shared: Shared | undefined, worth: Worth): number =>
  shared ? shared.strength * worth(shared.older.attribute.a) : 0;

/** The lines of two memories that are most alike, those that speak of a change first. */
export function linesOf(
  [older, newer]: readonly [Note, Note],
  worth: Worth,
  words: Words,
): Lines | undefined {
  let best: (Lines & { score: number }) | undefined;
  for (const a of older.lines)
    for (const b of newer.lines) {
      if (a.terms.length === 0 || b.terms.length === 0) continue;
      const shared = a.terms.reduce((sum, { term, weight }) => sum + (b.has.has(term) ? weight : 0), 0);
      const sharing = sharingOf([a, b], worth, words);
      const score =
        cosineOf(a, b) +
        0.2 * Math.min(2, shared) +
        0.12 * b.cues.change +
        0.1 * b.saysChange +
        0.4 * Math.max(stateOf(sharing.shared, worth), sharing.otherMember) +
        0.3 * (sharing.ended?.strength ?? 0);
      if (!best || score > best.score) best = { lines: [a, b], sharing, score };
    }
  return best;
}

/** All that is read of two memories, each sign by itself; undefined where they claim nothing, or nothing tells that they differ. */
export function rawSignsOf(pair: Pair, words: Words, worth: Worth) {
  const { older, newer, place, sharing } = pair;
  const [a, b] = pair.lines;
  const near = windowOf(newer, b);
  if (isOpen(a.sentence.text) || isOpen(b.sentence.text)) return undefined;
  const clash = bestClash([a, b], near, words);
  const cue = Math.max(
    b.saysChange,
    0.6 * b.cues.change,
    ...near.map(({ saysChange, cues }) => Math.max(0.8 * saysChange, 0.45 * cues.change)),
  );
  const flip = Math.max(...near.map((line) => flipOf(a, line, words)));
  const rejection = rejectionOf(a, near);
  const isOpposite = near.some((line) => areOpposite(a.sentence.text, line.sentence.text));
  // Most pairs end here, before what takes long.
  const isApart = clash !== undefined || sharing.shared !== undefined || sharing.ended !== undefined;
  const isAgainst = flip > 0 || rejection.sure > 0 || isOpposite || pair.isStance || cue > 0;
  if (!isApart && !isAgainst && sharing.otherMember === 0) return undefined;
  const here = align(bareTerms(a, newer, sharing), [...termsOf(near), ...newer.keyTerms], words);
  const back = align(
    bareTerms(b, older, sharing),
    [...termsOf(windowOf(older, a)), ...older.keyTerms],
    words,
  );
  const names = namingOf(pair, near, words);
  const mass = Math.min(3, here.mass) / 3;
  const slot = clash ? Math.max(0.1, clash.fit) : 0;
  const days = Math.abs(newer.memory.day - older.memory.day);
  const stated = stateOf(sharing.shared, worth);
  const values = sharing.shared?.values;
  const isClass = clash?.older.kind.startsWith('class') ?? false;
  const isLoose = clash?.older.isLoose ?? false;
  const isPassed =
    clash?.older.kind === 'date' &&
    hasPassed([clash.older.norm, clash.newer.norm], [older.memory.day, newer.memory.day]);
  const heads = headsOf(pair, words);
  const subjects = subjectsUnder(subjectsOf(pair, words), heads.both * heads.tells);
  const entities = entitiesOf(pair, words);
  const raw = {
    sameSubject: subjects.same,
    otherSubject: subjects.other,
    unnamed: Number(subjects.isUnnamed),
    ...standingOf(pair, words),
    over: Number(isOver(a) || WAS_SO.test(a.sentence.text) || isPassed),
    elsewhere: Number(holdsElsewhere(a, newer) || holdsElsewhere(b, older)),
    opinion: Number(marksOf(b.sentence.text).opinion),
    agreesToo: Number(clash !== undefined && agreesBeside(a, b, clash)),
    long: Math.min(1, (older.lines.length + newer.lines.length - 2) / 8),
    slot,
    firmSlot: isClass || isLoose ? 0 : slot,
    classSlot: isClass ? slot : 0,
    looseSlot: isLoose ? slot : 0,
    rejected: rejection.sure,
    rejectedValue: rejection.value,
    opposite: Number(isOpposite),
    flip,
    flipCue: flip * cue * here.share,
    cue,
    cueCovered: cue * here.share,
    leaning: sharedLeaning(a.stated.leaning, b.stated.leaning),
    statedDiffers: Math.max(values === 'differ' ? stated : 0, sharing.otherMember),
    statedSame: values === 'same' ? stated : 0,
    statedOpen: values === 'open' ? stated : 0,
    statedCue: stated * cue,
    ended: sharing.ended?.strength ?? 0,
    held: sharing.ended ? 0 : sharing.held,
    here: here.share,
    back: back.share,
    cosine: Math.max(0, cosineOf(older, newer)),
    mass,
    strongest: here.strongest,
    sharedName: names.shared,
    stance: Number(pair.isStance),
    swap: names.swap,
    swapCue: names.swap * cue,
    kin: names.kin,
    namesakes: names.namesakes,
    otherOwner: Number(haveOtherOwners(a, b)),
    otherPerson: Number(areOfOthers(a, b)),
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
    agrees: Number(!clash && agrees(a, b)),
    rankForNewer: 1 / (1 + place.rankForNewer),
    lengthNewer: Math.min(0.6, newer.terms.length / 24),
    present: b.tense.present,
    presentOlder: a.tense.present,
    ...occasionsOf(pair, near),
    ...comparedValues(pair.lines, clash, words),
    told: Number(isToldChange(b.sentence)),
    headBoth: heads.both,
    headTells: heads.both * heads.tells,
    otherEntity: entities.other,
    sharedEntity: entities.shared,
    week: Number(days <= 8),
    days: Math.min(1, days / 45),
  };
  return { raw, clash };
}
export type RawSigns = NonNullable<ReturnType<typeof rawSignsOf>>['raw'];

/** What was so before, and is not claimed to be any more. */
const WAS_SO =
  /(?<!\p{L})(?:used to|until (?:last|the end of|\d{4})|formerly|previously|originally|at first|back then|as a child|in those days|früher|damals|autrefois|antes)(?!\p{L})/iu;

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

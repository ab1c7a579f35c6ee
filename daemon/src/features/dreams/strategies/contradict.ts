import { closeOf } from './changes/close.ts';
import type { ClosePair } from './changes/frame-slots.ts';
import { ENOUGH } from './changes/judgement.ts';
import { likelyPairsOf, type ReadPair } from './changes/pairs.ts';
import { isToldChange } from './changes/told.ts';
import { contradictSheets } from '../disagreeing/sheets.ts';
import { marksOf } from './marks.ts';
import { type ReadSentence, readingOf } from './reading.ts';
import type { Proposal, Strategy } from './strategy.ts';
import { dayOf, shorten } from './telling.ts';

const MOST = 20;
/** Of those that are worded alike nine of ten and more were right in the open sets (docs/decisions/0016). */
const SURE = 0.9;

/**
 * Finds a newer memory that says of something what an older one says otherwise, without saying that it changed (refine.ts proposes that as an
 * update). First sentences nearly the same word for word; then pairs that are nominated by likeness and rare words, read for signs (a value
 * that differs where the words around it are alike, a denial, somebody else), and judged by a fitted model.
 */
export const contradict: Strategy = {
  name: 'contradict',
  sheets: contradictSheets,
  run(view, { progress, cancelled }) {
    const reading = readingOf(view);
    const { pairs: close, mayHold } = closeOf(reading, cancelled);
    const judged = likelyPairsOf(view, { isStopped: cancelled, step: progress }).filter(
      ({ likelihood, pair: { lines } }) =>
        likelihood >= ENOUGH &&
        !isToldChange(lines[1].sentence) &&
        !mayHold(lines[0].sentence.of, lines[1].sentence.of) &&
        !lines.some(({ sentence: { text } }) => marksOf(text).plan),
    );
    // What is best explained by one partner is no contradiction of a second one.
    const taken = new Set<number>();
    const isFree = (...sides: readonly ReadSentence[]): boolean => {
      const ids = sides.map(({ of }) => of.memory.id);
      if (ids.some((id) => taken.has(id))) return false;
      for (const id of ids) taken.add(id);
      return true;
    };
    return [
      ...close.filter(({ older, newer }) => isFree(older, newer)).map(closeProposal),
      ...judged
        .filter(({ pair: { lines } }) => isFree(lines[0].sentence, lines[1].sentence))
        .map((read) => proposalOf(read, read.likelihood)),
    ].slice(0, MOST);
  },
};

function closeProposal({ older, newer, slot }: ClosePair): Proposal {
  const [a, b] = [older.of, newer.of];
  const said = slot.isDenial
    ? `said of ${dayOf(a)}, and denied on ${dayOf(b)}`
    : `${slot.from} (${dayOf(a)}) or ${slot.to} (${dayOf(b)})`;
  const why = slot.isDenial
    ? 'what one says the other denies, in nearly the same words'
    : `one says ${slot.from}, the other ${slot.to}, in nearly the same words`;
  return proposed([older, newer], {
    said,
    why,
    confidence: SURE,
    content: slot.isDenial ? 'contradiction told otherwise' : contentOf(slot.norms),
  });
}

function proposalOf(read: ReadPair, likelihood: number): Proposal {
  const { said, why } = reasonOf(read);
  const { clash, pair } = read;
  return proposed([pair.lines[0].sentence, pair.lines[1].sentence], {
    said,
    why,
    confidence: Number(likelihood.toFixed(2)),
    content: clash ? contentOf([clash.older.norm, clash.newer.norm]) : 'contradiction told otherwise',
  });
}

const contentOf = (norms: readonly [string, string]): string =>
  `contradiction ${[...norms].sort().join(' / ')}`;

interface Said {
  readonly said: string;
  readonly why: string;
  readonly confidence: number;
  readonly content: string;
}

function proposed(
  [older, newer]: readonly [ReadSentence, ReadSentence],
  { said, why, confidence, content }: Said,
): Proposal {
  const [a, b] = [older.of, newer.of];
  return {
    strategy: 'contradict',
    title: shorten(`${a.memory.key}, ${b.memory.key}: ${said}?`, 200),
    body: `"${a.memory.key}" of ${dayOf(a)} and "${b.memory.key}" of ${dayOf(b)} do not seem to go together: ${why}. The newer one, "${b.memory.key}", is more likely right.`,
    evidence: [older, newer].map(({ of, text }) => ({ key: of.memory.key, sentence: text })),
    confidence,
    content,
  };
}

/** What of it made the judgement, in words. */
function reasonOf({ pair, clash, stance, isDenied }: ReadPair): { said: string; why: string } {
  const [old, now] = [dayOf(pair.older.memory), dayOf(pair.newer.memory)];
  if (stance) {
    const [one, other] = [stance.older.said, stance.newer.said];
    return {
      said: `"${one}" (${old}) or "${other}" (${now})`,
      why: `one says "${one}", the other "${other}", of the same thing; where health depends on it, ask`,
    };
  }
  if (clash) {
    const [one, other] = [clash.older.text, clash.newer.text];
    return {
      said: `${one} (${old}) or ${other} (${now})`,
      why: `one says ${one}, the other ${other}, of what seems to be the same`,
    };
  }
  if (isDenied)
    return { said: `said of ${old}, and denied on ${now}`, why: `what one says the other denies` };
  return { said: `as on ${old}, or as on ${now}`, why: `they are about the same, and say it otherwise` };
}

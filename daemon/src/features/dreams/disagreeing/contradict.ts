import { type ReadMemory, readNamespace, type ReadSentence } from '../notes/reading.ts';
import type { Proposal, Strategy } from '../strategies/strategy.ts';
import { longDate, shorten } from '../notes/day-and-quote.ts';
import { contradictingFacts, type FactPair } from './facts.ts';
import { alikeIn } from './pairs.ts';
import { contradictSheets } from './sheets.ts';
import type { Slot } from './slot.ts';
import { questionOf } from './question.ts';
import { statedDay } from './stated-day.ts';

const MOST = 20;
const SURE = { alike: 0.9, facts: 0.8 } as const;

/**
 * Finds two memories that cannot both hold, and of which none says that something changed: worded alike but for one slot, or of one subject and
 * attribute by their facts. When they were stored decides nothing but which is called the newer one.
 */
export const contradict: Strategy = {
  name: 'contradict',
  sheets: contradictSheets,
  async run(view, { model, progress, cancelled, leaves }) {
    const reading = readNamespace(view);
    const { slots, left } = await alikeIn(reading, cancelled);
    if (left > 0 && !model)
      leaves?.(
        `${left} ${left === 1 ? 'pair is' : 'pairs are'} worded alike and may go together; a model would tell`,
        left,
      );
    progress(1, 2);
    const facts = contradictingFacts(view, reading);
    progress(2, 2);
    // What is best explained by one partner is no contradiction of a second one.
    const taken = new Set<number>();
    const isFree = (sides: readonly ReadSentence[]): boolean => {
      const ids = sides.map(({ of }) => of.memory.id);
      if (ids.some((id) => taken.has(id))) return false;
      for (const id of ids) taken.add(id);
      return true;
    };
    return [
      ...slots.filter(({ phrases }) => isFree(phrases.map(({ sentence }) => sentence))).map(slotProposal),
      ...facts.filter(({ sentences }) => isFree(sentences)).map(factProposal),
    ].slice(0, MOST);
  },
};

function slotProposal(slot: Slot): Proposal {
  const [a, b] = slot.phrases;
  return proposed([a.sentence, b.sentence], {
    title: questionOf(slot),
    confidence: SURE.alike,
    said: slot.isDenial ? ['not', ''] : slot.fillings.map((items) => items.map(({ norm }) => norm).join(' ')),
  });
}

function factProposal({ sentences, subject, said, objects }: FactPair): Proposal {
  return proposed(sentences, {
    title: `${subject}: ${said} ${[...objects].sort().join(' or ')}?`,
    confidence: SURE.facts,
    said: objects,
  });
}

interface Said {
  readonly title: string;
  readonly confidence: number;
  /** What either says, as compared. */
  readonly said: readonly string[];
}

function proposed(
  sentences: readonly [ReadSentence, ReadSentence],
  { title, confidence, said }: Said,
): Proposal {
  const [newer, older] = byAge(sentences);
  const quoted = ({ of, text }: ReadSentence) => `"${of.memory.key}" (${longDate(timeOf(of))}): ${text}`;
  const stated = sentences.map(({ of: { memory } }) => [memory.key, statedDay(memory)] as const);
  return {
    strategy: 'contradict',
    title: shorten(title, 200),
    body: `These two cannot both hold, and neither says that something changed.\n\n${quoted(newer)}\n${quoted(older)}`,
    evidence: [older, newer].map(({ of, text }) => ({ key: of.memory.key, sentence: text })),
    confidence,
    statedOn: Object.fromEntries(stated.flatMap(([key, day]) => (day === undefined ? [] : [[key, day]]))),
    content: `contradiction ${[...said].sort().join(' / ')}`,
  };
}

const timeOf = ({ memory }: ReadMemory): number => statedDay(memory) ?? memory.time;

/** The newer one first by what the notes say themselves, else by when they were written; of two of one moment the one that was stored later. */
function byAge([a, b]: readonly [ReadSentence, ReadSentence]): [ReadSentence, ReadSentence] {
  const at = (one: ReadMemory) => [timeOf(one), one.memory.createdAt, one.memory.id] as const;
  const [one, other] = [at(a.of), at(b.of)];
  const differing = one.findIndex((value, index) => value !== other[index]);
  return (one[differing] ?? 0) > (other[differing] ?? 0) ? [a, b] : [b, a];
}

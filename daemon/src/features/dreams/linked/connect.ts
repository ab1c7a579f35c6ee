import { readNamespace, type ReadMemory } from '../notes/reading.ts';
import type { Proposal, Strategy } from '../strategies/strategy.ts';
import { dayOf, shorten } from '../notes/day-and-quote.ts';
import { type MentionLink, linksOf } from './links.ts';
import { sharedWords } from './shared-words.ts';

const MOST = 30;
/** What a link is worth that is proposed, and one of which only a model says that it is one. */
const WORTH = { sure: 0.8, told: 0.6 } as const;
/** Characters of what either says, in a title. */
const QUOTE = 70;

/** Finds memories that both name one rare thing (a ticket, a product, a module, a person) that no third one names, and say different things of it. */
export const connect: Strategy = {
  name: 'connect',
  run(view, { model, progress, cancelled, leaves }) {
    const reading = readNamespace(view);
    const links = linksOf(reading, {
      isStopped: cancelled,
      step: (done) => progress(done, reading.memories.length),
    });
    progress(1, 1);
    const doubtful = links.filter(({ isSure }) => !isSure).length;
    if (doubtful > 0 && !model)
      leaves?.(
        `${doubtful} ${doubtful === 1 ? 'pair names' : 'pairs name'} something in passing; a model would tell`,
        doubtful,
      );
    return sure(links).map((link) => linkProposal(link, WORTH.sure));
  },
  nominees(view, { cancelled }) {
    const links = linksOf(readNamespace(view), { isStopped: cancelled, step: () => undefined });
    const proposed = new Set(sure(links));
    const known = new Set(links.map(({ a, b }) => `${a.memory.id} ${b.memory.id}`));
    return [
      ...links.filter((link) => !proposed.has(link)).map((link) => linkProposal(link, WORTH.told)),
      ...sharedWords(readNamespace(view))
        .filter(({ a, b }) => !known.has(`${a.memory.id} ${b.memory.id}`))
        .map(({ a, b, written, sentences }) =>
          proposalOf([a, b], {
            names: [written],
            sentences,
            id: written.toLowerCase(),
            confidence: WORTH.told,
          }),
        ),
    ];
  },
};

function sure(links: readonly MentionLink[]): MentionLink[] {
  return links.filter(({ isSure }) => isSure).slice(0, MOST);
}

function linkProposal({ a, b, shared }: MentionLink, confidence: number): Proposal {
  const [[one, other] = []] = shared;
  if (!one || !other) throw new RangeError('a link has something that both mention');
  const written = [...new Set(shared.map(([{ text }]) => text))];
  // `Kamil Drozd`, and not his first name beside it.
  const names = written.filter((name) => !written.some((other) => other !== name && other.includes(name)));
  return proposalOf([a, b], {
    names,
    sentences: [one.sentence.text, other.sentence.text],
    id: one.id,
    confidence,
  });
}

interface Named {
  readonly names: readonly string[];
  readonly sentences: readonly [string, string];
  readonly id: string;
  readonly confidence: number;
}

function proposalOf(
  [a, b]: readonly [ReadMemory, ReadMemory],
  { names, sentences, id, confidence }: Named,
): Proposal {
  const [one, other] = sentences.map((text) => shorten(text.replaceAll(/\s+/gu, ' '), QUOTE));
  return {
    strategy: 'connect',
    title: shorten(`${names[0] ?? ''}: "${one}" and "${other}"`, 200),
    body: `"${a.memory.key}" (${dayOf(a)}) and "${b.memory.key}" (${dayOf(b)}) both name ${names.slice(0, 3).join(', ')}, which no other memory does.`,
    evidence: [
      { key: a.memory.key, sentence: sentences[0] },
      { key: b.memory.key, sentence: sentences[1] },
    ],
    confidence,
    change: { kind: 'link', from: a.memory.key, to: b.memory.key },
    content: `link ${id}`,
  };
}

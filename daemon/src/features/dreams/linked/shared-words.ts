import { isOneConversation } from './links.ts';
import type { ReadNamespace, ReadMemory, ReadSentence } from '../notes/reading.ts';

/** A word that only two memories have, and that one of them capitalises where grammar asks for no capital. */
export interface SharedWord {
  readonly a: ReadMemory;
  readonly b: ReadMemory;
  /** As the older one writes it. */
  readonly written: string;
  /** The sentences in which they have it. */
  readonly sentences: readonly [string, string];
}

interface Said {
  readonly sentence: ReadSentence;
  readonly written: string;
  readonly isName: boolean;
}

const WORD = /\p{L}[\p{L}'’-]{2,}/gu;
/** After these a capital says nothing. */
const BEGINS = /(?:^|[.!?…:»"”“(—-])\s*$/u;

/**
 * Words that exactly two memories have and that may be names, whatever dictionaries say; far too many to be proposed (the names of months
 * are among them). Oldest memories first, one word for each pair.
 */
export function sharedWords({ memories }: Pick<ReadNamespace, 'memories'>): SharedWord[] {
  const saidBy = new Map<string, Map<ReadMemory, Said>>();
  for (const memory of memories)
    for (const sentence of memory.sentences)
      for (const [written, at] of wordsOf(sentence.text)) {
        const id = folded(written);
        const of = saidBy.get(id) ?? new Map<ReadMemory, Said>();
        saidBy.set(id, of);
        const isName = /^\p{Lu}/u.test(written) && !BEGINS.test(sentence.text.slice(0, at));
        const before = of.get(memory);
        if (!before || (isName && !before.isName)) of.set(memory, { sentence, written, isName });
      }
  const pairs = new Set<string>();
  return [...saidBy.values()].flatMap((of) => {
    const [one, other, third] = of;
    if (!one || !other || third || isOneConversation(one[0], other[0])) return [];
    const [[a, inA], [b, inB]] = [one, other];
    const pair = `${a.memory.id} ${b.memory.id}`;
    if ((!inA.isName && !inB.isName) || pairs.has(pair)) return [];
    pairs.add(pair);
    return [{ a, b, written: inA.written, sentences: [inA.sentence.text, inB.sentence.text] as const }];
  });
}

function* wordsOf(text: string): Generator<[written: string, at: number]> {
  for (const { 0: word, index } of text.matchAll(WORD)) yield [word.replace(/['’]s$|['’-]+$/u, ''), index];
}

function folded(word: string): string {
  return word.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
}

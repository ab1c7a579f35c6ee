import type { ReadNamespace, ReadMemory, ReadSentence } from '../notes/reading.ts';

/** Characters of a sentence that can stand alone. */
const LENGTH = { least: 20, most: 320 } as const;

/** The sentences that say most of what several notes say, word for word, one of each note at most, in the order of the notes. */
export function centralSentences(
  members: readonly ReadMemory[],
  reading: ReadNamespace,
  count: number,
): ReadSentence[] {
  const shared = new Map<string, number>();
  for (const { terms } of members) for (const term of terms) shared.set(term, (shared.get(term) ?? 0) + 1);
  const worth = ({ tokens }: ReadSentence): number => {
    const terms = new Set(tokens.flatMap(({ says, term }) => (says ? [term] : [])));
    const sum = [...terms].reduce((all, term) => all + (shared.get(term) ?? 0) * reading.weight(term), 0);
    return sum / Math.sqrt(terms.size + 4);
  };
  const said = new Set<string>();
  return members
    .flatMap(({ sentences }) => {
      const [best] = sentences.filter(isWhole).toSorted((a, b) => worth(b) - worth(a));
      return best && !said.has(best.text) && said.add(best.text) ? [best] : [];
    })
    .toSorted((a, b) => worth(b) - worth(a))
    .slice(0, count)
    .sort((a, b) => a.of.memory.time - b.of.memory.time || a.of.memory.id - b.of.memory.id);
}

/** No heading, table, code or question. */
function isWhole({ text }: ReadSentence): boolean {
  return text.length >= LENGTH.least && text.length <= LENGTH.most && !/^[#|`>]|[?:|]$/u.test(text);
}

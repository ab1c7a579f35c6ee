import { stem } from '../../../language/porter.ts';
import { listed } from '../../../language/word-lists.ts';

/** By stem (data/dreams/README.md): what a word is compared as. */
const MEANT = new Map(
  listed('dreams/synonyms').flatMap((row) => {
    const [first = '', others = ''] = row.split(': ');
    return [first, ...others.split(' ')].map((word) => [stem(word), stem(first)] as const);
  }),
);

const known = new Map<string, string>();

/** What a word is compared as: its stem, or that of the first of its synonyms. Takes lower case. */
export function meaningOf(word: string): string {
  const found = known.get(word);
  if (found !== undefined) return found;
  const root = stem(word);
  const meant = MEANT.get(root) ?? root;
  // A namespace has some ten thousand words; beyond that they are no words but identifiers.
  if (known.size < 100_000) known.set(word, meant);
  return meant;
}

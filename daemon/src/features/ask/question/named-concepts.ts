import { keyOf, type Lexicon, phraseWords } from '../../../language/lexicon.ts';
import { stem } from '../../../language/porter.ts';
import type { NameConcepts } from '../ports.ts';

/** The dictionary's concepts as ask reads them; the dictionary is read with the first question. */
export function conceptNamer(meanings: { readonly lexicon: Lexicon }): NameConcepts {
  return (text) => {
    const words = phraseWords(text);
    const keys = words.map((word) => keyOf(stem(word)));
    const named = new Map<string, number[]>();
    for (const { from, to, concepts } of meanings.lexicon.namings(keys, keys.length))
      for (const word of words.slice(from, to)) named.set(word, [...(named.get(word) ?? []), ...concepts]);
    return named;
  };
}

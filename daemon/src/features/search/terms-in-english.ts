import { sensesOf } from '../../language/abroad/in-english.ts';
import type { QueryTerm } from './terms.ts';

/** The terms of a query, those of words in another language looking for any of the words that they may be in English, too. */
export function termsInEnglish(terms: readonly QueryTerm[], query: string): readonly QueryTerm[] {
  const senses = sensesOf(query);
  if (senses.size === 0) return terms;
  return terms.map((term) => {
    const english = term.quoted || term.prefix ? undefined : senses.get(term.token);
    if (!english) return term;
    const words = [term.token, ...english.filter((word) => word !== term.token)];
    const match = `(${words.map((word) => `"${word}"`).join(' OR ')})`;
    return { token: words.join(' '), match, prefix: false, quoted: false, anyOf: true };
  });
}

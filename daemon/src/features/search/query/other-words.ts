import { sensesOf } from '../../../language/abroad/in-english.ts';
import { spelledOut } from '../../../language/words/words.ts';
import type { QueryTerm } from './terms.ts';

/**
 * The terms of a query, its words looked for as any of what else they may be: those in another language in English, and `Mühle` as `Muehle`.
 */
export function termsInOtherWords(terms: readonly QueryTerm[], query: string): readonly QueryTerm[] {
  const senses = sensesOf(query);
  const spelled = spelledOut(query);
  if (senses.size === 0 && spelled.size === 0) return terms;
  return terms.map((term) => {
    if (term.quoted || term.prefix || term.anyOf === true) return term;
    const others = [...(senses.get(term.token) ?? []), spelled.get(term.token) ?? term.token];
    const words = [...new Set([term.token, ...others])];
    if (words.length === 1) return term;
    const match = `(${words.map((word) => `"${word}"`).join(' OR ')})`;
    return { token: words.join(' '), match, prefix: false, quoted: false, anyOf: true };
  });
}

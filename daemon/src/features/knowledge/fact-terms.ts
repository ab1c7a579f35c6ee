import { stem } from '../../language/porter.ts';
import { foldText, WORD } from '../../language/words.ts';
import type { Statement } from './fact.ts';
import { aliasesOf } from './predicates.ts';

/** The parts of a fact in which a word may stand, as bits. */
export const roles = { subject: 1, predicate: 2, object: 4 } as const;

/** Words that find nothing by themselves. */
const STOP = new Set(
  'a an the of in on at to for from by with and or is are was be as it its this that my our his her their your'.split(
    ' ',
  ),
);

/** The stems by which a text is looked up, each once. */
export function factWords(text: string): string[] {
  const words = foldText(text).toLowerCase().match(WORD) ?? [];
  return [...new Set(words.filter((word) => !STOP.has(word) && word.length <= 64).map(stem))];
}

/** Every stem of a fact with the roles in which it stands there. */
export function termsOf(fact: Statement): Map<string, number> {
  const terms = new Map<string, number>();
  const put = (text: string, role: number, most: number): void => {
    for (const word of factWords(text).slice(0, most)) terms.set(word, (terms.get(word) ?? 0) | role);
  };
  put(`${fact.subjectNorm} ${fact.subject}`, roles.subject, 12);
  put(
    `${fact.predicate.replaceAll('_', ' ')} ${fact.said} ${aliasesOf(fact.predicate)}`,
    roles.predicate,
    24,
  );
  put(`${fact.object} ${fact.objectNorm}`, roles.object, 16);
  return terms;
}

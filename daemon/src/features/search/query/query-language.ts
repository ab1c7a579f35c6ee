import { FUNCTION_WORDS } from '../../../language/abroad/function-words.ts';
import { languageAbroad } from '../../../language/abroad/in-english.ts';
import { ABROAD } from '../../../language/abroad/inflection.ts';
import type { TextLanguage } from '../../../language/abroad/tell-language.ts';

const WORDS = new Map(ABROAD.map((language) => [language, new Set(FUNCTION_WORDS[language].split(/\s+/u))]));

/**
 * The language of a query as far as it matters to search: which words of grammar are not looked for, and whether the table, which knows
 * English only, can read it.
 */
export interface QueryLanguage {
  readonly told: TextLanguage | 'other';
  readonly isEnglish: boolean;
  /** Its words, or what they are in English, may be looked up in the table and in the lexicon. */
  readonly isRead: boolean;
  /** Words of grammar that are not to be looked for. */
  readonly stopWords: ReadonlySet<string>;
}

const NONE: ReadonlySet<string> = new Set();

/** Tells a query's language; `other` where most letters are of a script that none of the seven languages is written in. */
export function languageOf(text: string): QueryLanguage {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  const latin = text.match(/\p{sc=Latn}/gu)?.length ?? 0;
  if (letters > 0 && latin < letters / 2)
    return { told: 'other', isEnglish: false, isRead: false, stopWords: NONE };
  const told = languageAbroad(text);
  const isEnglish = told === 'en';
  return { told, isEnglish, isRead: true, stopWords: isEnglish ? NONE : (WORDS.get(told) ?? NONE) };
}

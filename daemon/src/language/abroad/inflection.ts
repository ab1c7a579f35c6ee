import { stemmer as german } from '@orama/stemmers/german';
import { stemmer as spanish } from '@orama/stemmers/spanish';
import { stemmer as french } from '@orama/stemmers/french';
import { stemmer as italian } from '@orama/stemmers/italian';
import { stemmer as dutch } from '@orama/stemmers/dutch';
import { stemmer as portuguese } from '@orama/stemmers/portuguese';

/** The languages beside English whose everyday words are known. */
export const ABROAD = ['de', 'es', 'fr', 'it', 'nl', 'pt'] as const;
export type Abroad = (typeof ABROAD)[number];

const STEMMERS: Readonly<Record<Abroad, (word: string) => string>> = {
  de: german,
  es: spanish,
  fr: french,
  it: italian,
  nl: dutch,
  pt: portuguese,
};

/** A word without its accents, in small letters, as the packed dictionary names its entries; `ß` is `ss`. */
export function plain(word: string): string {
  const lower = word.toLowerCase();
  // Most words, asked for once a language.
  if (/^[\x00-\x7f]*$/.test(lower)) return lower;
  return lower
    .replaceAll('ß', 'ss')
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/gu, '')
    .normalize('NFC');
}

/** The stem of a word (Snowball's rules of its language), without accents. */
export function stemAbroad(language: Abroad, word: string): string {
  return plain(STEMMERS[language](word.toLowerCase()));
}

/** Prefixes that a verb of German or Dutch leaves behind, with `ge` or `zu` after them in some forms. */
const SEPARABLE =
  'zurück|terug|zusammen|samen|weiter|herunter|vorbei|voorbij|hin|her|heim|fest|frei|weg|los|ein|aus|auf|vor|nach|mit|bei|um|zu|an|ab|af|uit|op|voor|na|mee|toe|over|door|bij|in';
const PARTICIPLE: Readonly<Partial<Record<Abroad, RegExp>>> = {
  de: new RegExp(`^(${SEPARABLE}|)(?:ge|zu)(\\p{L}{3,}?)(?:en|t)$`, 'u'),
  nl: new RegExp(`^(${SEPARABLE}|)(?:ge|te)(\\p{L}{3,}?)(?:en|d|t)$`, 'u'),
};

/** What a participle is a form of, perhaps: `abgeholt` of `abholen`, `opgehaald` of `ophalen`; undefined where a word is none. */
export function infinitiveOf(language: Abroad, word: string): string | undefined {
  const [, before, root] = PARTICIPLE[language]?.exec(word.toLowerCase()) ?? [];
  return root === undefined ? undefined : `${before}${root}en`;
}

/** Letters that join the parts of a compound, the longest first. */
const JOINTS: Readonly<Partial<Record<Abroad, readonly string[]>>> = {
  de: ['ens', 'ns', 'en', 'er', 'es', 's', 'n', 'e', ''],
  nl: ['en', 'er', 's', 'n', 'e', ''],
};
/** Letters that a part of a compound has at the least. */
const SHORTEST_PART = 3;

/** A last part that a compound may end with, and what may stand before it, the shortest joint last. */
export interface CompoundCut {
  readonly last: string;
  readonly firsts: () => readonly string[];
}

/** The ways to cut a compound in two, the longest last part first: `heizungsrechnung` ends with `rechnung`, before which stand `heizung` and `heizungs`. */
export function* cutsOf(language: Abroad, word: string): Generator<CompoundCut> {
  const joints = JOINTS[language];
  if (!joints || word.length < 2 * SHORTEST_PART) return;
  const lower = word.toLowerCase();
  for (let at = SHORTEST_PART; at <= lower.length - SHORTEST_PART; at += 1) {
    const first = lower.slice(0, at);
    yield {
      last: lower.slice(at),
      firsts: () =>
        joints.flatMap((joint) => {
          const bare = first.slice(0, first.length - joint.length);
          return first.endsWith(joint) && bare.length >= SHORTEST_PART ? [bare] : [];
        }),
    };
  }
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadOrdinaryWords } from '../../../language/ordinary-words.ts';
import { foldText, STOP_WORDS } from '../../../language/words.ts';
import { loadStaticTable } from '../../../models/static-table.ts';

/** What is known of words, to tell rare names from rare words. Words are in small letters, without accents. */
export interface KnownNames {
  /** Whether it is a word of the language and no name. */
  isOrdinary(word: string): boolean;
  /** Whether many people have heard it: a city, a first name, a big company, a tool of the trade. */
  isKnown(word: string): boolean;
  /** Whether a name of several words is one that many have heard: `red cross`. */
  isHeard(name: string): boolean;
  /** As compared: `Möller` and `Moeller` are one. */
  idOf(word: string): string;
}

/** Capitalised or abbreviated, in no dictionary, and shared by everybody. */
const EVERYBODYS = new Set(
  `mon tue tues wed thu thur thurs fri sat sun jan feb mar apr jun jul aug sep sept oct nov dec monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september october november december
  montag dienstag mittwoch donnerstag freitag samstag sonntag januar februar marz mai juni juli oktober dezember lundi mardi mercredi jeudi vendredi samedi
  dimanche janvier fevrier mars avril juin juillet aout septembre octobre novembre decembre christmas easter halloween ikea lidl aldi rewe edeka tesco
  sainsbury asda whatsapp zoom youtube netflix spotify paypal ebay airbnb uber gmail outlook iphone ipad macbook android chrome firefox safari edge
  wifi wlan todo fixme asap faq lgtm wip readme changelog testdata stdout stderr stdin config configs async await eslint prettier webpack vite vitest
  nginx postgres postgresql mysql sqlite redis docker kubernetes terraform github gitlab npm pnpm typescript javascript python golang rust json yaml toml
  csv utf ascii http https html css url urls api apis sdk cli ide grafana prometheus sentry slack jira confluence notion figma linux ubuntu debian macos
  covid omicron ibuprofen paracetamol aspirin gmbh euro euros okay standup kanban backlog kita oma opa mum mama papa dad`
    .split(/\s+/)
    .filter(Boolean),
);

/** Substances by the stems of their international names, `amlodipine`: whoever takes one knows no more of another who does. */
const MEDICINE =
  /(?:dipine|pril|sartan|statin|olol|mycin|micin|cillin|conazole|prazole|profen|formin|tidine|zepam|zolam|oxetine|cycline|floxacin|gliptin|xaban|parin|caine|triptan|setron|asone|olone|thyroxine|amide|furosemide)s?$/u;

/** Common nouns of German, French and Spanish (data/words/README.md), which a title quotes. */
const FOREIGN = join(import.meta.dirname, '../../../../data/words/foreign.txt');

let known: KnownNames | undefined;

/** Loads it the first time, some 40 ms. */
export function knownNames(): KnownNames {
  if (known) return known;
  const ordinary = loadOrdinaryWords();
  const { words } = loadStaticTable();
  const foreign = new Set(
    readFileSync(FOREIGN, 'utf8')
      .split(/\s+/u)
      .map((word) => foldText(word).toLowerCase()),
  );
  const ordinaryBefore = new Map<string, boolean>();
  const isOrdinary = (word: string): boolean => {
    const before = ordinaryBefore.get(word);
    if (before !== undefined) return before;
    const is =
      STOP_WORDS.has(word) ||
      ordinary.has(word) ||
      /^(?:\p{L}+n't|\p{L}+'(?:ll|re|ve|d|m)|o'clock)$/u.test(word);
    ordinaryBefore.set(word, is);
    return is;
  };
  return (known = {
    isOrdinary,
    isKnown: (word) =>
      EVERYBODYS.has(word) || MEDICINE.test(word) || foreign.has(word) || words.row(word) >= 0,
    isHeard: ordinary.isHeard,
    idOf: (word) =>
      foldText(word)
        .replaceAll(/(?<=[aou])e(?=[^aeiou])/gu, '')
        .replaceAll('ß', 'ss')
        .replace(/(?<=\p{L}{3}[^s])s$/u, ''),
  });
}

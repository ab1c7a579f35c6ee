import { loadOrdinaryWords } from '../../../language/ordinary-words.ts';
import { listed } from '../../../language/word-lists.ts';
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
const EVERYBODYS = new Set(listed('dreams/everybodys-names'));

/** Substances by the stems of their international names, `amlodipine`: whoever takes one knows no more of another who does. */
const MEDICINE = listed('dreams/medicine-endings');

function isMedicine(word: string): boolean {
  return MEDICINE.some((ending) => word.endsWith(ending) || word.endsWith(`${ending}s`));
}

/** Common nouns of German, French and Spanish (data/words/README.md), which a title quotes. */
const FOREIGN = 'words/foreign';

let known: KnownNames | undefined;

/** The known names and words, which the first call loads in some 40 ms. */
export function knownNames(): KnownNames {
  if (known) return known;
  const ordinary = loadOrdinaryWords();
  const { words } = loadStaticTable();
  const foreign = new Set(
    listed(FOREIGN)
      .flatMap((row) => row.split(/\s+/u))
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
    isKnown: (word) => EVERYBODYS.has(word) || isMedicine(word) || foreign.has(word) || words.row(word) >= 0,
    isHeard: ordinary.isHeard,
    idOf: (word) =>
      foldText(word)
        .replaceAll(/(?<=[aou])e(?=[^aeiou])/gu, '')
        .replace(/(?<=\p{L}{3}[^s])s$/u, ''),
  });
}

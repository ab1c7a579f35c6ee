import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** English words that are no names (data/words/README.md). */
export interface OrdinaryWords {
  /** Whether a word in small letters is one, or a form of one; `second-hand`, too. */
  has(word: string): boolean;
}

const FILE = join(import.meta.dirname, '../../../data/words/ordinary.txt');

let loaded: OrdinaryWords | undefined;

/** Loads the words the first time, which takes some 20 ms: for threads in the background. */
export function loadOrdinaryWords(): OrdinaryWords {
  if (loaded) return loaded;
  const words = new Set(readFileSync(FILE, 'utf8').split('\n'));
  return (loaded = { has: (word) => baseForms(word).some((form) => words.has(form)) });
}

/** A word, and what it may be a form of: `tubers`, `chitted`, `unlabelled`, `frostiness`. Wrong ones are no words, and found nowhere. */
export function baseForms(word: string): string[] {
  const forms = new Set([word]);
  const add = (form: string) => {
    if (form.length >= 2) forms.add(form);
  };
  for (const [ending, others] of ENDINGS)
    if (word.endsWith(ending) && word.length > ending.length + 1)
      for (const other of others) {
        const base = word.slice(0, word.length - ending.length) + other;
        add(base);
        // `chitted`: the last letter is doubled before the ending.
        if (other === '' && /([b-df-hj-np-tv-z])\1$/u.test(base)) add(base.slice(0, -1));
      }
  const prefix = /^(?:un|re|pre|non|over|under|out|mis|dis|anti|co|sub|super)-?(?=\p{L}{4})/u.exec(word)?.[0];
  if (prefix !== undefined) for (const form of baseForms(word.slice(prefix.length))) add(form);
  return [...forms];
}

const ENDINGS: readonly (readonly [string, readonly string[]])[] = [
  ['s', ['']],
  ['es', ['']],
  ['ies', ['y', 'ie']],
  ['ves', ['f', 'fe']],
  ['ed', ['', 'e']],
  ['ied', ['y']],
  ['ing', ['', 'e']],
  ['ings', ['', 'e']],
  ['er', ['', 'e']],
  ['ers', ['', 'e']],
  ['est', ['', 'e']],
  ['ier', ['y']],
  ['iest', ['y']],
  ['ly', ['']],
  ['ily', ['y']],
  ['y', ['', 'e']],
  ['ish', ['', 'e']],
  ['able', ['', 'e']],
  ['ness', ['']],
  ['iness', ['y']],
  ['less', ['']],
  ['ful', ['']],
  ['isation', ['ize', 'ization']],
  ['ise', ['ize']],
  ['ised', ['ize']],
  ['ising', ['ize']],
  ['our', ['or']],
  ['ours', ['or']],
  ['re', ['er']],
  ['lled', ['l']],
  ['lling', ['l']],
];

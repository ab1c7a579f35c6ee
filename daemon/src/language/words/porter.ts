/**
 * The Porter stemmer as FTS5's `porter` tokenizer runs it, so that JavaScript can look up what stands in the index
 * (`fts5vocab` holds stems). Tested against FTS5 itself over a whole vocabulary.
 */
export function stem(word: string): string {
  // FTS5 leaves alone what is shorter than 3 or longer than 64 bytes, and stems bytes: only ASCII is changed.
  if (word.length < 3 || Buffer.byteLength(word) > 64) return word;
  let w = word;
  w = step1a(w);
  w = step1b(w);
  if (w.endsWith('y') && hasVowel(w.slice(0, -1))) w = `${w.slice(0, -1)}i`;
  w = replaceSuffix(w, STEP2, 0);
  w = replaceSuffix(w, STEP3, 0);
  w = step4(w);
  return step5(w);
}

const STEP2: readonly (readonly [string, string])[] = [
  ['ational', 'ate'],
  ['tional', 'tion'],
  ['enci', 'ence'],
  ['anci', 'ance'],
  ['izer', 'ize'],
  ['logi', 'log'],
  ['bli', 'ble'],
  ['alli', 'al'],
  ['entli', 'ent'],
  ['eli', 'e'],
  ['ousli', 'ous'],
  ['ization', 'ize'],
  ['ation', 'ate'],
  ['ator', 'ate'],
  ['alism', 'al'],
  ['iveness', 'ive'],
  ['fulness', 'ful'],
  ['ousness', 'ous'],
  ['aliti', 'al'],
  ['iviti', 'ive'],
  ['biliti', 'ble'],
];
const STEP3: readonly (readonly [string, string])[] = [
  ['icate', 'ic'],
  ['ative', ''],
  ['alize', 'al'],
  ['iciti', 'ic'],
  ['ical', 'ic'],
  ['ful', ''],
  ['ness', ''],
];
const STEP4 = [
  'ement',
  'ance',
  'ence',
  'able',
  'ible',
  'ment',
  'ant',
  'ent',
  'ism',
  'ate',
  'iti',
  'ous',
  'ive',
  'ize',
  'ion',
  'al',
  'er',
  'ic',
  'ou',
];

function isVowel(word: string, i: number): boolean {
  const letter = word[i] ?? '';
  if ('aeiou'.includes(letter)) return true;
  return letter === 'y' && i > 0 && !isVowel(word, i - 1);
}

function hasVowel(word: string): boolean {
  for (let i = 0; i < word.length; i++) if (isVowel(word, i)) return true;
  return false;
}

/** Porter's m: how often vowels are followed by consonants. */
function measure(word: string): number {
  let m = 0;
  for (let i = 1; i < word.length; i++) if (isVowel(word, i - 1) && !isVowel(word, i)) m++;
  return m;
}

/** A double y counts as a double consonant, as in FTS5, wherever it stands. */
function endsDouble(word: string): boolean {
  const n = word.length;
  const letter = word[n - 1] ?? 'a';
  return n > 1 && letter === word[n - 2] && !'aeiou'.includes(letter);
}

/** Porter's *o: consonant, vowel, consonant that is not w, x or y. */
function endsShort(word: string): boolean {
  const n = word.length;
  if (n < 3 || isVowel(word, n - 3) || !isVowel(word, n - 2) || isVowel(word, n - 1)) return false;
  return !'wxy'.includes(word[n - 1] ?? '');
}

/** Whether something stands before a suffix: FTS5 looks at the first two steps' suffixes only then. */
function endsAfterStem(word: string, suffix: string): boolean {
  return word.length > suffix.length && word.endsWith(suffix);
}

function step1a(word: string): string {
  if (endsAfterStem(word, 'sses') || endsAfterStem(word, 'ies')) return word.slice(0, -2);
  return word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;
}

function step1b(word: string): string {
  if (endsAfterStem(word, 'eed')) return measure(word.slice(0, -3)) > 0 ? word.slice(0, -1) : word;
  const cut = word.endsWith('ed') ? 2 : word.endsWith('ing') ? 3 : 0;
  const rest = word.slice(0, word.length - cut);
  if (cut === 0 || !hasVowel(rest)) return word;
  if (/(?:at|bl|iz)$/.test(rest)) return `${rest}e`;
  if (endsDouble(rest) && !/[lsz]$/.test(rest)) return rest.slice(0, -1);
  return measure(rest) === 1 && endsShort(rest) ? `${rest}e` : rest;
}

function replaceSuffix(word: string, rules: readonly (readonly [string, string])[], above: number): string {
  for (const [suffix, by] of rules) {
    if (!word.endsWith(suffix)) continue;
    const rest = word.slice(0, -suffix.length);
    return measure(rest) > above ? rest + by : word;
  }
  return word;
}

function step4(word: string): string {
  for (const suffix of STEP4) {
    if (!word.endsWith(suffix)) continue;
    const rest = word.slice(0, -suffix.length);
    if (suffix === 'ion' && !/[st]$/.test(rest)) return word;
    return measure(rest) > 1 ? rest : word;
  }
  return word;
}

function step5(word: string): string {
  let w = word;
  if (w.endsWith('e')) {
    const rest = w.slice(0, -1);
    const m = measure(rest);
    if (m > 1 || (m === 1 && !endsShort(rest))) w = rest;
  }
  return w.endsWith('ll') && measure(w) > 1 ? w.slice(0, -1) : w;
}

import { stem } from './porter.ts';
import { foldText } from './words.ts';

/** A word of a text, as phrases are matched with it. */
export interface PhraseWord {
  /** Its stem, forms of irregular verbs alike. */
  readonly stem: string;
  /** Where it stands among the words; the end of a sentence counts for several, a comma for one. */
  readonly place: number;
  readonly from: number;
  readonly to: number;
}

const WORD = /[\p{L}\p{N}]+(?:['’]\p{L}+)?/gu;
/** What stands between two words, and how many words that counts for. */
const GAPS: readonly (readonly [RegExp, number])[] = [
  [/[!?\n]|\.\s/u, 12],
  [/[;]/u, 6],
  [/[,:()]|\s[–—-]\s/u, 1],
];

/** Words that a phrase is matched without: they say how something is put, not what. */
const LITTLE = new Set(
  `a an the this that these those my our your his her its their mine ours i you he she it we they me him us them who what which when where how why whose
  is are was were be been being am has have had having do does did done doing will would can could shall should may might must to of in on at for with by from
  and or as than so if then there here x y now also still just already very too only some any one ones own it's i'm we're they're he's she's that's there's
  ist sind war waren hat haben der die das den dem des ein eine einen einem einer mein meine unser unsere ich wir er sie es zu von vom im in am an auf bei für mit und
  est sont le la les un une des du de mon ma mes notre nos je nous il elle au aux el los las mi nuestro es son y en het een de zijn onze mijn ik wij`.split(
    /\s+/u,
  ),
);
/** Little words that hold a phrase of one word together: `report to`, `live in`, `off on`. */
const HOLDS = new Set('to in on at for with by from of as'.split(' '));

export const isLittle = (word: string): boolean => LITTLE.has(word);
export const holds = (word: string): boolean => HOLDS.has(word);

/** Forms of irregular verbs, and denials, of which the first stands for all. */
const FORMS = `
buy bought|sell sold|begin began begun|bring brought|build built|catch caught|choose chose chosen|come came|cut cutting|draw drew drawn|drink drank drunk
drive drove driven|eat ate eaten|fall fell fallen|feed fed|feel felt|fight fought|find found|fly flew flown|forget forgot forgotten|get got gotten getting
give gave given|go went gone goes|grow grew grown|hang hung|hear heard|hide hid hidden|hold held|keep kept|know knew known|lead led|learn learnt|leave left
lend lent|lie lay lain lying|lose lost|make made|meet met|pay paid|put putting|read reading|ride rode ridden|ring rang rung|rise rose risen|run ran running
say said|see saw seen|send sent|set setting|shine shone|shut shutting|sing sang sung|sit sat sitting|sleep slept|speak spoke spoken|spend spent|stand stood
steal stole stolen|stick stuck|swim swam swum|take took taken taking|teach taught|tell told|think thought|throw threw thrown|wake woke woken|wear wore worn
win won|write wrote written writing|break broke broken|become became|freeze froze frozen|shrink shrank shrunk|tear tore torn|use used using|live living lives
not never don't doesn't didn't isn't aren't wasn't weren't won't wouldn't can't cannot couldn't shouldn't mustn't needn't hasn't haven't hadn't nicht nie pas
no kein keine keinen keiner|child children|man men|woman women|person people|tooth teeth|foot feet|mouse mice|wife wives|knife knives|leaf leaves|shelf shelves
`;
const MEANT = new Map<string, string>();
for (const forms of FORMS.trim().split(/[|\n]/u)) {
  const words = forms.split(' ');
  for (const word of words) MEANT.set(word, stem(words[0] ?? word));
}

const known = new Map<string, string>();
/** Words that are remembered, and letters of the longest: of a longer one V8 would keep the text that it was cut out of. */
const MOST_KNOWN = 30_000;
const LONGEST_KNOWN = 12;

/** The stem of a word in small letters, without accents; forms of one irregular verb have one. */
export function phraseStem(word: string): string {
  const found = known.get(word);
  if (found !== undefined) return found;
  const plain = MEANT.has(word) ? word : word.replace(/'\p{L}+$/u, '');
  const stemmed = MEANT.get(plain) ?? stem(plain);
  // Beyond some ten thousand, words are no words but identifiers.
  if (known.size < MOST_KNOWN && word.length <= LONGEST_KNOWN) known.set(word, stemmed);
  return stemmed;
}

/** A text in small letters without accents, of the same length: places in it are places in the text. */
export function plainText(text: string): string {
  const folded = foldText(text).toLowerCase().replaceAll('’', "'");
  return folded.length === text.length
    ? folded
    : [...text.normalize('NFC')].map((letter) => plainLetter(letter)).join('');
}

function plainLetter(letter: string): string {
  const folded = foldText(letter).toLowerCase().replaceAll('’', "'");
  return folded.length === letter.length ? folded : letter;
}

/** The words of a text, little ones among them. */
export function phraseWordsOf(text: string): PhraseWord[] {
  const plain = plainText(text);
  const found: PhraseWord[] = [];
  let place = 0;
  let end = 0;
  for (const { 0: word, index } of plain.matchAll(WORD)) {
    if (found.length > 0) {
      const between = plain.slice(end, index);
      place += 1 + (GAPS.find(([pattern]) => pattern.test(between))?.[1] ?? 0);
    }
    end = index + word.length;
    found.push({ stem: LITTLE.has(word) ? word : phraseStem(word), place, from: index, to: end });
  }
  return found;
}

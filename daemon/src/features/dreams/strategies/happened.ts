import { keyOf, type Lexicon, phraseWords } from '../../../language/lexicon.ts';
import { stem } from '../../../language/porter.ts';
import { happeningsIn, stemOf } from './happenings.ts';
import { marksOf } from './marks.ts';
import { tellsOccasion } from './occasions.ts';
import type { ReadMemory, ReadSentence } from './reading.ts';
import { meaningOf } from './synonyms.ts';
import { troubleOf } from './troubles.ts';

/** What a memory, or a sentence of a longer one, tells of as having happened. */
export interface Occasion {
  readonly of: ReadMemory;
  readonly sentences: readonly ReadSentence[];
  /** What it says, by kind: `t:` a term, `c:` a concept of the lexicon, `h:` a kind of happening, `!` a kind of trouble. */
  readonly says: ReadonlyMap<string, Saying>;
  /** 0..1: whether it tells of something that happened rather than of how things are or have to be. */
  readonly told: number;
  readonly isPast: boolean;
  /** It says of itself that it is one occasion: today, this morning, again. */
  readonly isOnce: boolean;
  /** It says that it was not the first. */
  readonly isAgain: boolean;
  readonly isFailure: boolean;
  readonly isState: boolean;
  readonly isReading: boolean;
  /** The terms of its sentences, without numbers and what the calendar names: what is left of a statement that is made again. */
  readonly terms: ReadonlySet<string>;
  readonly hasFigures: boolean;
}

export interface Saying {
  /** 1 where it is said for certain; less for a concept that its words may not mean, and for words of the key. */
  readonly weight: number;
  /** Stems of the words that say it: two sayings of the same words are one. */
  readonly words: readonly string[];
}

/** Longer memories are documents: what they mention beside is no occasion. */
const LONGEST = { characters: 600, sentences: 8 } as const;
/** Beyond this a memory is read by sentences, and only those that tell of something. */
const SHORT = { sentences: 3, words: 55 } as const;
/** A concept that stands for fewer of its words' meanings than that is not taken. */
const SURE_CONCEPT = 0.4;
const KEY_WEIGHT = 0.6;
/** What only names the thing that such a happening befalls. */
const WEAK = 0.5;

const word = (words: string): RegExp => new RegExp(`(?<!\\p{L})(?:${words})(?!\\p{L})`, 'iu');
const AGAIN = word(
  'again|once more|yet another|another|(?:second|third|fourth|fifth|sixth|\\d(?:nd|rd|th)) (?:\\p{L}+ ){0,2}(?:time|one|this|in|since|of|for|by|complaint|attempt|rerun)|number (?:two|three|four|five|\\d)|twice|three times|four times|as (?:before|usual|always)|same (?:story|as|thing|problem|error|again)|in a row|one more|is back|(?:first|second|third|fourth) (?:\\p{L}+ )?(?:this|since|in)|wieder|erneut|zum (?:zweiten|dritten|vierten) mal|dritte[rs]?|encore|de nouveau|guess who',
);
const PAST = word(
  '\\p{L}{2,}ed|was|were|had|went|came|got|took|lost|(?<!(?:the|on|my|his|her|its|^|[.:;]) ?)left(?! (?:one|side|hand|ones))|broke|fell|felt|woke|ran|said|found|sent|made|did|gave|began|hit|shut|hung|froze|died|forgot|missed|rang|slept|ate|spent|stood|met|saw|threw|drove|paid|bought|kept|swam|wrote|won|blew|burst|stuck|drank|lay|sang|sat|gestern|war|hatte|ging|musste|kam|stand',
);
/** What is said in brackets is not what a sentence tells. */
const ASIDE = /\([^)]*\)/gu;
/** `It is emptied`, `she wants every prompt whispered`. */
const PASSIVE =
  /(?<!\p{L})(?:(?:is|are|be|been|being|gets?|must be|to be) (?:\p{L}+ly )?\p{Ll}+ed|(?:wants?|needs?|likes?|prefers?)(?!\p{L})[^,;:.—–]*)(?!\p{L})/giu;
const FAILS = word(
  "could ?n[o’']t|could not|would ?n[o’']t|would not|did ?n[o’']t|did not|can[’']t|cannot|won[’']t|nobody|nothing|no one|not (?:a|one|working)|out of|without|missing|gone|lost|late|unable|refused|rejected|overdue|no (?:\\p{L}+ ){0,2}(?:again|today|this morning|left)|still no|ran out|full|at 100 ?%|red|down|dead|stuck|stopped|wrong|quit|shut|kaputt|defekt|leer|ausgefallen|keine?|panne",
);
const IMAGINED = word(
  "might|maybe|perhaps|would(?! ?n[o’']t)|could(?! not|n['’]t)|suppose|what if|idea:|wish|(?<!no )wonder(?:s|ed|ing)?",
);
const PLAN = word(
  "will(?! not)|going to|planned|plans? to|todo|to-do|we['’]ll|i['’]ll|next (?:week|month|year|spring|summer)|should we|let['’]s",
);
const STATE = word(
  'is|are|has|have|lives?|works|listens|uses|sits|needs?|likes|(?<=(?:i|we|they|you) )like|prefers?|costs?|keeps?|wants?|means?|stands for|knows?|owns?',
);
const COMMAND =
  /^(?:run|use|feed|keep|put|never|always|do not|don[’']t|remember|note|rule|decision|decided|policy|how to|to \p{L}+|for \p{L}+|if|when|whenever|before|after each|empty|set|add|ask|call|check)(?!\p{L})/iu;
const HABIT = word(
  'every (?:day|week|month|night|morning|evening|year|time|second|other|quarter|mon|tues|wednes|thurs|fri|satur|sun)\\p{L}*|(?:mon|tues|wednes|thurs|fri|satur|sun)days|weekly|daily|monthly|always|never|usually|must|should|has to|have to|nightly at',
);
/** What happens now and then tells of no one time. */
const TENDS = word("keeps? (?:on )?\\p{L}+ing|that['’]s why|tends? to|often|sometimes|likes to|can be|may");
/** Happenings that are no trouble. */
const HARMLESS = new Set([
  'parcel',
  'phone call',
  'eating out',
  'won',
  'heating off',
  'weather hit',
  'visit',
  'glasses',
  'drunk',
  'kindness',
  'swarm',
  'fish and chips',
  'bought again',
  'fire alarm',
  'release night',
  'greased',
  'hen',
]);
/** Words of keys that name a kind of note, not what it is about. */
const KINDS_OF_NOTES = new Set('note journal agent standup error log inbox diary memo'.split(' '));

/** How many and how often is not what happened. */
const COUNTS = new Set(
  'one two three four five six seven eight nine ten eleven twelve first second third fourth fifth sixth once twice half again another dritte dritter drittes zwei drei'.split(
    ' ',
  ),
);

/** What a memory tells of, or its sentences where it is long; none for documents and for what is only asked. */
export function occasionsOf(memory: ReadMemory, lexicon: Lexicon): Occasion[] {
  const { value } = memory.memory;
  if (value.length > LONGEST.characters || memory.sentences.length > LONGEST.sentences) return [];
  const said = memory.sentences.filter(({ text }) => !marksOf(text).question);
  if (said.length === 0) return [];
  const words = said.reduce((sum, { tokens }) => sum + tokens.length, 0);
  if (said.length <= SHORT.sentences && words <= SHORT.words)
    return [occasionOf(memory, said, { lexicon, isPart: false })];
  return said
    .filter(
      ({ text, tokens }) =>
        PAST.test(text) ||
        AGAIN.test(text) ||
        FAILS.test(text) ||
        tokens.some(({ term }) => troubleOf(term) !== undefined),
    )
    .map((sentence) => occasionOf(memory, [sentence], { lexicon, isPart: true }));
}

function occasionOf(
  memory: ReadMemory,
  sentences: readonly ReadSentence[],
  { lexicon, isPart }: { lexicon: Lexicon; isPart: boolean },
): Occasion {
  const says = sayingsOf(memory, sentences, { lexicon, isPart });
  const text = sentences.map((sentence) => sentence.text).join(' ');
  const first = sentences[0]?.text ?? '';
  const isError = memory.memory.class === 'error' || /^error/iu.test(memory.memory.key);
  const isPast = PAST.test(text.replaceAll(ASIDE, '').replaceAll(PASSIVE, ''));
  const isAgain = AGAIN.test(text);
  const isHappening = [...says].some(
    ([key, { weight }]) => key.startsWith('h:') && weight === 1 && !HARMLESS.has(key.slice(2)),
  );
  const isFailure =
    isError || FAILS.test(text) || isHappening || [...says.keys()].some((key) => key.startsWith('!'));
  const isState = STATE.test(first) && !isPast;
  const isRule = !isAgain && (COMMAND.test(first) || (HABIT.test(text) && !isPast));
  const isPlan = sentences.every((one) => isAhead(one.text));
  const isOnce = tellsOccasion(text);
  const isCorrection = /^correction/iu.test(first);
  const told = isPlan
    ? 0
    : isRule
      ? 0.15
      : isAgain || isCorrection || (isOnce && !isState) || isPast
        ? 1
        : isFailure
          ? isState && (!isHappening || TENDS.test(first))
            ? 0.5
            : 0.9
          : isState
            ? 0.1
            : 0.5;
  return {
    of: memory,
    sentences,
    says,
    told,
    isPast,
    isOnce,
    isAgain,
    isFailure,
    isState,
    isReading: marksOf(first).reading && !isFailure,
    terms: new Set(
      [...says].flatMap(([said, { weight }]) =>
        said.startsWith('t') && weight === 1 && !isOfCalendar(said) ? [said] : [],
      ),
    ),
    hasFigures: /\d/u.test(text),
  };
}

const CALENDAR = new Set(
  'monday tuesday wednesday thursday friday saturday sunday weekend january february march april may june july august september october november december spring summer autumn winter'
    .split(' ')
    .map((one) => `t:${meaningOf(one)}`),
);

/** Whether a term names a day, a month or a season. */
export function isOfCalendar(said: string): boolean {
  return CALENDAR.has(said);
}

/** Whether a sentence tells of nothing but what may come: `paid late, he will send a reminder` tells of something else before. */
function isAhead(text: string): boolean {
  if (/^(?:if|falls|wenn|si)\s/iu.test(text)) return true;
  if (!IMAGINED.test(text) && !PLAN.test(text)) return false;
  const rest = text.split(/[,;:—–]\s/u).filter((clause) => !IMAGINED.test(clause) && !PLAN.test(clause));
  return !rest.some((clause) => PAST.test(clause.replaceAll(PASSIVE, '')) || FAILS.test(clause));
}

function sayingsOf(
  memory: ReadMemory,
  sentences: readonly ReadSentence[],
  { lexicon, isPart }: { lexicon: Lexicon; isPart: boolean },
): Map<string, Saying> {
  const says = new Map<string, { weight: number; words: string[] }>();
  const add = (key: string, weight: number, words: readonly string[]): void => {
    const saying = says.get(key);
    if (!saying) says.set(key, { weight, words: [...words] });
    else {
      saying.weight = Math.max(saying.weight, weight);
      for (const one of words) if (!saying.words.includes(one)) saying.words.push(one);
    }
  };
  for (const { text, tokens } of sentences) {
    for (const { says: tells, shape, term, text: written } of tokens) {
      if (!tells || shape === 'number' || COUNTS.has(written.toLowerCase())) continue;
      const words = [stemOf(written.toLowerCase())];
      add(`t:${term}`, 1, words);
      const trouble = troubleOf(term);
      if (trouble !== undefined) add(`!${trouble}`, 1, words);
    }
    const words = phraseWords(text).map((one) => stem(one));
    for (const { from, to, concepts } of lexicon.namings(words.map(keyOf), words.length)) {
      const weight = 1 / Math.sqrt(concepts.length);
      if (weight >= SURE_CONCEPT)
        for (const concept of concepts) add(`c:${concept}`, weight, words.slice(from, to));
    }
    for (const [happening, { words: by, isWeak }] of happeningsIn(text))
      add(`h:${happening}`, isWeak ? WEAK : 1, [...by]);
  }
  if (!isPart)
    for (const term of memory.keyTerms)
      if (!/^\d+$/u.test(term) && !KINDS_OF_NOTES.has(term) && !says.has(`t:${term}`))
        add(`t:${term}`, KEY_WEIGHT, [term]);
  return says;
}

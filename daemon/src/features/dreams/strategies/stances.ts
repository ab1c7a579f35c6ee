import { marksOf } from './marks.ts';
import type { Reading, ReadMemory, ReadSentence, Token } from './reading.ts';
import {
  ABILITIES,
  ALONE,
  NATIONS,
  PART_OF,
  type Rule,
  RULES,
  type StanceKind,
  SUBSTITUTE,
  THINGS,
  VERBS,
} from './stance-rules.ts';
import { meaningOf } from './synonyms.ts';

/** That somebody can or cannot stand something, eats it or does not. */
export interface Stance {
  readonly sentence: ReadSentence;
  /** Names, or `me`. */
  readonly who: ReadonlySet<string>;
  readonly what: ReadonlySet<string>;
  readonly isFor: boolean;
  /** `must not`: an allergy or a diet; `taste`: likes and dislikes; `does`: eats or drinks it. */
  readonly how: StanceKind;
  /** The words that say so. */
  readonly said: string;
}

/** The stances of a memory's sentences. */
export function stancesIn(memory: ReadMemory): Stance[] {
  const found: Stance[] = [];
  let lastNames: string[] = [];
  for (const sentence of memory.sentences) {
    const names = sentence.tokens
      .filter(({ shape, text }) => shape === 'name' && !NATIONS.test(text))
      .map(({ term }) => term);
    const marks = marksOf(sentence.text);
    if (!marks.question && !marks.hypothetical && !marks.plan) {
      const who = whoIn(sentence, names, lastNames);
      found.push(
        ...stancesOf(sentence, who),
        ...abilitiesOf(sentence, { who, isNamed: names.length > 0 || who.has('me') }),
      );
    }
    if (names.length > 0) lastNames = names;
  }
  return found;
}

/** `Anna's brother` is not Anna. */
const KIN =
  'brother|sister|mother|father|mum|mom|dad|son|daughter|husband|wife|partner|boyfriend|girlfriend|friend|colleague|cousin|aunt|uncle|boss|neighbour|kids?|children|dog|cat|teacher|class|twins?|parents|grandmother|grandfather|grandma|grandpa|baby|nephew|niece|flatmate|team';

function whoIn({ text, of }: ReadSentence, names: readonly string[], before: readonly string[]): Set<string> {
  const relative = new RegExp(`(?<name>\\p{L}+)['’]s\\s(?:\\p{Ll}+\\s)?(?<kin>${KIN})(?!\\p{L})`, 'iu').exec(
    text,
  )?.groups;
  if (relative?.name !== undefined) return new Set([`${relative.name} ${relative.kin ?? ''}`.toLowerCase()]);
  if (names.length > 0) return new Set(names);
  if (/^(?:he|she|they)(?!\p{L})/iu.test(text) && before.length > 0) return new Set(before);
  if (/(?<!\p{L})(?:I|I['’]m|my|me|ich|je)(?!\p{L})/u.test(text)) return new Set(['me']);
  return new Set(before.length > 0 ? before : of.keyTerms);
}

function stancesOf(sentence: ReadSentence, who: ReadonlySet<string>): Stance[] {
  const taken: [number, number][] = [];
  const found: Stance[] = [];
  for (const rule of RULES)
    for (const match of sentence.text.matchAll(rule.pattern)) {
      const [start, end] = [match.index, match.index + match[0].length];
      if (taken.some(([from, to]) => start < to && from < end)) continue;
      taken.push([start, end]);
      const what = whatOf(sentence, rule, { start, end });
      const isExcept = /^[^.;]{0,20}(?<!\p{L})(?:except|but|apart from|other than|besides)(?!\p{L})/iu.test(
        sentence.text.slice(end),
      );
      const isDenied =
        !isExcept &&
        /(?:not|n['’]t|never|no|isn['’]t)\s+(?:\p{L}+\s+)?$/iu.test(sentence.text.slice(0, start));
      const whose = subjectOf(sentence, { who, start });
      if (what.size === 0 || whose.size === 0 || (isDenied && rule.how === 'does')) continue;
      found.push({
        sentence,
        who: whose,
        what,
        isFor: rule.isFor !== isDenied,
        how: rule.how,
        said: match[0],
      });
    }
  return found;
}

/** Of several who are named, the one before the verb, with those who stand beside him. */
function subjectOf(
  { tokens, text }: ReadSentence,
  { who, start }: { who: ReadonlySet<string>; start: number },
): ReadonlySet<string> {
  const named = tokens.filter(({ shape, term }) => shape === 'name' && who.has(term));
  const before = named.filter(({ end }) => end <= start);
  const last = before.at(-1);
  if (named.length < 2 || !last) return who;
  const subject = [last];
  for (const name of before.slice(0, -1).reverse())
    if (/^(?:,|\sand|\sund|,\sand)\s$/u.test(text.slice(name.end, subject.at(-1)?.start))) subject.push(name);
  return new Set(subject.map(({ term }) => term));
}

/** `Can't drive`, `speaks no French`: the verb, with the first word that it takes. */
function abilitiesOf(
  sentence: ReadSentence,
  { who, isNamed }: { who: ReadonlySet<string>; isNamed: boolean },
): Stance[] {
  const { tokens, text } = sentence;
  const found: Stance[] = [];
  const denied = new Set<number>();
  const whoBefore = (end: number, verb: string) =>
    isNamed && !THINGS.has(meaningOf(verb.toLowerCase())) ? who : thingBefore(tokens, end);
  for (const match of text.matchAll(ABILITIES)) {
    const end = match.index + match[0].length;
    const verb = match.groups?.verb ?? match.groups?.does ?? '';
    const at = tokens.findIndex((token) => token.start >= match.index && token.text.toLowerCase() === verb);
    denied.add(at);
    found.push({
      sentence,
      who: whoBefore(match.index, verb),
      what: verbWith(tokens, { verb, end }),
      isFor: false,
      how: 'can',
      said: match[0].trim(),
    });
  }
  for (const [index, { text: verb, term, shape, start, end }] of tokens.entries())
    if (shape === 'word' && !denied.has(index) && /^\p{Ll}/u.test(verb) && VERBS.has(term))
      found.push({
        sentence,
        who: whoBefore(start, verb),
        what: verbWith(tokens, { verb, end }),
        isFor: true,
        how: 'can',
        said: verb,
      });
  return found.filter(({ who, what }) => who.size > 0 && what.size > 0);
}

/** The thing that a verb is said of, by two words: `the attic window`. */
function thingBefore(tokens: readonly Token[], end: number): Set<string> {
  const before = tokens
    .filter((token) => token.end <= end && token.says && token.shape !== 'number')
    .slice(-2);
  return new Set(before.length === 2 ? [before.map(({ term }) => term).join(' ')] : []);
}

function verbWith(tokens: readonly Token[], { verb, end }: { verb: string; end: number }): Set<string> {
  const term = meaningOf(verb.toLowerCase());
  const [object] = tokens.filter(({ start, says, shape }) => start >= end && says && shape !== 'number');
  const near = object && object.start - end < 24 ? [`${term} ${object.term}`] : [];
  // `The window opens` needs nothing more, but only the very thing (two words) may be compared, and no person who opens it.
  return new Set(ALONE.has(term) ? [term] : THINGS.has(term) ? [`${term} itself`] : near);
}

function whatOf({ text, tokens }: ReadSentence, rule: Rule, at: { start: number; end: number }): Set<string> {
  if (rule.what) return new Set(rule.what.map(meaningOf));
  const before = tokens.filter(({ end }) => end <= at.start);
  // `Loves parsley, hates coriander`: what follows the next verb is on that one.
  const next = RULES.flatMap(({ pattern }) =>
    [...text.matchAll(pattern)].flatMap(({ index }) => (index > at.end ? [index] : [])),
  );
  const after = tokens.filter(({ start }) => start >= at.end && next.every((index) => start < index));
  const near =
    rule.where === 'after'
      ? after.slice(0, 6)
      : rule.how === 'does'
        ? [...before, ...after]
        : [...before.slice(-3), ...after.slice(0, 5)];
  if (rule.how === 'does' && SUBSTITUTE.test(text)) {
    SUBSTITUTE.lastIndex = 0;
    return new Set();
  }
  const what = new Set<string>();
  for (const { says, shape, term } of near) {
    if (!says || shape === 'number') continue;
    what.add(term);
    for (const whole of PART_OF.get(term) ?? []) what.add(whole);
  }
  return what;
}

/** Two stances that do not go together. */
export interface Clash {
  readonly older: Stance;
  readonly newer: Stance;
  readonly over: string;
}

/** Stances of one person on one thing that do not go together. */
export function clashesOf(reading: Reading, isStopped: () => boolean): Clash[] {
  const byPerson = new Map<string, Stance[]>();
  for (const [index, memory] of reading.memories.entries()) {
    if (index % 500 === 0 && isStopped()) break;
    for (const stance of stancesIn(memory))
      for (const who of stance.who)
        for (const what of stance.what) {
          if (who === what) continue;
          const key = `${who}|${what}`;
          const list = byPerson.get(key);
          if (list) list.push(stance);
          else byPerson.set(key, [stance]);
        }
  }
  const found: Clash[] = [];
  for (const [key, stances] of byPerson) {
    if (stances.length > 20) continue;
    for (const against of stances.filter(({ isFor }) => !isFor))
      for (const inFavour of stances.filter(({ isFor }) => isFor)) {
        if (!goAgainst(against, inFavour)) continue;
        const isOlder = against.sentence.of.memory.time <= inFavour.sentence.of.memory.time;
        const [older, newer] = isOlder ? [against, inFavour] : [inFavour, against];
        // Who used to like it and does not any more has not contradicted himself.
        if (
          marksOf(newer.sentence.text).change ||
          (marksOf(older.sentence.text).past !== marksOf(newer.sentence.text).past &&
            inFavour.how === 'taste')
        )
          continue;
        found.push({ older, newer, over: key.slice(key.indexOf('|') + 1) });
      }
  }
  return found;
}

function goAgainst(against: Stance, inFavour: Stance): boolean {
  const [a, b] = [against.sentence.of, inFavour.sentence.of];
  if (a === b || (a.memory.session !== null && a.memory.session === b.memory.session)) return false;
  if ((against.how === 'can') !== (inFavour.how === 'can')) return false;
  if (against.how === 'can') return true;
  if (against.how === 'taste') return inFavour.how === 'taste';
  // An allergy that came later does not speak against a meal before it.
  return a.memory.time <= b.memory.time || inFavour.how === 'taste';
}

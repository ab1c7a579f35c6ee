import type { Claim } from './claim.ts';
import { type Marks, marksOf } from './marks.ts';
import type { Reading, ReadMemory, ReadSentence, Token } from './reading.ts';
import { relationsIn } from './relations.ts';
import { meaningOf } from './synonyms.ts';
import { type Value, valuesOf } from './values.ts';

const BOUND =
  /(?:above|over|more than|beyond|exceed\p{L}*|up to|at most|max\p{L}*|limit\p{L}*|larger than|bigger than|longer than|höchstens|bis zu)[^.;]{0,24}$/iu;

/** Sentences longer than this are cut at their commas: a value far away belongs to something else. */
const LONG = 26;
const QUALIFIES =
  /(?:^|[^\p{L}])(?:on|for|in|at|of|under|behind|inside)\s+(?:the\s+|our\s+|my\s+|a\s+)?((?:[\p{L}\p{N}_.'’-]+\s?){1,2})/giu;

/** Beyond a limit things are refused, up to it they are taken: the same said from two sides. */
const LIMITS = new Set(
  'above over beyond exceed up most maximum limit larger bigger longer accept receive take refuse reject decline allow permit block drop shed throttle cap allowed'
    .split(' ')
    .map(meaningOf),
);

/** What the memories of a namespace claim; what is asked, imagined, over or one reading of many is left out. */
export function claimsOf(reading: Reading, isStopped: () => boolean): Claim[] {
  const claims: Claim[] = [];
  for (const [index, memory] of reading.memories.entries()) {
    if (index % 500 === 0 && isStopped()) break;
    claims.push(...claimsIn(memory), ...relationsIn(memory));
  }
  return claims;
}

export function claimsIn(memory: ReadMemory): Claim[] {
  return memory.sentences.flatMap((sentence) => {
    const values = valuesOf(sentence.text);
    if (values.length === 0 || values.length > 4) return [];
    const marks = marksOf(sentence.text);
    if (marks.question || marks.hypothetical || marks.opinion) return [];
    return values.flatMap((value) =>
      isClaimed(marks, value, sentence.text) ? [claimOf(sentence, value, { values, marks })] : [],
    );
  });
}

function isClaimed({ past, plan, reading }: Marks, value: Value, text: string): boolean {
  if (isRange(value, text)) return false;
  // `Green` is a colour of walls and of builds.
  if (
    value.kind === 'is colour' &&
    /(?<!\p{L})(?:tests?|build|ci|pipeline|retry|main|PR|run|deploy)(?!\p{L})/u.test(text)
  )
    return false;
  if (value.kind === 'date') return !past;
  if (past || WAS.test(text.slice(Math.max(0, value.start - 28), value.start))) return false;
  if (value.kind === 'time' || value.kind === 'weekday') return true;
  return !reading && !plan && !(COUNTED.test(value.kind) && ONCE.test(text));
}

/** One end of `18 to 25 July`. */
function isRange({ start, end }: Value, text: string): boolean {
  return (
    /\d\s?(?:to|until|till|bis|and|–|-)\s?$/u.test(text.slice(Math.max(0, start - 8), start)) ||
    /^\s?(?:to|until|till|bis|–|-)\s?\d/u.test(text.slice(end, end + 8))
  );
}

/** `was 5432` is over. */
const WAS = /(?<!\p{L})(?:was|were|war|hatte|had)(?:\s\p{L}+){0,2}\s$/iu;
const COUNTED = /^(?:quantity|count|money)/u;
/** What is told of one occasion counts for it alone. */
const ONCE =
  /(?<!\p{L})(?:today|yesterday|tonight|this (?:morning|afternoon|evening)|again|paid|took|heute|gestern)(?!\p{L})/iu;

function claimOf(
  sentence: ReadSentence,
  value: Value,
  { values, marks }: { values: readonly Value[]; marks: Marks },
): Claim {
  const [from, to] = windowOf(sentence, value);
  const tokens = sentence.tokens.filter(
    ({ says, shape, start, end }) =>
      says &&
      shape !== 'number' &&
      start >= from &&
      end <= to &&
      !values.some(
        (other) =>
          (other === value || !other.kind.startsWith('is ')) && start < other.end && other.start < end,
      ),
  );
  const before = tokens.filter(({ end }) => end <= value.start);
  const meant = leadsBack(sentence, tokens) ? saidBefore(sentence) : [];
  const isBound = BOUND.test(sentence.text.slice(0, value.start));
  const qualifiers = new Set(
    tokens.filter(({ shape }) => shape === 'name' || shape === 'id').map(({ term }) => term),
  );
  for (const match of sentence.text.matchAll(QUALIFIES)) {
    const start = match.index + match[0].length - (match[1]?.length ?? 0);
    for (const token of tokens)
      if (token.start >= start && token.end <= match.index + match[0].length) qualifiers.add(token.term);
  }
  return {
    sentence,
    marks,
    value,
    context: new Set(
      [...tokens, ...meant].flatMap(({ term }) => (isBound && LIMITS.has(term) ? [] : [term])),
    ),
    names: new Set([...tokens, ...meant].filter(({ shape }) => shape === 'name').map(({ term }) => term)),
    qualifiers,
    label: before.at(-1)?.term ?? tokens[0]?.term,
    isBound,
    others: new Set(values.flatMap(({ kind, norm }) => (kind === value.kind ? [norm] : []))),
    date: values.find(({ kind }) => kind === 'date')?.norm,
    isEnd:
      /(?<!\p{L})(?:by|before|until|till|bis|due|deadline|expires?|runs out|ends?|avant|valid)(?!\p{L})[^.;]{0,30}$/iu.test(
        sentence.text.slice(0, value.start),
      ),
  };
}

const PRONOUN =
  /(?<!\p{L})(?:it|its|he|she|they|this|that|these|those|there|er|sie|es|il|elle)(?:['’]s|['’]re)?(?!\p{L})/iu;

/** Whether a sentence speaks of what the one before named. */
export function leadsBack({ text }: ReadSentence, tokens: readonly Token[]): boolean {
  return tokens.length < 3 || PRONOUN.test(text);
}

/** What the sentence before says, numbers aside. */
function saidBefore({ of, text }: ReadSentence): Token[] {
  const before = of.sentences[of.sentences.findIndex((sentence) => sentence.text === text) - 1];
  return before?.tokens.filter(({ says, shape }) => says && shape !== 'number') ?? [];
}

function windowOf({ text, tokens }: ReadSentence, value: Value): [number, number] {
  if (tokens.length <= LONG) return [0, text.length];
  const before = /.*[;:—–]|.*,(?=[^,]*$)/su.exec(text.slice(0, value.start))?.[0].length ?? 0;
  const after = /[;—–,]/u.exec(text.slice(value.end))?.index ?? text.length;
  const from = value.start - before < 12 ? 0 : before;
  return [from, Math.min(text.length, value.end + after)];
}

/** The unit or class of a claim, under which it is compared. */
export function kindOf({ value, label }: Claim): string {
  return value.kind.startsWith('count ')
    ? `count ${meaningOf(value.kind.slice(6))}`
    : value.kind === 'label' && label === undefined
      ? 'nothing'
      : value.kind;
}

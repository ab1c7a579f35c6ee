import type { Claim } from './claim.ts';
import { marksOf } from './marks.ts';
import type { ReadMemory, ReadSentence } from './reading.ts';
import type { Value } from './values.ts';

const NAME =
  '(?<value>\\p{Lu}[\\p{L}.’-]*(?:\\s(?:(?:de|van|von|den|der|la|le)\\s)*\\p{Lu}[\\p{L}.’-]*){0,2})';
const ROLE =
  'owner|lead|maintainer|contact|teacher|dentist|doctor|gp|landlord|manager|boss|tutor|coach|trainer|vet|plumber|electrician|babysitter|hairdresser|accountant|lawyer|neighbour|godmother|godfather|reviewer|host|provider|insurer|bank|supplier|tax adviser|tax advisor|paediatrician|midwife|therapist|carpenter|captain|director|mechanic|garage|surname|middle name|first name|maiden name|capital|brand|model';

interface Rule {
  readonly kind: string;
  readonly pattern: RegExp;
}

/** Who lives where, who is whose teacher: relations that have one object at a time. Case counts: names are capitalised. */
const RULES: readonly Rule[] = [
  {
    kind: 'lives in',
    pattern: new RegExp(
      `\\b(?:lives?|living|lived|resides?|is based|wohnt|lebt|habite|home is|at home)(?:\\s(?:now|still|alone|again|nearby|together|out|over))?,?\\s(?:in|near|à|en)\\s(?:the\\s)?${NAME}`,
      'gu',
    ),
  },
  {
    kind: 'lives in',
    pattern: new RegExp(
      `\\b(?:in|from)\\s${NAME},?\\swhere\\s(?:he|she|they|he's|she's|they're)(?:\\shas|\\shave)?\\s(?:live[sd]?|living|settled)`,
      'gu',
    ),
  },
  {
    kind: 'lives in',
    pattern: new RegExp(`['’]s\\s(?:new\\s)?(?:flat|house|apartment|home|place)\\sin\\s${NAME}`, 'gu'),
  },
  {
    kind: 'works at',
    pattern: new RegExp(
      `\\b(?:works?|is employed|arbeitet|travaille)(?:\\s(?:now|still|part-time|full-time))?\\s(?:at|for|bei|chez)\\s(?:the\\s)?${NAME}`,
      'gu',
    ),
  },
  {
    kind: 'has the role',
    pattern: new RegExp(
      `\\b(?:${ROLE})\\sis\\s(?:called|named)\\s(?:Mr\\.?\\s|Mrs\\.?\\s|Ms\\.?\\s|Dr\\.?\\s|Frau\\s|Herr\\s)*${NAME}`,
      'gu',
    ),
  },
  {
    kind: 'is called',
    pattern: new RegExp(
      `\\b(?:is called|is named|are called|whose name is|name is|heißt|s'appelle)\\s["“]?${NAME}`,
      'gu',
    ),
  },
  {
    kind: 'has the role',
    pattern: new RegExp(
      `\\b(?:${ROLE})(?:\\s(?:of|for|at|in)\\s[^.,;:]{2,40}?)?\\s?(?:is|:|=|are|ist)\\s(?:now\\s|still\\s|called\\s)?(?:Mr\\.?\\s|Mrs\\.?\\s|Ms\\.?\\s|Dr\\.?\\s|Frau\\s|Herr\\s)*${NAME}`,
      'gu',
    ),
  },
  {
    kind: 'has the role',
    pattern: new RegExp(
      `(?<=['’]s\\s(?:new\\s)?)(?:${ROLE}),?\\s(?:is\\s(?:now\\s)?(?:called\\s)?)?(?:Mr\\.?\\s|Mrs\\.?\\s|Ms\\.?\\s|Dr\\.?\\s|Frau\\s|Herr\\s)${NAME}`,
      'gu',
    ),
  },
  {
    kind: 'looked after by',
    pattern: new RegExp(
      `\\b(?:owned|maintained|led|managed|run|looked after|handled|reviewed|approved|taught|coached)\\sby\\s(?:Mr\\.?\\s|Mrs\\.?\\s|Ms\\.?\\s|Dr\\.?\\s)?${NAME}`,
      'gu',
    ),
  },
  {
    kind: 'looked after by',
    pattern: new RegExp(
      `${NAME}\\s(?:owns|maintains|leads|manages|runs|handles|reviews|approves|teaches|coaches|looks after|takes care of|is responsible for|is in charge of|has taken over)\\b`,
      'gu',
    ),
  },
];

/** Place of a thing: `hangs in the shed`. */
const PLACE =
  /\b(?:is|are|hangs?|lies?|stands?|sits?|kept|stored|hidden|lives|we keep|put)\s(?:(?:always|now|still)\s)?(?:in|on|under|behind|at|next to|above|inside|below|beneath)\s(?:the|our|my|mum's|a)\s(?<value>(?:\p{Ll}+\s){0,2}\p{Ll}{3,})/gu;

/** Claims of sentences whose value is a name or a place. */
export function relationsIn(memory: ReadMemory): Claim[] {
  return memory.sentences.flatMap((sentence) => {
    const marks = marksOf(sentence.text);
    if (marks.question || marks.hypothetical || marks.opinion || marks.plan) return [];
    // `has lived there for years` holds today.
    if (marks.past && !/\b(?:has|have|'s|'ve)\s(?:\p{L}+\s)?(?:lived|been)\b/iu.test(sentence.text))
      return [];
    return valuesIn(sentence).map((value) => claimOf(sentence, value, marks));
  });
}

function valuesIn({ text }: ReadSentence): Value[] {
  const found: Value[] = [];
  for (const { kind, pattern } of RULES) for (const match of text.matchAll(pattern)) add(found, kind, match);
  for (const match of text.matchAll(PLACE)) add(found, 'kept', match);
  return found;
}

function add(found: Value[], kind: string, match: RegExpExecArray): void {
  const value = (match.groups?.value ?? '')
    .replace(/[.’-]+$/u, '')
    .replace(/^(?:Mr|Mrs|Ms|Dr|Frau|Herr)\.?\s/u, '');
  const start = match.index + match[0].indexOf(value);
  if (value.length < 2 || found.some((other) => start < other.end && other.start < start + value.length))
    return;
  found.push({
    kind,
    norm: value.toLowerCase().replace(/^(?:the|our|my)\s/u, ''),
    text: value,
    start,
    end: start + value.length,
  });
}

function claimOf(sentence: ReadSentence, value: Value, marks: Claim['marks']): Claim {
  const others = sentence.tokens.filter(
    ({ says, shape, start, end }) => says && shape !== 'number' && !(start < value.end && value.start < end),
  );
  const before = others.filter(({ end }) => end <= value.start);
  return {
    sentence,
    marks,
    value,
    context: new Set(others.map(({ term }) => term)),
    names: new Set(others.filter(({ shape }) => shape === 'name').map(({ term }) => term)),
    qualifiers: new Set(others.filter(({ shape }) => shape !== 'word').map(({ term }) => term)),
    label: (before.at(-1) ?? others[0])?.term,
    isBound: false,
    others: new Set([value.norm]),
    date: undefined,
    isEnd: false,
  };
}

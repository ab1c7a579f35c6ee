import type { Statement } from './fact.ts';
import { isRelation, normaliseEntity, normalisePredicate, normaliseText } from './normalise.ts';
import { isNounObject, isThing, type ObjectPhrase, type PhraseReader, readObject } from './phrases.ts';
import { readSubject, type Speaking, type Subject } from './subject.ts';
import { anyOf } from '../../language/word-lists.ts';

/** A fact as one rule reads it, without what all facts of a clause have in common. */
export type RuleFact = Pick<
  Statement,
  | 'subject'
  | 'subjectNorm'
  | 'predicate'
  | 'said'
  | 'object'
  | 'objectNorm'
  | 'kind'
  | 'functional'
  | 'confidence'
  | 'validFrom'
> & {
  readonly isPerson: boolean;
};

const COPULA = '(?:is|are|(?<=\\bI )am)';
/** `Anna's birthday is …`, `my dentist is …`, `the port of the staging database is …`. */
const POSSESSIVE = new RegExp(
  `^(?:(?<own>[Mm]y|[Oo]ur|[Hh]is|[Hh]er)|(?<owner>\\S.{0,40}?)['’]s?)\\s+(?<attribute>\\p{L}[\\p{L}\\p{N} /-]{1,40}?)\\s+(?:now |currently |also )?(?<verb>${COPULA})(?: now| currently| called| named)?\\s+(?<object>\\S.*)$`,
  'u',
);
const OF = new RegExp(
  `^[Tt]he\\s+(?<attribute>\\p{L}[\\p{L}\\p{N} -]{1,30}?)\\s+(?:of|for)\\s+(?<owner>\\S.{0,40}?)\\s+(?:now |currently )?(?<verb>is|are)\\s+(?<object>\\S.*)$`,
  'u',
);
/** `Bettina Krauss is head of engineering`, `Lodestar is the routing engine`. */
const IS = new RegExp(
  `^(?<subject>\\S.{0,50}?)\\s+(?:now |currently |also )?(?<verb>${COPULA})\\s+(?<object>\\S.*)$`,
  'u',
);
const AGE =
  /^(?<subject>\S.{0,50}?)\s+(?:is|(?<=\bI )am|turned|turns)\s+(?<age>\d{1,3})(?:\s+years?(?:\s+old)?)?(?=$|[,;.]|\s+(?:on|in|and|now|years)\b)/u;
const CALLED = /^(?<subject>\S.{0,50}?)\s+(?:is|are)\s+(?:called|named)\s+(?<object>\S.*)$/u;
/** `Bettina Krauss, head of engineering, my manager`. */
const APPOSITION =
  /^(?<name>\p{Lu}[\p{L}'’-]+(?: \p{Lu}[\p{L}'’-]+){0,2}),\s+(?<rest>(?:[a-z]|Daniel|\p{Lu}\p{Ll}+['’]s)[^,;:]{2,60}(?:,\s+[^,;:]{2,60})?)$/u;
/** Attributes whose values are adjectives, too. */
const OF_ADJECTIVES =
  /(?:colour|color|size|status|type|mood|favou?rite|name|language|breed|diet|blood type)$/u;
/** Words that are no attributes, though they stand like one. */
const NO_ATTRIBUTE = new RegExp(`^${anyOf('knowledge/no-attributes')}$`, 'u');

/** What a clause says of what somebody or something has; undefined where it has no possessive. */
export function possessiveFindings(
  reader: PhraseReader,
  text: string,
  speaking: Speaking,
): RuleFact[] | undefined {
  return possessive(reader, text, speaking);
}

/** What a clause says with `is` and the like, or in an apposition (`Clara, my sister`). */
export function attributeFindings(reader: PhraseReader, text: string, speaking: Speaking): RuleFact[] {
  return (
    aged(reader, text, speaking) ??
    called(reader, text, speaking) ??
    copula(reader, text, speaking) ??
    apposition(reader, text, speaking) ??
    []
  );
}

/** The parts of a possessive; `my sister Clara is …` speaks of Clara, and is none. */
function possessorOf(text: string): Record<string, string | undefined> | undefined {
  const groups = (POSSESSIVE.exec(text) ?? OF.exec(text))?.groups;
  const { attribute = '' } = groups ?? {};
  return isRelation(attribute.split(/\s(?=\p{Lu})/u)[0] ?? '') && /\s\p{Lu}/u.test(attribute)
    ? undefined
    : groups;
}

function possessive(reader: PhraseReader, text: string, speaking: Speaking): RuleFact[] | undefined {
  const groups = possessorOf(text);
  if (!groups) return undefined;
  const { own, owner: named, attribute = '', verb = '', object = '' } = groups;
  const ownerText = own === undefined ? (named ?? '') : /^[hH]/u.test(own) ? '' : 'I';
  const owner = readSubject(reader, ownerText, speaking);
  if (!owner || NO_ATTRIBUTE.test(attribute.toLowerCase()) || !isAttribute(reader, attribute)) return [];
  const phrase = readObject(reader, object.replace(/^(?:on|at|in)\s+(?=\d|\p{Lu})/u, ''), { longest: 8 });
  if (!phrase) return [];
  const isThe =
    /^(?:an?|the|very|so|too|quite) /iu.test(phrase.text) &&
    phrase.kind === 'text' &&
    !/\p{Lu}|\p{N}/u.test(phrase.text);
  const isFit = isNounObject(reader, phrase) || (OF_ADJECTIVES.test(attribute) && !/\s/u.test(phrase.text));
  if (!isFit || (isThe && !isRelation(attribute) && !/^favou?rite /u.test(attribute))) return [];
  const plain = normaliseText(attribute).replace(/^(?:new|old|current)\s+/u, '');
  const isMany = verb === 'are' || MANY.test(plain);
  return [
    finding(
      { ...owner, text: own === undefined ? owner.text : own },
      {
        predicate: normalisePredicate(relationOf(plain)),
        said: attribute,
        functional: !isMany,
        confidence: 0.92,
      },
      phrase,
    ),
  ];
}

/** Relations and things of which one has several. */
const MANY = new RegExp(`(?:${anyOf('knowledge/several')}|s)$`, 'u');

/** After a possessor a word is a noun, whatever the tagger takes it for (`my phone`); several are a noun phrase. */
function isAttribute(reader: PhraseReader, text: string): boolean {
  const words = text.split(/\s+/u);
  if (words.length > 4) return false;
  return (
    words.length === 1 ||
    isThing(reader, text, 4) ||
    isThing(reader, words.slice(0, -1).join(' '), 3) ||
    /^favou?rite /u.test(text)
  );
}

/** `younger brother` is a brother. */
function relationOf(attribute: string): string {
  return attribute.replace(
    /^(?:younger|older|elder|little|big|twin|best|eldest|youngest|oldest) (?=\S)/u,
    '',
  );
}

function aged(reader: PhraseReader, text: string, speaking: Speaking): RuleFact[] | undefined {
  const groups = AGE.exec(text)?.groups;
  if (!groups) return undefined;
  const subject = readSubject(reader, groups['subject'] ?? '', speaking);
  const age = groups['age'] ?? '';
  if (!subject?.isPerson) return undefined;
  const phrase: ObjectPhrase = { text: age, norm: `${age} year`, kind: 'number', since: undefined };
  return [finding(subject, { predicate: 'age', said: 'is', functional: true, confidence: 0.9 }, phrase)];
}

function called(reader: PhraseReader, text: string, speaking: Speaking): RuleFact[] | undefined {
  const groups = CALLED.exec(text)?.groups;
  if (!groups) return undefined;
  const own = /^(?:my|our)\s+(?<attribute>.+)$/iu.exec(groups['subject'] ?? '')?.groups?.['attribute'];
  const phrase = readObject(reader, groups['object'] ?? '', { longest: 5 });
  if (!phrase || phrase.kind === 'date') return [];
  const subject = readSubject(reader, own === undefined ? (groups['subject'] ?? '') : 'I', speaking);
  if (!subject) return [];
  const what =
    own === undefined
      ? { predicate: 'name', said: 'is called', functional: true }
      : { predicate: normalisePredicate(own), said: own, functional: !MANY.test(own) };
  return [
    finding(
      own === undefined ? subject : { ...subject, text: (groups['subject'] ?? '').split(' ')[0] ?? '' },
      { ...what, confidence: 0.9 },
      phrase,
    ),
  ];
}

const OWNED =
  /^(?:(?<own>my|our)|(?<owner>\p{Lu}[\p{L}'’ -]{0,40}?)['’]s)\s+(?<attribute>\p{L}[\p{L} -]{1,30})$/u;
/** What people are for long; `tired` they are for a day. */
const TRAIT = new RegExp(`^${anyOf('knowledge/traits')}$`, 'iu');
const ROLE = /^(?:an?|the)\s+\S/u;

function copula(reader: PhraseReader, text: string, speaking: Speaking): RuleFact[] | undefined {
  const groups = IS.exec(text)?.groups;
  if (!groups) return undefined;
  if (possessorOf(text)) return [];
  const subject = readSubject(reader, groups['subject'] ?? '', speaking);
  const phrase = readObject(reader, groups['object'] ?? '', { longest: 9 });
  if (!subject || !phrase || phrase.kind === 'date') return [];
  const inverse = owned(reader, subject, { text: phrase.text, speaking });
  if (inverse) return [inverse];
  const isRole =
    ROLE.test(phrase.text) ||
    /^(?:head|lead|chief|director|owner|author|maintainer|member|part) of\b/u.test(phrase.text);
  const isName = phrase.kind === 'name' && groups['verb'] === 'is';
  const isTrait = subject.isPerson && TRAIT.test(phrase.text);
  if (!isTrait && ((!isRole && !isName) || !isNounObject(reader, phrase))) return [];
  // `The plan is a mess`: only of what has a name.
  if (
    !subject.isPerson &&
    !/\p{Lu}|\p{N}|[._/-]/u.test(subject.text) &&
    !/^(?:the|our|my)\s/iu.test(subject.text)
  )
    return [];
  return [
    finding(
      subject,
      { predicate: 'is', said: groups['verb'] ?? '', functional: false, confidence: 0.8 },
      phrase,
    ),
  ];
}

/** `Chidi is Daniel's brother`, `Bettina is my manager`: a fact of Daniel, of the user. */
function owned(
  reader: PhraseReader,
  subject: Subject,
  of: { text: string; speaking: Speaking },
): RuleFact | undefined {
  const groups = OWNED.exec(of.text)?.groups;
  if (!groups) return undefined;
  const { own, owner: named, attribute = '' } = groups;
  const owner = readSubject(reader, own === undefined ? (named ?? '') : 'I', of.speaking);
  if (!owner || NO_ATTRIBUTE.test(attribute) || !isAttribute(reader, attribute)) return undefined;
  const plain = relationOf(normaliseText(attribute));
  return {
    ...finding(
      { ...owner, text: own ?? owner.text, certainty: Math.min(owner.certainty, subject.certainty) },
      {
        predicate: normalisePredicate(plain),
        said: attribute,
        functional: !MANY.test(plain),
        confidence: 0.88,
      },
      { text: subject.text, norm: normaliseEntity(subject.text), kind: 'name', since: undefined },
    ),
    isPerson: subject.isPerson,
  };
}

function apposition(reader: PhraseReader, text: string, speaking: Speaking): RuleFact[] | undefined {
  const groups = APPOSITION.exec(text)?.groups;
  if (!groups) return undefined;
  const subject = readSubject(reader, groups['name'] ?? '', speaking);
  if (!subject?.isPerson || !isKnownName(reader, subject.text)) return [];
  return (groups['rest'] ?? '').split(/,\s+/u).flatMap((part) => {
    const inverse = owned(reader, subject, { text: part, speaking });
    if (inverse) return [{ ...inverse, confidence: 0.8 }];
    const phrase = readObject(reader, part, { longest: 6 });
    const isRole = phrase?.kind === 'text' && isThing(reader, phrase.text, 6) && isNounObject(reader, phrase);
    return isRole
      ? [finding(subject, { predicate: 'is', said: ',', functional: false, confidence: 0.7 }, phrase)]
      : [];
  });
}

/** Two names, or one that the tagger knows as a person's: `Retrospective, sprint 10` has neither. */
function isKnownName(reader: PhraseReader, name: string): boolean {
  return /\s/u.test(name) || reader.tagWords(name).some(({ tags }) => tags.has('Person'));
}

const NAMED_RELATION =
  /(?<!\p{L})(?:(?<own>[Mm]y|[Oo]ur)|(?<owner>\p{Lu}[\p{L}-]+)['’]s)\s+(?:(?:younger|older|elder|little|big|twin|best)\s+)?(?<attribute>\p{Ll}+(?:-in-law)?)\s+(?<name>\p{Lu}[\p{L}'’-]+(?: \p{Lu}[\p{L}'’-]+)?)(?=[\s,.;:]|$)/gu;

/** Finds people named by a relation, such as `my sister Clara`, wherever it stands. */
export function namedRelations(reader: PhraseReader, text: string, speaking: Speaking): RuleFact[] {
  return [...text.matchAll(NAMED_RELATION)].flatMap(({ groups }) => {
    const { own, owner: named, attribute = '', name = '' } = groups ?? {};
    if (!isRelation(attribute)) return [];
    const owner = readSubject(reader, own === undefined ? (named ?? '') : 'I', speaking);
    if (!owner) return [];
    const object = { text: name, norm: normaliseEntity(name), kind: 'name' as const, since: undefined };
    const what = {
      predicate: attribute,
      said: attribute,
      functional: !MANY.test(attribute),
      confidence: 0.9,
    };
    return [{ ...finding({ ...owner, text: own ?? owner.text }, what, object), isPerson: false }];
  });
}

/** Puts a finding together. */
export function finding(
  subject: Subject,
  what: { predicate: string; said: string; functional: boolean; confidence: number },
  object: ObjectPhrase,
): RuleFact {
  return {
    subject: subject.text,
    subjectNorm: subject.norm,
    ...what,
    object: object.text,
    objectNorm: object.norm,
    kind: object.kind,
    confidence: Number((what.confidence * subject.certainty).toFixed(2)),
    validFrom: object.since,
    isPerson: subject.isPerson,
  };
}

import { findQuantities } from '../../language/quantities.ts';
import { type RuleFact, finding } from './attribute-rules.ts';
import { normaliseEntity } from './normalise.ts';
import { isNounObject, isThing, type ObjectPhrase, type PhraseReader, readObject } from './phrases.ts';
import { readSubject, type Speaking, type Subject } from './subject.ts';
import { REPLACE, SWITCH, UPGRADE, VERB_RULES, type VerbRule } from './verb-rules.ts';

/** What may stand between subject and verb. */
const ADVERB =
  /\s+(?:now|currently|also|still|always|usually|mostly|mainly|only|really|both|all|just|already|normally|typically|generally)$/iu;
/** What may stand before the subject. */
const LEAD =
  /^(?:(?:[A-Z]{3,}|Important|Reminder|Fact):|now|today|currently|these days|nowadays|at the moment|meanwhile|yes|no|ok|okay|btw|fyi|update|note|by the way|in (?:production|staging|general)|since [^,]{3,25}|as of [^,]{3,25}|from [^,]{3,25} on)[,:]?\s+/iu;

/** A clause without the words in front that say when or how it holds. */
export function withoutLead(text: string): string {
  return text.replace(LEAD, '');
}

/** What a clause says with one of the verbs that rules know. */
export function verbFindings(
  reader: PhraseReader,
  text: string,
  speaking: Speaking,
): (RuleFact & { denies?: true })[] {
  const exchange = exchanged(reader, text, speaking);
  if (exchange) return exchange;
  for (const rule of VERB_RULES) {
    const match = rule.verb.exec(text);
    if (!match || match.index > 60) continue;
    const before = text.slice(0, match.index).trim().replace(ADVERB, '').replace(ADVERB, '');
    const subject = readSubject(reader, withoutApposition(before), speaking);
    if (!subject || !fitsSubject(rule, subject)) continue;
    const phrases = objectsOf(reader, rule, {
      rest: text.slice(match.index + match[0].length),
      subject,
    });
    if (phrases.length === 0) continue;
    const what = { predicate: rule.predicate, said: match[0].trim(), functional: rule.functional };
    return phrases.map((phrase) => {
      const found = finding(subject, { ...what, confidence: rule.confidence }, phrase);
      return rule.predicate === 'born' && phrase.kind === 'date'
        ? { ...found, predicate: 'birthday' }
        : found;
    });
  }
  return [];
}

/** `Papa, Gerd Kallweit, 72,` is Papa. */
function withoutApposition(text: string): string {
  const parts = text.replace(/,$/u, '').split(/,\s+/u);
  const isName = /^(?:Dr\.? |Frau |Herr )?\p{Lu}[\p{L}-]+(?: \p{Lu}[\p{L}-]+)?$/u.test(parts[0] ?? '');
  return isName && text.endsWith(',') && parts.every((part) => part.split(/\s+/u).length <= 5)
    ? (parts[0] ?? '')
    : text;
}

function fitsSubject(rule: VerbRule, subject: { isPerson: boolean; text: string }): boolean {
  if (rule.subject === 'any') return true;
  // A capitalised name may be a person or a thing; a person cannot listen on a port all the same.
  return rule.subject === 'person' ? subject.isPerson : !/^(?:I|we|he|she)$/iu.test(subject.text);
}

/** Where an object ends besides: `lives in Leipzig with Daniel`, `prefers tea over coffee`. */
const ENDS: Readonly<Record<string, RegExp>> = {
  lives_in: /\s+(?:with|near|for|as|under|above)\s.*$/u,
  works_at: /\s+(?:as|with|in|on)\s.*$/u,
  works_as: /\s+(?:at|for|in|with)\s.*$/u,
  runs_on: /\s+(?:in|under|behind|with|for)\s.*$/u,
  likes: /\s+(?:above|over|more than|most|best|very|a lot|from|with|at|on)(?:\s.*)?$/u,
  dislikes: /\s+(?:above|over|more than|most|very|a lot|with|at|on)(?:\s.*)?$/u,
  prefers: /\s+(?:over|to|above|rather)\s.*$/u,
  plays: /\s+(?:in|at|on|with|for)\s.*$/u,
  uses: /\s+(?:for|with|in|as|on|at|from)\s.*$/u,
  located_in: /\s+(?:with|for|since)\s.*$/u,
};

function objectsOf(
  reader: PhraseReader,
  rule: VerbRule,
  { rest, subject }: { rest: string; subject: Subject },
): ObjectPhrase[] {
  const { object, list } = rule;
  const first = readObject(
    reader,
    ENDS[rule.predicate] ? rest.replace(ENDS[rule.predicate] ?? '', '') : rest,
    { longest: object === 'activity' ? 7 : 8, and: list === true },
  );
  if (!first || !fitsObject(reader, rule, { phrase: first, subject })) return [];
  if (!list || first.kind === 'date')
    return object === 'amount' || object === 'number' ? amount(first, rule) : [first];
  const each = first.text.split(/\s*,\s*(?:and\s+|or\s+)?|\s+(?:and|or)\s+/u);
  return each.flatMap((one) => {
    const phrase = readObject(reader, one);
    if (!phrase || phrase.kind === 'date') return [];
    // `nuts` alone is an adjective to the tagger.
    return !/\s/u.test(phrase.text) || isNounObject(reader, phrase) ? [phrase] : [];
  });
}

/** The number itself, where words follow it. */
function amount(phrase: ObjectPhrase, rule: VerbRule): ObjectPhrase[] {
  if (rule.predicate === 'time') return [{ ...phrase, kind: 'text', norm: phrase.text.toLowerCase() }];
  const [quantity] = findQuantities(phrase.text);
  if (quantity?.start !== 0) return [];
  return [
    {
      ...phrase,
      text: quantity.text,
      norm: quantity.norm,
      kind: quantity.kind === 'money' ? 'money' : 'number',
    },
  ];
}

function fitsObject(
  reader: PhraseReader,
  rule: VerbRule,
  { phrase, subject }: { phrase: ObjectPhrase; subject: Subject },
): boolean {
  const [quantity] = findQuantities(phrase.text);
  switch (rule.object) {
    case 'place':
      // Of somebody by name it is a place that they moved to; of `we` it may be a tool.
      return (
        phrase.kind === 'name' &&
        !/\p{N}/u.test(phrase.text) &&
        (!/^(?:I|we)$/iu.test(subject.text) || isPlace(reader, phrase.text))
      );
    case 'name':
      return phrase.kind === 'name' || /^\p{Lu}/u.test(phrase.text);
    case 'date':
      return phrase.kind === 'date';
    case 'amount':
      return quantity?.start === 0 && quantity.unit !== '' && quantity.kind !== 'version';
    case 'number':
      return rule.predicate === 'time'
        ? /^\d{1,2}(?:[:.]\d\d)?(?:\s?[ap]m)?$/iu.test(phrase.text)
        : quantity?.start === 0 && quantity.unit === '';
    case 'address':
      return /^(?:[a-z]+:\/\/\S+|[\w-]+(?:\.[\w-]+)+(?::\d+)?(?:\/\S*)?|localhost(?::\d+)?\S*)$/iu.test(
        phrase.text,
      );
    case 'site':
      return (
        !subject.isPerson &&
        (phrase.kind === 'name' || /^\p{Lu}\p{Ll}[\p{L}-]* \d+\p{Ll}?$/u.test(phrase.text))
      );
    case 'concern':
      // `runs PostgreSQL 15`, `runs the pottery studio`; not `runs two hours`, `runs again`.
      return /^(?:\p{Lu}|(?:the|a|an) \p{L})/u.test(phrase.text) && isNounObject(reader, phrase);
    case 'activity':
      return phrase.kind !== 'date' && !/^(?:to|that|how|when)\b/iu.test(phrase.text)
        ? isNounObject(reader, phrase) || /^\p{Ll}+ing\b/u.test(phrase.text)
        : false;
    default:
      return isNounObject(reader, phrase);
  }
}

/** `We switched from yarn to pnpm`: pnpm is used, and yarn is not any more. */
function exchanged(
  reader: PhraseReader,
  text: string,
  speaking: Speaking,
): (RuleFact & { denies?: true })[] | undefined {
  const upgrade = UPGRADE.exec(text)?.groups;
  if (upgrade) {
    const doer = readSubject(reader, upgrade['subject'] ?? '', speaking);
    const thing = upgrade['thing'] ?? '';
    const phrase = readObject(reader, `${upgrade['to'] ?? ''}${upgrade['rest'] ?? ''}`);
    if (!doer || !isThing(reader, thing, 4) || phrase?.kind !== 'number') return [];
    const subject = { text: thing, norm: normaliseEntity(thing), isPerson: false, certainty: 1 };
    return [
      finding(subject, { predicate: 'version', said: 'to', functional: true, confidence: 0.9 }, phrase),
    ];
  }
  const groups = (SWITCH.exec(text) ?? REPLACE.exec(text))?.groups;
  if (!groups) return undefined;
  const subject = readSubject(reader, groups['subject'] ?? '', speaking);
  const to = readObject(reader, groups['to'] ?? '');
  const from = readObject(reader, groups['from'] ?? '');
  if (/\bmoved\b/u.test(text) && groups['thing'] === undefined) {
    const isMove = subject?.isPerson === true && !/^(?:I|we)$/iu.test(subject.text);
    if (isMove || [from, to].some((place) => place && isPlace(reader, place.text))) return undefined;
  }
  if (!subject || !to || !from || !isNounObject(reader, to) || !isNounObject(reader, from)) return [];
  // Of a quantity (`from 60 to 75 mg`) or a day it is the amount that changed, not what is used.
  if (
    to.kind === 'date' ||
    to.kind === 'number' ||
    to.kind === 'money' ||
    /^(?:the|a|an|our|my)\s/iu.test(to.text)
  )
    return [];
  const what = { predicate: 'uses', said: 'switched to', functional: false, confidence: 0.88 };
  return [
    finding(subject, what, to),
    {
      ...finding(subject, { ...what, said: 'switched from' }, { ...from, since: to.since }),
      denies: true,
    },
  ];
}

function isPlace(reader: PhraseReader, text: string): boolean {
  return reader.tagWords(text).some(({ tags }) => tags.has('Place'));
}

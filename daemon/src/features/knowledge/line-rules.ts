import { findQuantities } from '../../language/quantities.ts';
import { finding, type RuleFact } from './attribute-rules.ts';
import { normaliseEntity, normalisePredicate, normaliseText } from './normalise.ts';
import { isThing, type PhraseReader, readObject } from './phrases.ts';
import type { Speaking } from './subject.ts';
import { anyOf } from '../../language/word-lists.ts';

/** A finding with the line that says it. */
export type LineFinding = RuleFact & { readonly sentence: string };

const PAIR =
  /^\s*(?:[-*•]\s+)?(?:\*\*|`)?(?<attribute>\p{L}[\p{L}\p{N} _./-]{1,32}?)(?:\*\*|`)?\s*:\s+(?<value>\S.{0,90}?)\s*$/u;
/** Labels before a text, which is no value of theirs. */
const LABEL = new RegExp(`^${anyOf('knowledge/labels')}$`, 'iu');
const ASSIGNMENT =
  /(?<![\w.?&/=-])(?<name>[A-Z][A-Z0-9]*_[A-Z0-9_]+|[a-z_]+(?:\.[a-z_]+){2,})\s?=\s?(?<value>[\w./:@%+-]{1,80})(?![\w=(])/gu;
/** `Birthdays: Leni 9 May 2018, Emil 30 November 2021`. */
const LIST =
  /^\s*(?:[-*•]\s+)?(?<attribute>\p{Lu}?[\p{L} ]{2,25}?s)(?:\s+in\s+\p{L}+)?:\s+(?<items>\p{Lu}.*)$/u;
const ITEM = /^(?<name>me|\p{Lu}[\p{L}'’-]+(?: \p{Lu}[\p{L}'’-]+)?)(?::|\s+(?:is|has))?\s+(?<value>\S.*)$/u;
const OWN = /^(?<own>[Mm]y|[Oo]ur|\p{Lu}[\p{L}'’-]*['’]s)\s+(?<attribute>\p{L}[\p{L} -]{1,30})$/u;

/** What lines are about: a thing that the key names, a project of the metadata. */
export interface Context {
  readonly about: string | undefined;
  readonly project: string | undefined;
  readonly speaking: Speaking;
}

/** What lines of the form `attribute: value`, `NAME=value` and `things: Anna 1, Bruno 2` say; `about` is what the memory is about. */
export function lineFindings(reader: PhraseReader, text: string, context: Context): LineFinding[] {
  const lines = text.trim().split(/\r?\n/u);
  // One pair among paragraphs is a heading or a remark; several in a row, or nothing else, are a record.
  const isRecord = lines.map(
    (line, i) =>
      lines.length === 1 ||
      /^\s*[-*•]\s/u.test(line) ||
      [lines[i - 1], lines[i + 1]].some((next) => next !== undefined && PAIR.test(next)),
  );
  return lines.flatMap((line, i) => {
    if (line.length > 320) return [];
    const found = [...listed(reader, line, context.speaking), ...assigned(line, context.project)];
    const all = found.length > 0 || !isRecord[i] ? found : paired(reader, line, context);
    return all.map((one) => ({ ...one, sentence: line.trim() }));
  });
}

function listed(reader: PhraseReader, line: string, { me }: Speaking): RuleFact[] {
  const { attribute = '', items = '' } = LIST.exec(line)?.groups ?? {};
  const each = items
    .split(/\.\s/u)[0]
    ?.replace(/\.$/u, '')
    .replace(/\s*\([^()]*\)/gu, '')
    .split(/,\s+(?:and\s+)?/u);
  if (!each || each.length < 2) return [];
  const predicate = normalisePredicate(attribute.replace(/s$/u, ''));
  const found = each.map((item) => {
    const { name = '', value = '' } = ITEM.exec(item)?.groups ?? {};
    const phrase = value === '' ? undefined : readObject(reader, value, { longest: 3 });
    if (!phrase || phrase.kind === 'text' || phrase.kind === 'name') return undefined;
    if (name === 'me' && me === undefined) return undefined;
    const norm = name === 'me' ? (me ?? '') : normaliseEntity(name);
    const subject = { text: name, norm, isPerson: true, certainty: 1 };
    return finding(subject, { predicate, said: attribute, functional: true, confidence: 0.9 }, phrase);
  });
  const whole = found.filter((one) => one !== undefined);
  // One that does not fit, and the line is something else.
  return found.length - whole.length <= Math.floor(found.length / 4) ? whole : [];
}

function assigned(line: string, project: string | undefined): RuleFact[] {
  // `when DEBUG=1`, `start it with PORT=1`, and what a message quotes, tell of no value that is set.
  if (/\b(?:when|if|unless|without|with|only|else|run|start)\b|["“`][^"”`]*=/iu.test(line)) return [];
  return [...line.matchAll(ASSIGNMENT)].map(({ groups }) => {
    const { name = '', value = '' } = groups ?? {};
    const [quantity] = findQuantities(value);
    const isNumber = quantity?.start === 0 && quantity.end === value.length;
    const object = {
      text: value,
      norm: isNumber ? quantity.norm : normaliseText(value),
      kind: isNumber ? ('number' as const) : ('text' as const),
      since: undefined,
    };
    // The same name is something else in another project.
    const scope = /(?:^|\s)[Ii]n (?<project>[\p{L}\p{N}_-]+),\s/u.exec(line)?.groups?.['project'] ?? project;
    const norm = normaliseText(scope === undefined ? name : `${scope} ${name}`);
    const subject = { text: name, norm, isPerson: false, certainty: 1 };
    return finding(subject, { predicate: 'value', said: '=', functional: true, confidence: 0.85 }, object);
  });
}

function paired(reader: PhraseReader, line: string, { about, speaking }: Context): RuleFact[] {
  const { attribute = '', value = '' } = PAIR.exec(line)?.groups ?? {};
  if (attribute === '' || LABEL.test(attribute) || attribute.split(/\s+/u).length > 4) return [];
  if (/[?!;{}<>]|\.\s/u.test(value) || value.split(/\s+/u).length > 8) return [];
  const own = OWN.exec(attribute)?.groups;
  const isMine = own !== undefined && /^(?:my|our)$/iu.test(own['own'] ?? '');
  if (isMine && speaking.me === undefined) return [];
  const name = own === undefined ? about : isMine ? 'I' : (own['own'] ?? '').replace(/['’]s$/u, '');
  const of = own?.['attribute'] ?? attribute;
  if (name === undefined || !isThing(reader, of, 3) || hasVerb(reader, value)) return [];
  const phrase = readObject(reader, value, { longest: 8, and: true });
  if (!phrase || phrase.text.length < value.replace(/[.,]$/u, '').length * 0.6) return [];
  if (phrase.kind === 'text' && phrase.text.split(/\s+/u).length > 6) return [];
  const norm = isMine ? (speaking.me ?? 'user') : normaliseEntity(name);
  if (normaliseText(of) === norm) return [];
  const subject = { text: isMine ? (own['own'] ?? '') : name, norm, isPerson: false, certainty: 1 };
  const functional = !/s$/u.test(of) && !/,/u.test(value);
  return [
    finding(
      subject,
      { predicate: normalisePredicate(of), said: of, functional, confidence: own ? 0.85 : 0.7 },
      phrase,
    ),
  ];
}

/** A value with a verb is a sentence after a label. */
function hasVerb(reader: PhraseReader, value: string): boolean {
  const tagged = reader.tagWords(value);
  return (
    tagged.some(
      ({ text, tags }) => tags.has('Verb') && !tags.has('Gerund') && !/[\p{N}_./]|^\p{Lu}/u.test(text),
    ) && tagged.length > 1
  );
}

import { loadFindDates } from '../../language/dates.ts';
import { loadTagWords } from '../../language/parts-of-speech.ts';
import { attributeFindings, type RuleFact, namedRelations, possessiveFindings } from './attribute-rules.ts';
import { clausesOf } from './clauses.ts';
import type { FactSource, Statement } from './fact.ts';
import { lineFindings } from './line-rules.ts';
import { metadataFacts } from './metadata-facts.ts';
import { normaliseEntity } from './normalise.ts';
import type { PhraseReader } from './phrases.ts';
import type { Speaking } from './subject.ts';
import { verbFindings, withoutLead } from './verb-findings.ts';
import { anyOf } from '../../language/word-lists.ts';

/** What a memory says of things; the same for the same memory, always. */
export type Extract = (source: FactSource) => Statement[];

/** Facts of one memory at most. */
const MOST = 60;

/** Loads the parsers, some 400 ms. */
export async function loadExtractor(): Promise<Extract> {
  const [tagWords, findDates] = await Promise.all([loadTagWords(), loadFindDates()]);
  return (source) => extract(source, { tagWords, findDates, now: source.observedAt });
}

function extract(source: FactSource, reader: PhraseReader): Statement[] {
  const { text, speaking } = speakingOf(source);
  const found: Statement[] = [];
  const people = new Set<string>();
  let last = '';
  let lead = '';
  for (const clause of clausesOf(text)) {
    if (clause.sentence !== last && people.size > 1) speaking.person = undefined;
    last = clause.sentence;
    if (clause.goesOn && lead === '' && !/^(?:I|we|he|she)\s/iu.test(clause.text)) continue;
    const plain = withoutLead(
      clause.goesOn && !/^(?:I|we|he|she)\s/iu.test(clause.text)
        ? `${lead} ${clause.text}`.trim()
        : clause.text,
    );
    lead = LEADING.exec(plain)?.groups?.['subject'] ?? '';
    const findings = findingsOf(plain, reader, speaking);
    for (const finding of [...findings, ...(clause.negated ? [] : namedRelations(reader, plain, speaking))]) {
      const { isPerson, ...fact } = finding;
      const denies = 'denies' in finding && finding.denies === true;
      found.push(asStatement(fact, { sentence: clause.sentence, negated: clause.negated !== denies }));
      if (isPerson && /^\p{Lu}/u.test(finding.subject) && !/^(?:I|We|My|Our)$/u.test(finding.subject)) {
        people.add(finding.subjectNorm);
        speaking.person = people.size === 1 ? finding.subject : undefined;
      }
    }
  }
  for (const { isPerson: _, sentence, ...fact } of lineFindings(reader, text, {
    about: aboutOf(source.key),
    project: projectOf(source.metadata),
    speaking,
  }))
    found.push(asStatement(fact, { sentence, negated: false }));
  return [...distinct(found).slice(0, MOST), ...metadataFacts(source)];
}

/** The subject of a clause, for `… and plays drums`: a name, `I` or `we`. */
const LEADING = new RegExp(
  String.raw`^(?!${anyOf('knowledge/no-leading-words')}\s)(?<subject>\p{Lu}[\p{L}-]+(?:\s\p{Lu}[\p{L}-]+){0,2}|I|[Ww]e|[Hh]e|[Ss]he)\s+\p{Ll}`,
  'u',
);

function findingsOf(
  text: string,
  reader: PhraseReader,
  speaking: Speaking,
): (RuleFact & { denies?: true })[] {
  const possessive = possessiveFindings(reader, text, speaking) ?? [];
  if (possessive.length > 0) return possessive;
  const byVerb = verbFindings(reader, text, speaking);
  return byVerb.length > 0 ? byVerb : attributeFindings(reader, text, speaking);
}

function asStatement(
  { denies: _, ...fact }: Omit<RuleFact, 'isPerson'> & { denies?: true },
  of: { sentence: string; negated: boolean },
): Statement {
  return { ...fact, ...of, origin: 'text' };
}

/** Each fact once, as its surest sentence says it. */
function distinct(facts: readonly Statement[]): Statement[] {
  const best = new Map<string, Statement>();
  for (const fact of facts) {
    const { subjectNorm, predicate, objectNorm, negated } = fact;
    const id = JSON.stringify([subjectNorm, predicate, objectNorm, negated]);
    const other = best.get(id);
    if (!other || other.confidence < fact.confidence) best.set(id, fact);
  }
  return [...best.values()];
}

const ASSISTANT = /^(?:agent|assistant|ai|bot|system|model|tool|claude|codex|cursor|gpt|gemini|copilot)\b/iu;
const TURN =
  /^(?<speaker>\p{Lu}[\p{L}'’-]+(?: \p{Lu}[\p{L}'’-]+)?):\s+(?=\p{Lu})(?=[^\n]*\b(?:I|we|my|our|me|I['’]m)\b)/u;

/** Who speaks: as metadata says, else as `Anna: I moved …` does, else the user. */
function speakingOf({ value, metadata }: FactSource): { text: string; speaking: Speaking } {
  const named = metadata['speaker'] ?? metadata['role'] ?? metadata['author'];
  const turn = TURN.exec(value);
  const speaker = typeof named === 'string' && named !== '' ? named : turn?.groups?.['speaker'];
  const me = speaker === undefined ? 'user' : ASSISTANT.test(speaker) ? undefined : normaliseEntity(speaker);
  const text = turn ? value.slice(turn[0].length) : value;
  return { text, speaking: { me, person: undefined } };
}

function projectOf({ project }: FactSource['metadata']): string | undefined {
  return typeof project === 'string' && project.length <= 60 && project !== '' ? project : undefined;
}

/** What a memory is about by its key: its last part in words; undefined where the key was made by a machine. */
function aboutOf(key: string): string | undefined {
  const name = (
    key
      .replace(/^(?:note|error|dream|skill):/u, '')
      .split(/[/#]/u)
      .at(-1) ?? ''
  )
    .replace(/[_-]+/gu, ' ')
    .trim();
  const isMade =
    /^mem [0-9a-z]{26}$/u.test(name) ||
    /^[0-9a-f ]{8,}$/iu.test(name) ||
    !/\p{L}{2}/u.test(name) ||
    /^\d/u.test(name);
  return isMade || name.split(' ').length > 5 ? undefined : name;
}

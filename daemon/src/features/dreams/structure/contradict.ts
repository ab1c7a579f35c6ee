import { says } from '../../../language/grammar.ts';
import { structuredFacts, type StructuredFact } from '../../../language/structured-facts.ts';
import { foldText } from '../../../language/words.ts';
import type { DreamView, Proposal } from '../strategies/strategy.ts';
import { alikeIn, isCount, tellsChange } from './alike.ts';
import { daysIn } from './days.ts';
import { byAge, isTemplate, type Note, notesOf } from './notes.ts';
import { isGrammar, isoDay, plainText, shorten, wordsIn } from './words.ts';

const MOST = 30;
/** Characters of a value; a longer one is a text. */
const LONGEST = 60;
/** Notes that name a value of a thing; in more of them it is a series. */
const MOST_SIDES = 3;
/** A label that this share of the notes has says nothing, where they are so many at least. */
const COMMON = { notes: 12, share: 0.1 } as const;
/** What each note has of its own, or what passes. */
const NO_LABEL =
  /^(?:tags?|type|status|state|date|datum|created?(?: at| on)?|updated?(?: at| on)?|modified|author|version|title|name|id|uuid|source|url|links?|notes?|examples?|e\.g\.|to ?do|tasks?|time|weather|mood|count|total|progress|last .*|next .*|current .*|latest .*)$/iu;
/** Headings that many notes have, each of its own thing. */
const NO_THING =
  /^(?:set ?up|config(?:uration)?|settings|overview|notes?|summary|details|usage|install(?:ation)?|status|to ?do|tasks|next steps|contacts?|links|info|general|misc|home|readme|about|today|log|meeting|einrichtung|übersicht|notizen|réglages|aperçu|notes diverses)$/iu;

interface Side {
  readonly note: Note;
  readonly quote: string;
  readonly value: string;
  readonly label: string;
  readonly thing: string;
}

/** Finds two notes that hold today and name two values of one thing: by its label, or in sentences that are alike but for the value. */
export function contradict(view: DreamView): Proposal[] {
  const { all, isVault } = notesOf(view);
  if (isVault) return [];
  const taken = new Set<Note>();
  const isFree = (notes: readonly Note[]): boolean => {
    if (notes.some((note) => taken.has(note))) return false;
    for (const note of notes) taken.add(note);
    return true;
  };
  const labelled = labelledIn(all)
    .filter((sides) => isFree(sides.map(({ note }) => note)))
    .map((sides) => {
      const [{ thing, label } = { thing: '', label: '' }] = sides;
      const values = sides.map(({ value }) => value);
      return proposalOf(sides, thing === '' ? label : `${thing}: ${label}`, values);
    });
  const alike = alikeIn(view)
    .filter(({ sentences }) => isFree(sentences.map(({ of }) => of)))
    .map(({ sentences, values }) =>
      proposalOf(
        sentences.map(({ of, text }) => ({ note: of, quote: text })),
        sentences[1].text,
        values,
      ),
    );
  return [...labelled, ...alike].slice(0, MOST);
}

function labelledIn(all: readonly Note[]): [Side, Side][] {
  const common = new Map<string, number>();
  const sides = all.flatMap((note): [string, Side][] => {
    if (note.ownDay !== undefined || isTemplate(note.memory) || !/[:|：]/u.test(note.memory.value)) return [];
    const facts = structuredFacts(note.memory.value);
    for (const label of new Set(facts.map((fact) => spelled(fact.label))))
      common.set(label, (common.get(label) ?? 0) + 1);
    return facts.flatMap((fact) => {
      const side = sideOf(note, fact, facts);
      return side ? [side] : [];
    });
  });
  const isCommon = (label: string) =>
    (common.get(spelled(label)) ?? 0) > Math.max(COMMON.notes, COMMON.share * all.length);
  return [...Map.groupBy(sides, ([id]) => id).values()].flatMap((group): [Side, Side][] => {
    const named = group.map(([, side]) => side).sort((a, b) => byAge(a.note, b.note));
    const notes = new Set(named.map(({ note }) => note));
    const values = new Map(named.map((side) => [plainText(side.value), side]));
    const [one, other] = [...values.values()];
    if (!one || !other || values.size !== 2 || named.length !== notes.size || notes.size > MOST_SIDES)
      return [];
    if (isCommon(one.label) || isPart(one.value, other.value) || isDated(one.thing)) return [];
    return named.some(({ note, quote }) => tellsChange(note) || isFormer(quote)) ? [] : [[one, other]];
  });
}

/** A row or heading of a day. */
function isDated(thing: string): boolean {
  return daysIn(thing, 0).length > 0;
}

function isFormer(quote: string): boolean {
  return says(quote, 'formerly') || says(quote, 'moved') || says(quote, 'used-to');
}

/** One says what the other says, and more or less of it. */
function isPart(a: string, b: string): boolean {
  const [one, other] = [plainText(a), plainText(b)];
  const [words, others] = [new Set(one.split(' ')), new Set(other.split(' '))];
  return (
    words.isSubsetOf(others) ||
    others.isSubsetOf(words) ||
    one.replaceAll(' ', '') === other.replaceAll(' ', '')
  );
}

function sideOf(
  note: Note,
  fact: StructuredFact,
  facts: readonly StructuredFact[],
): [string, Side] | undefined {
  const { label, value, quote, path, from } = fact;
  if (NO_LABEL.test(label) || value.length > LONGEST || !note.memory.value.includes(quote)) return undefined;
  if (/,|;| \/ /u.test(value)) return undefined;
  const thing = from === 'property' ? nameIn(note, facts) : path.join(': ');
  if (thing === '' ? from !== 'line' || !isNaming(label) || !isBare(value) : NO_THING.test(thing))
    return undefined;
  return [`${spelled(thing)}\n${spelled(label)}`, { note, quote, value, label, thing }];
}

/** A label of two words or more says of what by itself: `Wi-Fi password`. */
function isNaming(label: string): boolean {
  return wordsIn(label.replaceAll('-', ' ')).filter((word) => !isGrammar(word)).length >= 2;
}

/** One word or figure, or a price: figures with a unit are readings more often than not, and a count grows. */
function isBare(value: string): boolean {
  return /^(?:\S+|[€£$]\s?\S+|\S+\s?[€£$]|\d+ (?:euros?|eur|usd|pounds?))$/iu.test(value) && !isCount(value);
}

/** What front matter is of: its name or title, else the first heading. */
function nameIn({ memory: { value } }: Note, facts: readonly StructuredFact[]): string {
  const named = facts.find(({ from, label }) => from === 'property' && /^(?:name|title|id)$/iu.test(label));
  return named?.value ?? /^ {0,3}#{1,3}[ \t]+(\S.{0,100})$/mu.exec(value)?.[1] ?? '';
}

function spelled(text: string): string {
  return foldText(text)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\n]+/gu, ' ')
    .trim();
}

function proposalOf(
  sides: readonly Pick<Side, 'note' | 'quote'>[],
  title: string,
  values: readonly string[],
): Proposal {
  const sorted = sides.toSorted((a, b) => byAge(a.note, b.note));
  const stated = sorted.flatMap(({ note: { memory, ownDay } }) =>
    ownDay === undefined ? [] : [[memory.key, ownDay] as const],
  );
  return {
    strategy: 'contradict',
    title: shorten(title, 200),
    body: sorted
      .map(({ note: { memory }, quote }) => `"${memory.key}" (${isoDay(memory.time)}): ${quote}`)
      .join('\n'),
    evidence: sorted.map(({ note, quote }) => ({ key: note.memory.key, sentence: quote })),
    confidence: 0.9,
    statedOn: Object.fromEntries(stated),
    content: `contradiction ${values
      .map((value) => plainText(value))
      .sort()
      .join(' / ')}`,
  };
}

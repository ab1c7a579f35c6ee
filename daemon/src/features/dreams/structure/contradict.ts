import { structuredFacts, type StructuredFact } from '../../../language/notes/structured-facts.ts';
import { foldText } from '../../../language/words/words.ts';
import type { Proposal } from '../proposal.ts';
import { addSide, alikeIn, isCount, pairOf, type Side, type Sides } from './alike.ts';
import { daysIn } from './days.ts';
import { isTemplate, type Note, type Notes, proposalOf } from './notes.ts';
import { isGrammar, plainText, wordsIn } from './words.ts';

const MOST = 30;
/** Characters of a value; a longer one is a text. */
const LONGEST = 60;
/** A label that this share of the notes has says nothing, where they are so many at least. */
const COMMON = { notes: 12, share: 0.1 } as const;
/** What each note has of its own, or what passes. */
const NO_LABEL =
  /^(?:tags?|type|status|state|date|datum|created?(?: at| on)?|updated?(?: at| on)?|modified|author|version|title|name|id|uuid|source|url|links?|notes?|examples?|e\.g\.|to ?do|tasks?|time|weather|mood|count|total|progress|last .*|next .*|current .*|latest .*)$/iu;
/** Headings that many notes have, each of its own thing. */
const NO_THING =
  /^(?:set ?up|config(?:uration)?|settings|overview|notes?|summary|details|usage|install(?:ation)?|status|to ?do|tasks|next steps|contacts?|links|info|general|misc|home|readme|about|today|log|meeting|einrichtung|übersicht|notizen|réglages|aperçu|notes diverses)$/iu;

interface Pair {
  readonly pair: readonly [Side, Side];
  readonly title: string;
}

interface Labelled extends Side {
  readonly label: string;
  readonly thing: string;
}

/** Finds two notes that hold today and name two values of one thing: by its label, or in sentences that are alike but for the value. */
export function contradict({ all, isVault }: Notes): Proposal[] {
  if (isVault) return [];
  const taken = new Set<Note>();
  // What is best explained by one partner is no disagreement with a second one.
  return [...labelledIn(all), ...alikeIn(all).map((pair) => ({ pair, title: pair[1].text }))]
    .filter(({ pair }) => {
      const isFree = !pair.some(({ note }) => taken.has(note));
      if (isFree) for (const { note } of pair) taken.add(note);
      return isFree;
    })
    .slice(0, MOST)
    .map(proposed);
}

function labelledIn(all: readonly Note[]): Pair[] {
  const sides: Sides = new Map();
  const labels = new Map<string, number>();
  const named = new Map<Side, Labelled>();
  for (const note of all) {
    if (isTemplate(note.memory) || !/[:|：]/u.test(note.memory.value)) continue;
    const facts = structuredFacts(note.memory.value);
    for (const label of new Set(facts.map((fact) => spelled(fact.label))))
      labels.set(label, (labels.get(label) ?? 0) + 1);
    for (const fact of facts) {
      const side = sideOf(note, fact, facts);
      if (!side) continue;
      named.set(side, side);
      addSide(sides, `${spelled(side.thing)}\n${spelled(side.label)}`, side);
    }
  }
  const most = Math.max(COMMON.notes, COMMON.share * all.length);
  return [...sides.values()].flatMap((group): Pair[] => {
    const pair = pairOf(group);
    const { thing, label } = (pair && named.get(pair[0])) ?? { thing: '', label: '' };
    if (!pair || (labels.get(spelled(label)) ?? 0) > most || isDated(thing)) return [];
    if (isPart(pair[0].value, pair[1].value)) return [];
    return [{ pair, title: thing === '' ? label : `${thing}: ${label}` }];
  });
}

/** A row or heading of a day. */
function isDated(thing: string): boolean {
  return daysIn(thing, 0).length > 0;
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

function sideOf(note: Note, fact: StructuredFact, facts: readonly StructuredFact[]): Labelled | undefined {
  const { label, value, quote, path, from } = fact;
  const isOne = value.length <= LONGEST && !/,|;| \/ /u.test(value);
  if (!isOne || NO_LABEL.test(label) || !note.memory.value.includes(quote)) return undefined;
  const thing = from === 'property' ? nameIn(note, facts) : path.join(': ');
  const isNamed = thing === '' ? from === 'line' && isNaming(label) && isBare(value) : !NO_THING.test(thing);
  return isNamed ? { note, text: quote, value, label, thing } : undefined;
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

function proposed({ pair, title }: Pair): Proposal {
  const values = pair.map(({ value }) => plainText(value)).sort();
  const content = `contradiction ${values.join(' / ')}`;
  const days = pair.flatMap(({ note: { memory, ownDay } }) =>
    ownDay === undefined ? [] : [[memory.key, ownDay] as const],
  );
  const statedOn = Object.fromEntries(days);
  return proposalOf('contradict', pair, { title, confidence: 0.9, statedOn, content });
}

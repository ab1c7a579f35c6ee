import { isSpecific } from '../concepts.ts';
import type { Reading, ReadSentence, Token } from '../reading.ts';
import { wordLore } from '../word-lore.ts';

/** How surely two terms are one thing in this namespace, 0..1: `Biscuit` and `cat`, `fridgewatch` and `fridge`. */
export type Aliases = (a: string, b: string) => number;

/** A name is looked at while it stands in so many memories: beyond, everything stands beside it. */
const NAMED = { least: 2, most: 60 } as const;
const TOLD = 0.85;
const PART = 0.7;
const BESIDE = 0.6;
/** A noun belongs to a name where so many of its memories, and so many in all, name both. */
const TOGETHER = { share: 0.4, least: 3 } as const;
const PREFIX = 4;

/** `Biscuit, our cat`, `waybill (the label service)`, `windlog is a logger`, `Doris: the van`. */
const AFTER = /^(?:,\s|\s\(|\sis\s|:\s|\s[–—-]\s)(?:my|our|the|an?)\s$/u;
/** `The cat Biscuit`, `our van, Doris`, `the cat called Biscuit`. */
const BEFORE = /^(?:\s|,\s|\s\(|\scalled\s|\snamed\s|:\s)$/u;
const OURS = /^(?:my|our|the)$/iu;

/** What the sentences of a namespace say that its names are. */
export function aliasesOf(reading: Reading): Aliases {
  const known = new Map<string, Map<string, number>>();
  const add = (a: string, b: string, sure: number): void => {
    if (a === b) return;
    for (const [one, other] of [
      [a, b],
      [b, a],
    ] as const) {
      let list = known.get(one);
      if (!list) known.set(one, (list = new Map<string, number>()));
      list.set(other, Math.max(sure, list.get(other) ?? 0));
    }
  };
  const isOrdinary = ordinary();
  const isName = ({ shape, text }: Token): boolean =>
    shape === 'name' || (shape === 'id' && !/\d/u.test(text)) || (shape === 'word' && !isOrdinary(text));
  const beside = new Map<string, Map<string, number>>();
  const names = new Set<string>();
  for (const { sentences } of reading.memories) {
    const [here, nouns] = [new Set<string>(), new Set<string>()];
    for (const sentence of sentences) {
      if (sentence.foreign) continue;
      for (const [at, token] of sentence.tokens.entries()) {
        if (!token.says || token.shape === 'number') continue;
        if (isName(token)) {
          here.add(token.term);
          for (const { noun, sure } of toldOf(sentence, at, isName)) add(token.term, noun, sure);
        } else if (isSpecific(token.term)) nouns.add(token.term);
      }
    }
    for (const name of here) {
      names.add(name);
      const count = reading.frequency(name);
      if (count < NAMED.least || count > NAMED.most) continue;
      let list = beside.get(name);
      if (!list) beside.set(name, (list = new Map<string, number>()));
      for (const noun of nouns) list.set(noun, (list.get(noun) ?? 0) + 1);
    }
  }
  for (const [name, nouns] of beside)
    for (const [noun, count] of nouns) {
      const share = count / reading.frequency(noun);
      if (count >= TOGETHER.least && share >= TOGETHER.share)
        add(name, noun, BESIDE * Math.min(1, share + 0.2));
    }
  for (const name of names) for (const part of partsOf(name, reading)) add(name, part, PART);
  return (a, b) => known.get(a)?.get(b) ?? 0;
}

function ordinary(): (text: string) => boolean {
  const { isOrdinary } = wordLore();
  const before = new Map<string, boolean>();
  return (text) => {
    let is = before.get(text);
    if (is === undefined) before.set(text, (is = isOrdinary(text.toLowerCase().replace(/['’]s$/u, ''))));
    return is;
  };
}

/** What a sentence says beside a name that it is: the noun, and less surely the words before that. */
function toldOf(
  { tokens, text }: ReadSentence,
  at: number,
  isName: (token: Token) => boolean,
): { noun: string; sure: number }[] {
  const name = tokens[at];
  if (!name) return [];
  const found: { noun: string; sure: number }[] = [];
  const isNoun = (token: Token | undefined): token is Token =>
    token !== undefined && token.says && token.shape === 'word' && !isName(token);
  const next = tokens.findIndex(({ says }, index) => index > at && says);
  const first = tokens[next];
  if (first && AFTER.test(text.slice(name.end, first.start))) {
    const nouns: Token[] = [];
    for (let index = next; index < tokens.length && nouns.length < 3; index++) {
      const token = tokens[index];
      if (
        !isNoun(token) ||
        (nouns.length > 0 && !/^[\s-]$/u.test(text.slice(nouns.at(-1)?.end, token.start)))
      )
        break;
      nouns.push(token);
    }
    found.push(
      ...nouns.map(({ term }, index) => ({
        noun: term,
        sure: index === nouns.length - 1 ? TOLD : 0.6 * TOLD,
      })),
    );
  }
  const before = tokens[at - 1];
  if (isNoun(before)) {
    const between = text.slice(before.end, name.start);
    const begin = isNoun(tokens[at - 2]) ? at - 3 : at - 2;
    const isOurs = OURS.test(tokens[begin]?.text ?? '');
    if (isOurs && BEFORE.test(between) && isSpecific(before.term))
      found.push({ noun: before.term, sure: TOLD });
  }
  return found;
}

/** `ledger` of `ledger-db`; `fridge` of `fridgewatch` where the namespace speaks of one. */
function partsOf(name: string, reading: Reading): string[] {
  if (/[-_./]/u.test(name))
    return name.split(/[-_./]+/u).filter((part) => part.length >= PREFIX && isSpecific(part));
  if (name.length < PREFIX + 3) return [];
  const parts: string[] = [];
  for (let length = PREFIX; length <= name.length - 3; length++) {
    const part = name.slice(0, length);
    if (reading.frequency(part) > 0) parts.push(part);
  }
  return parts.slice(-1);
}

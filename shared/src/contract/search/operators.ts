import type { Readable } from '../../accounts/caller.ts';
import { EVERY_NAMESPACE } from '../fields.ts';
import { memoryClasses } from '../memories/memories.ts';
import { daysOf } from '../days.ts';

/** What an operator of a query narrows a search by. */
export const operatorKinds = ['tag', 'class', 'in', 'before', 'after', 'exact', 'without'] as const;
export type OperatorKind = (typeof operatorKinds)[number];

/** One operator of a query: `tag:adr` is of the kind `tag` and has the value `adr`. */
export interface Operator {
  readonly kind: OperatorKind;
  readonly value: string;
}

/** A query as it is read. */
export interface Understood {
  /** What is looked for by words and meaning, exact words with their quotation marks; empty where there are only operators. */
  readonly text: string;
  readonly filters: readonly Operator[];
  /** The words that are in no operator. */
  readonly rest: readonly string[];
  /** Operators with a date that no calendar has. */
  readonly wrong: readonly string[];
}

/** An example of each operator that a query may have, for people. */
export const OPERATORS =
  'tag:adr, class:error, in:work (with namespace "*"), before:2026-03, after:2026-03-05, "exact words", -word';

/** Operators of one query; what is further is plain words, for each is a look into the index. */
export const MOST_OPERATORS = 16;
/** Pieces in quotation marks of one query; where there are more, it is a pasted text, and all of them are words. */
const MOST_QUOTED = 4;
/** Words of such a piece; a longer one is pasted, too, and a look for it as a whole would keep others waiting. */
const MOST_EXACT = 16;

// An operator stands alone: blanks or an end around it, at most the punctuation of a sentence behind it. So a URL, `std::in:x`, `5"`, an
// unclosed quotation mark and `-O2` are words. A dash takes letters alone, three at least if they are ASCII's, or emoji: `-5` and `rm -rf` say
// something else.
const QUOTED = String.raw`"[^"]+"|“[^“”]+”`;
const BARE = String.raw`[^\s"“”]*[^\s"“”.,;:?!)]`;
const INVISIBLE = String.raw`\p{Default_Ignorable_Code_Point}`;
const LETTERS = String.raw`[a-zA-Z]{3,}|(?=[\p{L}\p{M}${INVISIBLE}]*[^\x00-\x7f])\p{L}[\p{L}\p{M}${INVISIBLE}]*`;
const EMOJI = String.raw`(?:(?:\p{Extended_Pictographic}|\p{RI}{2})[\p{M}\p{Emoji_Modifier}${INVISIBLE}]*)+`;
const OPERATOR = new RegExp(
  [
    String.raw`(?<=^|\s)(?:(?<name>tag|class|in|before|after):(?<value>${QUOTED}|${BARE})`,
    String.raw`|(?<not>-?)(?<exact>${QUOTED})|-(?<without>${LETTERS}|${EMOJI}))[.,;:?!)]*(?=\s|$)`,
  ].join(''),
  'gu',
);

// Other years are more likely to be sizes and ports.
const DATE = /^((?:19|20|21)\d\d)(?:-(\d{1,2}))?(?:-(\d{1,2}))?$/;

/**
 * Reads a query: its operators, and the text that is left. Whatever is not one is left as it stands. `in:` only ever narrows: in a
 * search of one namespace it is a word, unless it names that one.
 */
export function understandQuery(query: string, namespace: string): Understood {
  const filters: Operator[] = [];
  const wrong: string[] = [];
  const [kept, plain]: [string[], string[]] = [[], []];
  let at = 0;
  const keep = (to: number) => {
    const piece = query.slice(at, to);
    kept.push(piece);
    plain.push(piece);
    at = to;
  };
  const found = [...query.matchAll(OPERATOR)];
  const isPasted = found.filter(({ groups }) => groups?.['exact'] !== undefined).length > MOST_QUOTED;
  for (const { 0: piece, index, groups = {} } of found) {
    if (isPasted && groups['exact'] !== undefined) continue;
    if (filters.length >= MOST_OPERATORS) break;
    const operator = operatorOf(groups, namespace);
    if (operator === 'wrong') wrong.push(piece);
    if (operator === undefined || operator === 'wrong') continue;
    filters.push(operator);
    keep(index);
    kept.push(operator.kind === 'exact' ? piece : ' ');
    at += piece.length;
  }
  keep(query.length);
  const isChanged = filters.some(({ kind }) => kind !== 'exact');
  return {
    text: isChanged ? kept.join('').replace(/\s+/gu, ' ').trim() : query,
    rest: plain.join(' ').match(/\S+/gu) ?? [],
    filters,
    wrong,
  };
}

/** Which namespaces a query is about, of those that may be read. */
export function namespacesIn(filters: readonly Operator[], readable?: Readable): Readable | undefined {
  const named = filters.filter(({ kind }) => kind === 'in').map(({ value }) => value);
  if (named.length === 0) return readable;
  return (namespace) => named.includes(namespace) && readable?.(namespace) !== false;
}

type Groups = Partial<Record<string, string>>;

function operatorOf({ name, value, not, exact, without }: Groups, namespace: string) {
  if (without !== undefined) return { kind: 'without', value: without } as const;
  if (exact !== undefined) {
    const words = exact.slice(1, -1).trim();
    const count = words.match(/[\p{L}\p{N}\p{M}]+|\p{Extended_Pictographic}/gu)?.length ?? 0;
    if (count === 0 || count > MOST_EXACT) return undefined;
    return { kind: not === '-' ? 'without' : 'exact', value: words } as const;
  }
  if (name === undefined || value === undefined) return undefined;
  const said = /^["“]/u.test(value) ? value.slice(1, -1).trim() : value;
  return named(name, said, namespace);
}

function named(name: string, value: string, namespace: string): Operator | 'wrong' | undefined {
  if (value === '') return undefined;
  if (name === 'tag') return { kind: name, value };
  if (name === 'class')
    return (memoryClasses as readonly string[]).includes(value) ? { kind: name, value } : undefined;
  if (name === 'in')
    return namespace === EVERY_NAMESPACE || namespace === value ? { kind: name, value } : undefined;
  const date = DATE.exec(value);
  if (!date || (name !== 'before' && name !== 'after')) return undefined;
  const [year, ...rest] = date.slice(1).filter((part) => part !== undefined);
  const day = [year, ...rest.map((part) => part.padStart(2, '0'))].join('-');
  return daysOf(day) ? { kind: name, value: day } : 'wrong';
}

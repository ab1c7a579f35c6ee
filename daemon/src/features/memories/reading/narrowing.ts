import type { AccountId, Readable } from '@reverie/shared/accounts/caller';
import { EVERY_NAMESPACE } from '@reverie/shared/contract/fields';
import { type Condition, dayIn, numberIn } from '@reverie/shared/contract/conditions';
import type { HiddenKind, MemoryClass } from '@reverie/shared/contract/memories/memories';
import {
  type Operator,
  type OperatorKind,
  OPERATORS,
  understandQuery,
} from '@reverie/shared/contract/search/operators';
import { Problem } from '@reverie/shared/contract/problems';
import { daysOf } from '@reverie/shared/contract/days';
import type { ReadDb } from '../../../db/open-store.ts';
import { foldLine } from '../../../language/words/words.ts';
import type { MemoryDeps } from '../deps.ts';
import { type ListFilter, tagsIn } from './listing.store.ts';
import { findNamespace, listNamespaceRows, type NamespaceRow } from '../namespaces/namespaces.store.ts';
import { foldTag } from './session.ts';

/** What a list or a search is narrowed by. */
export interface Narrowing {
  /** `*` is every one that may be read. */
  namespace: string;
  readable?: Readable | undefined;
  class?: MemoryClass | undefined;
  tags?: readonly string[] | undefined;
  include?: readonly HiddenKind[] | undefined;
  prefix?: string | undefined;
  /** Of properties; all hold. */
  where?: readonly Condition[] | undefined;
  /** Of a query; those that name namespaces are `readable` already. */
  operators?: readonly Operator[] | undefined;
}

/** The namespaces that are looked at, without those of what is hidden. */
export function namespacesOf(
  db: ReadDb,
  account: AccountId,
  { namespace, readable = () => true }: Pick<Narrowing, 'namespace' | 'readable'>,
): NamespaceRow[] {
  if (namespace === EVERY_NAMESPACE)
    return listNamespaceRows(db, account).filter(({ name }) => readable(name));
  const found = findNamespace(db, account, namespace);
  return found ? [found] : [];
}

/** Whether anything is left out but what is hidden. */
export function isNarrowed({ operators = [], tags = [], where = [], ...by }: Narrowing): boolean {
  return (
    by.class !== undefined ||
    tags.length > 0 ||
    where.length > 0 ||
    (by.prefix ?? '') !== '' ||
    operators.some(({ kind }) => kind !== 'in')
  );
}

/** What a list or a search is narrowed by as the store takes it, for some namespaces. */
export function filterOf(
  db: ReadDb,
  { index }: Pick<MemoryDeps, 'index'>,
  { account, namespaces, by }: { account: AccountId; namespaces: readonly number[]; by: Narrowing },
): ListFilter {
  const said = (kind: OperatorKind) =>
    (by.operators ?? []).filter((one) => one.kind === kind).map(({ value }) => value);
  const wanted = wantedTags([...(by.tags ?? []), ...said('tag')]);
  const tags = wanted.length === 0 ? [] : tagsIn(db, account, namespaces);
  const days = (kind: 'before' | 'after') => said(kind).flatMap((date) => daysOf(date) ?? []);
  const [first, last] = [days('after').map(({ to }) => to), days('before').map(({ from }) => from)];
  const [exact, without] = [said('exact'), said('without')];
  return {
    account,
    namespaces,
    classes: classesOf(by.class, said('class')),
    tags: JSON.stringify(wanted.flatMap((isIt, at) => tags.filter(isIt).map((tag) => [tag, at]))),
    tagCount: wanted.length,
    from: first.length > 0 ? Math.max(...first) : null,
    to: last.length > 0 ? Math.min(...last) : null,
    having: exact.length > 0 ? JSON.stringify(index.saying(db, account, exact)) : null,
    lacking: without.length > 0 ? JSON.stringify(index.sayingAny(db, account, without)) : null,
    include: JSON.stringify(by.include ?? []),
    prefix: by.prefix ?? '',
    ...conditionsOf(by.where ?? []),
  };
}

/** The operators of a list. Throws `invalid_request` for words, which a list cannot rank, and for a date that is none. */
export function operatorsOf(query: string, namespace: string): readonly Operator[] {
  const { filters, wrong, rest } = understandQuery(query, namespace);
  const [word] = wrong.length > 0 ? wrong : rest;
  if (word === undefined) return filters;
  const why = wrong.length > 0 ? 'is no day of the calendar' : 'is no operator, and only search finds words';
  const message = `${JSON.stringify(word)} ${why}; allowed: ${OPERATORS}`;
  throw new Problem('invalid_request', `query: ${message}`, { errors: [{ path: 'query', message }] });
}

/** What tells each tag that is wanted, by its letters as a reader takes them, `cafe` for `Café`: itself, and what stands below it. */
function wantedTags(tags: readonly string[]): ((tag: string) => boolean)[] {
  return [...new Set(tags.map(foldTag))].map((wanted) => (tag: string) => {
    const folded = foldTag(tag);
    return folded === wanted || folded.startsWith(`${wanted}/`);
  });
}

/** Conditions as the store compares them; `!=` is `=` for those that may not pass. */
function conditionsOf(where: readonly Condition[]): Pick<ListFilter, 'where' | 'whereCount' | 'whereNot'> {
  const compared = where.map(({ name, comparison, value }) => {
    const [number, day] = [numberIn(value) ?? null, dayIn(value)];
    const text = foldLine(value);
    // What is text alone is looked up; what is a number or a day, too, is compared with each value of the property.
    const isText = /^!?=$/u.test(comparison) && number === null && day === undefined;
    const [least, most] = isText ? [text, text] : ['', '\u{10ffff}'];
    const days = { from: day?.from ?? null, to: day?.to ?? null };
    return { name: foldLine(name), comparison, text, number, ...days, least, most };
  });
  const holding = compared.filter(({ comparison }) => comparison !== '!=');
  const failing = compared.filter(({ comparison }) => comparison === '!=');
  return {
    where: JSON.stringify(holding),
    whereCount: holding.length,
    whereNot: JSON.stringify(failing.map((one) => ({ ...one, comparison: '=' }))),
  };
}

/** The classes that may pass: a memory has one, so several operators name either. */
function classesOf(only: MemoryClass | undefined, said: readonly string[]): string | null {
  if (only === undefined && said.length === 0) return null;
  if (only === undefined) return JSON.stringify(said);
  return JSON.stringify(said.length === 0 || said.includes(only) ? [only] : []);
}

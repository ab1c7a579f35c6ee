import type { AccountId } from '@reverie/shared/accounts/caller';
import type { listFacts } from '@reverie/shared/contract/knowledge';
import type { Parsed, Reply } from '@reverie/shared/contract/route';
import type { ReadDb, Store } from '../../db/open-store.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Fact } from './fact.ts';
import { factWords, roles } from './fact-terms.ts';
import {
  countTerms,
  factsWithAll,
  factsWithTerms,
  findFacts,
  type FactScope,
  knowledge,
  listFactRows,
  namespacesWithTerms,
  termsOfFacts,
} from './knowledge.store.ts';
import { normaliseEntity } from './normalise.ts';

/** What is looked up: things by their names (`Bruno`, `I`, `staging database`), and what is asked of them. */
export interface LookupRequest {
  readonly namespace: string;
  readonly entities: readonly string[];
  readonly terms: readonly string[];
  /** Milliseconds since 1970: what was known and held then; what holds now where it is undefined. */
  readonly asOf: number | undefined;
  readonly now: number;
}

/** A term that so many facts have finds nothing by itself; it only says which of the found ones are meant. */
const COMMON = 400;
/** Facts that are answered at most. */
const MOST = 20;

/**
 * Facts of things that are named, those that also have what is asked of them first; without names, facts that have
 * several of the terms. Superseded ones are among them, marked.
 */
export function lookup(db: ReadDb, account: AccountId, wanted: LookupRequest): Fact[] {
  const of = knowledge({ account, namespace: wanted.namespace }, wanted);
  const entities = wanted.entities
    .map((name) => factWords(normaliseEntity(name)))
    .filter((words) => words.length > 0);
  const terms = [...new Set(wanted.terms.flatMap(factWords))];
  const all = [...new Set([...entities.flat(), ...terms])];
  if (all.length === 0) return [];
  const counts = countTerms(db, of, { terms: all, most: COMMON });
  const rare = all.filter((_, i) => (counts[i] ?? 0) > 0 && (counts[i] ?? 0) < COMMON);
  const found = new Map<number, Map<string, number>>();
  const put = ({ id, term, role }: { id: number; term: string; role: number }): void => {
    const words = found.get(id) ?? new Map<string, number>();
    found.set(id, words.set(term, role));
  };
  if (rare.length > 0) factsWithTerms(db, of, rare).forEach(put);
  const known = all.filter((_, i) => (counts[i] ?? 0) > 0);
  const ids = found.size > 0 ? [...found.keys()] : commonFacts(db, of, known);
  const others = known.filter((term) => !rare.includes(term));
  if (others.length > 0 && ids.length > 0) termsOfFacts(db, of, { ids, terms: others }).forEach(put);
  const scored = [...found]
    .map(([id, words]) => ({ id, score: scoreOf(words, entities, terms) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || b.id - a.id)
    .slice(0, 4 * MOST);
  const facts = new Map(
    findFacts(
      db,
      of,
      scored.map(({ id }) => id),
    ).map((fact) => [fact.id, fact]),
  );
  const fitting = scored.flatMap(({ id }) => facts.get(id) ?? []).filter(({ origin }) => origin === 'text');
  return withoutRepeats(fitting).slice(0, MOST);
}

/** Namespaces of several whose facts are looked at: those that have most of what is asked of. */
const PLACES = 20;

/** Looks things up in several namespaces: the best facts of each come first. */
export function lookupIn(
  db: ReadDb,
  account: AccountId,
  {
    places,
    wanted,
  }: { places: readonly { id: number; name: string }[]; wanted: Omit<LookupRequest, 'namespace'> },
): Fact[] {
  const terms = [
    ...wanted.entities.flatMap((name) => factWords(normaliseEntity(name))),
    ...wanted.terms.flatMap(factWords),
  ];
  const names = new Map(places.map(({ id, name }) => [id, name]));
  const found = namespacesWithTerms(db, account, {
    namespaces: [...names.keys()],
    terms: [...new Set(terms)],
    limit: PLACES,
  }).map((id) => lookup(db, account, { ...wanted, namespace: names.get(id) ?? '' }));
  const ranks = Array.from({ length: MOST }, (_, at) => found.flatMap((facts) => facts[at] ?? []));
  return ranks.flat().slice(0, MOST);
}

/** Where every word is common: facts that have all of them, else the newest that have one. */
function commonFacts(db: ReadDb, of: FactScope, terms: readonly string[]): number[] {
  const newest = { among: 2 * COMMON, most: COMMON / 4 };
  const all = factsWithAll(db, of, { ...newest, terms });
  if (all.length > 0 || terms.length < 2) return all;
  return [...new Set(terms.flatMap((term) => factsWithAll(db, of, { ...newest, terms: [term] })))];
}

/** What many memories say alike is answered by two of them. */
function withoutRepeats(facts: readonly Fact[]): Fact[] {
  const times = new Map<string, number>();
  return facts.filter(({ subjectNorm, predicate, objectNorm, negated }) => {
    const said = JSON.stringify([subjectNorm, predicate, objectNorm, negated]);
    const before = times.get(said) ?? 0;
    times.set(said, before + 1);
    return before < 2;
  });
}

/** How well a fact fits; 0 where it is about something else. */
function scoreOf(
  words: ReadonlyMap<string, number>,
  entities: readonly (readonly string[])[],
  terms: readonly string[],
): number {
  const roleOf = (all: readonly string[]): number =>
    all.reduce((role, word) => role & (words.get(word) ?? 0), roles.subject | roles.object);
  const named = entities.map(roleOf).map((role) => (role & roles.subject ? 3 : role & roles.object ? 2 : 0));
  const points = terms.map((term) => {
    const role = words.get(term) ?? 0;
    return role & roles.predicate ? 2 : role === 0 ? 0 : 1;
  });
  const sum = (all: readonly number[]) => all.reduce((total, one) => total + one, 0);
  if (entities.length > 0) return sum(named) === 0 ? 0 : sum(named) + sum(points);
  return points.filter((point) => point > 0).length >= 2 ? sum(points) : 0;
}

/** A page of the facts of a namespace, newest found first. `next` is the cursor of the page after it; null on the last. */
export function pageOfFacts(
  { store, clock }: { store: Store; clock: Pick<Clock, 'now'> },
  account: AccountId,
  query: Parsed<typeof listFacts>['query'],
): Reply<typeof listFacts> {
  const { namespace, subject, predicate, key, as_of, include_superseded, limit, cursor } = query;
  const asOf = as_of === undefined ? undefined : Date.parse(as_of);
  const page = store.read((db) =>
    listFactRows(db, knowledge({ account, namespace }, { asOf, now: clock.now() }), {
      subject: subject === undefined ? null : normaliseEntity(subject),
      predicate: predicate ?? null,
      key: key ?? null,
      superseded: include_superseded === 'true',
      before: cursor === undefined ? null : Number(cursor.slice(2)),
      limit,
    }),
  );
  const last = page.at(-1);
  return {
    facts: page.map(({ fact, key: source, supersededByKey }) => ({
      ...toShown(fact),
      namespace,
      key: source,
      superseded_by: supersededByKey,
    })),
    next: page.length === limit && last ? `f.${last.fact.id}` : null,
  };
}

/** A fact as the contract shows it, without what only its page knows. */
function toShown(fact: Fact) {
  return {
    id: `fact_${fact.id}`,
    subject: fact.subject,
    predicate: fact.predicate,
    said: fact.said,
    object: fact.object,
    value: fact.objectNorm,
    kind: fact.kind,
    negated: fact.negated,
    sentence: fact.sentence,
    confidence: fact.confidence,
    origin: fact.origin,
    observed_at: new Date(fact.observedAt).toISOString(),
    valid_from: new Date(fact.validFrom).toISOString(),
    valid_to: fact.validTo === null ? null : new Date(fact.validTo).toISOString(),
    superseded: fact.supersededBy !== null,
  };
}

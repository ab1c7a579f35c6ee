import { EVERY_NAMESPACE } from '../contract/fields.ts';
import { Problem } from '../contract/problems.ts';
import { abilitiesOf, type Ability, type NamespaceSource, type Route } from '../contract/route.ts';
import type { AccountId, Caller, KeyRow } from './caller.ts';

/**
 * The account of nobody: no row has its number, and none can get it. What a narrower key asks about a namespace that it does not have
 * is asked of this account, so that the answer, and what it takes, are those of an empty namespace whatever is in that one.
 */
const NOBODY = 0 as AccountId;

/** What a request may be about, once it is parsed. */
type Parsed = Readonly<Record<string, unknown>>;

/** A request as its handler gets it. */
export interface Admitted {
  caller: Caller;
  parsed: Parsed;
}

/** Finds the namespace of a dream, an insight or a coding session by its id. */
export type NamespaceOf = (
  what: 'insight' | 'dream' | 'session',
  account: AccountId,
  id: string,
) => string | undefined;

/** What a key may do with memories. */
export function abilitiesOfKey({ scope, can }: Pick<KeyRow, 'scope' | 'can'>): readonly Ability[] {
  return can ?? abilitiesOf(scope);
}

/** Whether a key is told names of people only: their e-mail addresses are for who manages whom it is shared with. */
export function hasNamesOnly({ key }: Pick<Caller, 'key'>): boolean {
  return key.scope !== 'owner';
}

/** Refuses a key what it may do nowhere, before a body is read. Throws `forbidden_scope`. */
export function refuseUnable(key: KeyRow, { scope, reach }: Route): void {
  const isNarrower = key.namespaces !== null || key.can !== null;
  if (!isNarrower || scope === 'public' || reach === 'nothing') return;
  const may = abilitiesOfKey(key);
  // What says nothing of what it needs is refused: a narrower key is never taken for a wide one.
  if (!reach) throw new Problem('forbidden_scope', 'This needs a key of scope owner');
  const missing = reach.can.find((ability) => !may.includes(ability));
  if (missing) throw unable(missing, may);
  const isOfAll = !reach.filtered && !reach.absent && !reach.refused;
  if (isOfAll && key.namespaces !== null)
    throw new Problem(
      'forbidden_scope',
      `This is about the whole account, and this key has ${shown(key.namespaces)} only; use a key that has every namespace`,
    );
}

/** Refuses a namespace that a key does not have. Throws `forbidden_scope`, whatever is in that namespace. */
export function refuseOutside({ key, readable }: Pick<Caller, 'key' | 'readable'>, namespace: string): void {
  if (readable(namespace)) return;
  throw new Problem(
    'forbidden_scope',
    `This key has ${shown(key.namespaces ?? [])} only, not ${JSON.stringify(namespace)}; use another namespace, or a key that has this one`,
  );
}

/** The account that is asked about a namespace for a caller: nobody's where its key does not have that one. */
export function accountFor(caller: Pick<Caller, 'account' | 'readable'>, namespace: string): AccountId {
  return caller.readable(namespace) ? caller.account : NOBODY;
}

/** Refuses a key what it may not do. Throws `forbidden_scope`. */
export function refuseWithout(key: KeyRow, needed: Ability): void {
  const may = abilitiesOfKey(key);
  if (!may.includes(needed)) throw unable(needed, may);
}

function unable(missing: Ability, may: readonly Ability[]): Problem {
  return new Problem(
    'forbidden_scope',
    `This needs a key that may ${missing}; this one may ${may.join(', ')} only`,
  );
}

const shown = (patterns: readonly string[]) => patterns.map((one) => JSON.stringify(one)).join(', ');

/**
 * Holds every request against the namespaces that its key has, by where its route says that they stand. Answers the request as the
 * handler may have it: about other namespaces it asks an account that has nothing.
 */
export function admitWith(namespaceOf: NamespaceOf) {
  return (caller: Caller, { reach }: Route, parsed: Parsed): Admitted => {
    // What is public has no caller, and what is the owner's no narrower one.
    if (!reach || reach === 'nothing') return { caller, parsed };
    if ((reach.ends ?? []).some((place) => valuesAt(parsed, place).length > 0))
      refuseWithout(caller.key, 'delete');
    if (caller.key.namespaces === null) return { caller, parsed };
    const named = (places: readonly NamespaceSource[] = []) =>
      places.flatMap((place) => {
        if (place !== 'insight' && place !== 'dream' && place !== 'session') return valuesAt(parsed, place);
        // One that is not there is not there in any namespace.
        return [namespaceOf(place, caller.account, String(valuesAt(parsed, 'params.id')[0]))];
      });
    const [refused, absent] = [named(reach.refused), named(reach.absent)];
    for (const namespace of refused) refuseOutside(caller, String(namespace));
    const isHad = (namespace: unknown) =>
      // Every namespace, of which the handler takes those that the key has.
      (reach.filtered === true && namespace === EVERY_NAMESPACE) ||
      (typeof namespace === 'string' && caller.readable(namespace));
    if (refused.length + absent.length === 0 && !reach.filtered)
      throw new Problem(
        'forbidden_scope',
        `Name a namespace: without one this is about all of them, and this key has ${shown(caller.key.namespaces)} only`,
      );
    if (absent.every(isHad)) return { caller, parsed };
    return { caller: { ...caller, account: NOBODY }, parsed: withItems(parsed, (item) => !isHad(item)) };
  };
}

/** All that stands at a place, through every item of a list. */
function valuesAt(parsed: Parsed, place: string): unknown[] {
  let found: unknown[] = [parsed];
  for (const step of place.split('.')) {
    const name = step.replace('[]', '');
    found = found.flatMap((value) => {
      const inner = isRecord(value) ? value[name] : undefined;
      return step.endsWith('[]') && Array.isArray(inner) ? (inner as unknown[]) : [inner];
    });
  }
  return found.filter((value) => value !== undefined);
}

/** A request with only some of the items of its body, where it has any: those that are not there are what it fails for. */
function withItems(parsed: Parsed, isKept: (namespace: unknown) => boolean): Parsed {
  const { body } = parsed;
  if (!isRecord(body) || !Array.isArray(body['items'])) return parsed;
  const items = (body['items'] as unknown[]).filter((item) => isRecord(item) && isKept(item['namespace']));
  return { ...parsed, body: { ...body, items } };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

import type { Caller } from '@reverie/shared/accounts/caller';
import type { Operator, OperatorKind } from '@reverie/shared/contract/search/operators';
import type { SessionHit } from '@reverie/shared/contract/sessions/sessions';
import { daysOf } from '@reverie/shared/contract/days';
import { phraseTerm } from './query/terms.ts';

/** What search needs of coding sessions. */
export type SearchedSessions = (
  caller: Pick<Caller, 'account' | 'within' | 'readable'>,
  wanted: {
    q: string;
    namespace: string;
    narrowed: Narrowed;
    threshold: number;
    limit: number;
  },
) => Promise<SessionHit[]>;

/** What the operators of a query ask of an entry of a session. */
interface Narrowed {
  namespaces: readonly string[] | undefined;
  from: number | undefined;
  to: number | undefined;
  /** Queries of FTS5: all of these, and none of those. */
  having: readonly string[];
  lacking: readonly string[];
}

/** What a search asks of sessions beside its words; undefined where it asks for a tag, a property or a class, for sessions have none. */
export function narrowedTo(
  operators: readonly Operator[],
  {
    tags = [],
    where = [],
    class: of,
  }: {
    tags?: readonly string[] | undefined;
    where?: readonly unknown[] | undefined;
    class?: string | undefined;
  },
): Narrowed | undefined {
  const said = (kind: OperatorKind) => operators.filter((one) => one.kind === kind).map(({ value }) => value);
  const isOfMemories = [tags, where, said('tag'), said('class')].some(({ length }) => length > 0);
  if (isOfMemories || of !== undefined) return undefined;
  const days = (kind: 'before' | 'after') => said(kind).flatMap((date) => daysOf(date) ?? []);
  const [first, last] = [days('after').map(({ to }) => to), days('before').map(({ from }) => from)];
  return {
    namespaces: said('in').length > 0 ? said('in') : undefined,
    from: first.length > 0 ? Math.max(...first) : undefined,
    to: last.length > 0 ? Math.min(...last) : undefined,
    ...phrasesOf(operators),
  };
}

/** What a query wants to be said, and what not, as queries of FTS5. */
export function phrasesOf(operators: readonly Operator[]): { having: string[]; lacking: string[] } {
  const phrases = (wanted: OperatorKind) =>
    operators.flatMap(({ kind, value }) => (kind === wanted ? (phraseTerm(value)?.match ?? []) : []));
  return { having: phrases('exact'), lacking: phrases('without') };
}

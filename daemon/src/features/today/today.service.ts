import type { Caller } from '@reverie/shared/accounts/caller';
import type { Insight } from '@reverie/shared/contract/dreams/dreams';
import type { Actor } from '@reverie/shared/contract/events/events';
import type { Parsed, Reply } from '@reverie/shared/contract/route';
import { today, todayParts } from '@reverie/shared/contract/memories/today';
import type { Store } from '../../db/open-store.ts';
import type { Clock } from '../../platform/clock.ts';

type Today = Reply<typeof today>;
type Part<Name extends keyof Today> = NonNullable<Today[Name]>;

/** Which proposals are asked for, as far as Today does. */
export type ProposalsAsked =
  | { waiting: 'true'; order: 'best'; limit: number }
  | { status: 'proposed'; strategy: 'forecast'; order: 'kind'; limit: number }
  | { decided_since: string; order: 'newest'; limit: number };

/** What was done, by actor and namespace; `at` in ms since 1970. */
interface Done {
  actor_kind: Actor['kind'];
  actor_id: string;
  namespace: string;
  wrote: number;
  changed: number;
  deleted: number;
  at: number;
}

/** What Today joins; each answers what the caller may read. */
export interface TodayDeps {
  store: Store;
  clock: Pick<Clock, 'now'>;
  cursor: (caller: Caller) => Today['cursor'];
  namespaces: (caller: Caller) => Part<'namespaces'>;
  proposals: (
    caller: Caller,
    asked: ProposalsAsked,
  ) => { insights: Insight[]; next: string | null; waiting: number };
  hasDreamt: (caller: Caller) => boolean;
  unread: (caller: Caller) => { namespace: string; unread: number }[];
  doings: (caller: Caller, since: number) => readonly Done[];
  /** The names of keys by their ids. */
  keyNames: (caller: Caller) => ReadonlyMap<string, string>;
  /** Null for others than the owner of the machine. */
  settings: (caller: Caller) => Today['settings'];
}

const DAY_MS = 86_400_000;
/** Proposals that one decides on in a day, at most. */
const A_DAY = 7;
/** Days that the notes name: more than a calendar of some weeks shows. */
const COMING_UP = 50;
/** More than anybody decides on before it is done for today. */
const DECIDED = 20;

/** What a person looks at first, read in one transaction: no part is of another moment than the others. */
export function todayOf(
  deps: TodayDeps,
  caller: Caller,
  { parts = [...todayParts], decided_since, done_since }: Parsed<typeof today>['query'],
): Today {
  const now = deps.clock.now();
  return deps.store.read(() => {
    const told: Today = { cursor: deps.cursor(caller) };
    for (const part of new Set(parts))
      switch (part) {
        case 'namespaces':
          told.namespaces = deps.namespaces(caller);
          break;
        case 'to_decide':
          told.to_decide = toDecide(deps, caller);
          break;
        case 'decided': {
          const since = decided_since ?? new Date(now - DAY_MS).toISOString();
          told.decided = { count: decided(deps, caller, since), dreamt: deps.hasDreamt(caller) };
          break;
        }
        case 'coming_up':
          told.coming_up = comingUp(deps, caller, now);
          break;
        case 'unread':
          told.unread = deps.unread(caller).map(({ namespace, unread: count }) => ({ namespace, count }));
          break;
        case 'doings':
          told.doings = doings(deps, caller, done_since ? Date.parse(done_since) : now - 2 * DAY_MS);
          break;
        case 'settings':
          told.settings = deps.settings(caller);
          break;
      }
    return told;
  });
}

function toDecide({ proposals }: TodayDeps, caller: Caller): Part<'to_decide'> {
  const { insights, waiting } = proposals(caller, { waiting: 'true', order: 'best', limit: A_DAY });
  return { count: waiting, insights };
}

function decided({ proposals }: TodayDeps, caller: Caller, decided_since: string): number {
  const { insights } = proposals(caller, { decided_since, order: 'newest', limit: DECIDED });
  return insights.filter(({ strategy }) => strategy !== 'forecast').length;
}

function comingUp({ proposals }: TodayDeps, caller: Caller, now: number): Part<'coming_up'> {
  const asked = { status: 'proposed', strategy: 'forecast', order: 'kind', limit: COMING_UP } as const;
  const { insights, next } = proposals(caller, asked);
  const isSnoozed = ({ snoozed_until }: Insight) => snoozed_until !== null && Date.parse(snoozed_until) > now;
  return { insights: insights.filter((insight) => !isSnoozed(insight)), more: next !== null };
}

function doings(deps: TodayDeps, caller: Caller, since: number): Part<'doings'> {
  const done = deps.doings(caller, since);
  const names = caller.key.scope === 'owner' ? deps.keyNames(caller) : undefined;
  return done.map(({ actor_kind, actor_id, at, ...rest }) => ({
    ...rest,
    actor: { kind: actor_kind, id: actor_id },
    name: names?.get(actor_id) ?? null,
    at: new Date(at).toISOString(),
  }));
}

import type { Client } from '@reverie/shared/client';
import { ApiError } from '@reverie/shared/client';
import { listDeadLetters } from '@reverie/shared/contract/events/deliveries';
import { listDevices } from '@reverie/shared/contract/sync/devices';
import { type DreamJob, listDreams, listInsights } from '@reverie/shared/contract/dreams/dreams';
import { type Event, listEvents } from '@reverie/shared/contract/events/events';
import { listKeys } from '@reverie/shared/contract/accounts/keys';
import { listNamespaces } from '@reverie/shared/contract/memories/memories';
import { type SyncStatus, syncStatus } from '@reverie/shared/contract/sync/sync';
import { health } from '@reverie/shared/contract/system/system';
import { sentenceOf } from '../../../daemon/src/cli/event-sentence.ts';

/** What the daemon says that the tray shows. */
export interface Facts {
  namespaces: readonly { namespace: string; count: number }[];
  /** The dream that runs or waits, if one does. */
  dream: DreamJob | undefined;
  /** Those that wait for a decision: the number that the page shows, too. */
  proposals: number;
  /** In words, the newest first. */
  events: readonly string[];
  sync: Pick<SyncStatus, 'state' | 'pending' | 'paused'> & { error: string | undefined };
  /** Devices that wait to be let in. */
  waiting: readonly { id: string; name: string }[];
  /** The newest delivery that failed for good. */
  deadLetter: string | undefined;
  isDiskFull: boolean;
}

const SHOWN_EVENTS = 5;
/** Steps of one thing, which its end tells, too. */
const PASSING: ReadonlySet<Event['type']> = new Set([
  'dream.step',
  'dream.insight',
  'dream.winner',
  'insight.generated',
]);

/** Asks the daemon for everything that the tray shows. */
export async function gatherFacts(client: Client): Promise<Facts> {
  const [namespaces, running, queued, insights, log, keys, sync, letters, state] = await Promise.all([
    client(listNamespaces, {}),
    client(listDreams, { query: { status: 'running', limit: 1 } }),
    client(listDreams, { query: { status: 'queued', limit: 1 } }),
    client(listInsights, { query: { waiting: 'true', limit: 1 } }),
    client(listEvents, { query: { limit: 100 } }),
    client(listKeys, {}),
    client(syncStatus, {}),
    client(listDeadLetters, { query: { limit: 1 } }),
    client(health, {}),
  ]);
  const names = new Map(keys.keys.map(({ id, name }) => [id, name]));
  return {
    namespaces: namespaces.namespaces,
    dream: running.jobs[0] ?? queued.jobs[0],
    proposals: insights.waiting,
    events: log.events
      .filter(({ type }) => !PASSING.has(type))
      .slice(-SHOWN_EVENTS)
      .reverse()
      .map((event) => sentenceOf(event, names)),
    sync: { state: sync.state, pending: sync.pending, paused: sync.paused, error: sync.error?.message },
    waiting: sync.state === 'dormant' ? [] : await waitingDevices(client),
    deadLetter: letters.dead_letters[0]?.id,
    isDiskFull: state.storage.state === 'full',
  };
}

async function waitingDevices(client: Client): Promise<Facts['waiting']> {
  try {
    const { devices } = await client(listDevices, {});
    return devices.filter(({ status }) => status === 'waiting').map(({ id, name }) => ({ id, name }));
  } catch (cause) {
    // It was unlinked between the two questions.
    if (cause instanceof ApiError && cause.code === 'not_linked') return [];
    throw cause;
  }
}

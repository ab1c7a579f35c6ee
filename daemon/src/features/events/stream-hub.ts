import type { AccountId, Caller } from '@reverie/shared/accounts/caller';
import { Event } from '@reverie/shared/contract/events/events';
import type { StreamMessage, StreamQuery } from '@reverie/shared/contract/events/stream';
import { namesOnlyIn } from '@reverie/shared/http/names-only';
import type { Store } from '../../db/open-store.ts';
import { withoutOthers } from './events.service.ts';
import { type EventText, eventTextsAfter, logEnds } from './events.store.ts';
import { overdrawn, type StreamLimits } from './stream-limits.ts';

/** A connection, as the hub needs it. */
export interface HubSocket {
  /** The bytes are shared with other connections. `taken` is called once this one has them. */
  send(bytes: Buffer, taken?: () => void): void;
  /** Bytes that the client has not taken yet. */
  buffered(): number;
  /** Says why and ends; what the client does not take within some seconds is dropped. */
  close(reason: 'behind' | 'unauthorized' | 'going_away'): void;
  /** Ends at once, and drops what is not taken. */
  drop(): void;
}

export interface Subscriber extends Pick<Caller, 'account' | 'readable' | 'within'> {
  /** Whether it is told names of people only, not their e-mail addresses. */
  namesOnly: boolean;
  query: StreamQuery;
  socket: HubSocket;
}

/** Where a subscriber is: reading what it missed from the log, waiting for what comes, or told to go and still there. */
type Position = { kind: 'replaying'; cursor: number } | { kind: 'live' } | { kind: 'closing' };

/** What is read of the log at once: events of two values of 1 MiB each are possible. */
const PAGE = { rows: 500, bytes: 1024 * 1024 };
/** Who reads what was missed gets more once less than this is not taken. */
const AHEAD = 1024 * 1024;

/** A subscriber that was added. */
export interface Subscription {
  /** Takes it away, once its connection is gone. */
  remove(): void;
  /** Ends it, as its key does not work any more: it is sent nothing from then on. */
  refuse(): void;
}

export interface HubDeps {
  store: Store;
  logId: string;
  /** Runs later, once, however often it is asked for meanwhile. */
  defer: (run: () => void) => void;
  limits: StreamLimits;
}

/**
 * Sends committed events to subscribers, each in the order of `seq` and none twice. Those that are up
 * to date share one reading of the log, one serialisation and its bytes; those that are behind read it themselves.
 */
export interface StreamHub {
  /** Told after each commit that wrote events. */
  wake(): void;
  /** Whether an account may open another stream. */
  hasRoom(account: AccountId): boolean;
  add(subscriber: Subscriber): Subscription;
  /** Ends all streams, and reads nothing from then on: the database may be closed before what was deferred runs. */
  closeAll(): void;
  /** Those that are served. */
  size(): number;
}

export function createStreamHub({ store, logId, defer, limits }: HubDeps): StreamHub {
  const positions = new Map<Subscriber, Position>();
  let head = store.read((db) => logEnds(db).newest);
  let isAwake = false;
  let isEnded = false;
  /** What all together have not taken, at most: the sum is made anew only when this is too much. */
  let unsent = 0;

  function wake(): void {
    if (isAwake || isEnded) return;
    isAwake = true;
    defer(() => {
      isAwake = false;
      if (!isEnded) pump();
    });
  }

  /** What is new for those that are up to date, then one page for each that is behind; more once they have taken it. */
  function pump(): void {
    advanceLive();
    for (const [subscriber, position] of positions)
      if (position.kind === 'replaying' && subscriber.socket.buffered() <= AHEAD)
        replay(subscriber, position.cursor);
    keepWithin();
  }

  function replay(subscriber: Subscriber, cursor: number): void {
    const { events, isWhole } = readPage(subscriber.account, cursor);
    const last = events.at(-1);
    // Before anything is sent: what is taken at once asks for the next page.
    if (isWhole) positions.set(subscriber, { kind: 'live' });
    else if (last) positions.set(subscriber, { kind: 'replaying', cursor: last.seq });
    const wanted = events.filter((event) => wants(subscriber, event));
    for (const event of wanted)
      offer(subscriber, bytesFor(subscriber, event), event === wanted.at(-1) && !isWhole ? wake : undefined);
    if (wanted.length === 0 && !isWhole) wake();
  }

  function readPage(account: AccountId, cursor: number): { events: EventText[]; isWhole: boolean } {
    return store.read((db) => eventTextsAfter(db, { account, seq: cursor }, PAGE));
  }

  function advanceLive(): void {
    const newest = store.read((db) => logEnds(db).newest);
    if (newest <= head) return;
    const accounts = new Map<AccountId, Subscriber[]>();
    for (const [subscriber, position] of positions) {
      if (position.kind !== 'live') continue;
      const others = accounts.get(subscriber.account);
      if (others) others.push(subscriber);
      else accounts.set(subscriber.account, [subscriber]);
    }
    for (const [account, subscribers] of accounts) {
      let cursor = head;
      for (let isWhole = false; !isWhole;) {
        const page = readPage(account, cursor);
        for (const event of page.events) tellLive(subscribers, event);
        cursor = page.events.at(-1)?.seq ?? newest;
        isWhole = page.isWhole;
      }
    }
    head = newest;
  }

  /** One event, whose bytes all that want it share. */
  function tellLive(subscribers: readonly Subscriber[], event: EventText): void {
    const shared: { all?: Buffer; namesOnly?: Buffer } = {};
    const bytesOf = (subscriber: Subscriber) => {
      if (subscriber.within !== null) return bytesFor(subscriber, event);
      return (shared[subscriber.namesOnly ? 'namesOnly' : 'all'] ??= bytesFor(subscriber, event));
    };
    for (const subscriber of subscribers)
      if (positions.get(subscriber)?.kind === 'live' && wants(subscriber, event))
        offer(subscriber, bytesOf(subscriber));
    keepWithin();
  }

  function offer(subscriber: Subscriber, bytes: Buffer, taken?: () => void): void {
    if (isClosing(subscriber)) return;
    subscriber.socket.send(bytes, taken);
    unsent += bytes.length;
    if (subscriber.socket.buffered() > limits.unsentOfOne) close(subscriber, 'behind');
  }

  function isClosing(subscriber: Subscriber): boolean {
    const kind = positions.get(subscriber)?.kind;
    return kind === undefined || kind === 'closing';
  }

  function close(subscriber: Subscriber, reason: 'behind' | 'unauthorized' | 'going_away'): void {
    positions.set(subscriber, { kind: 'closing' });
    subscriber.socket.close(reason);
  }

  /** Ends the slowest streams while all together have not taken too much. */
  function keepWithin(): void {
    if (unsent <= limits.unsentOfAll) return;
    const all = [...positions].map(([subscriber, { kind }]) => ({
      subscriber,
      account: subscriber.account,
      isClosing: kind === 'closing',
      unsent: subscriber.socket.buffered(),
    }));
    const { toClose, toDrop, left } = overdrawn(all, limits);
    for (const { subscriber } of toClose) close(subscriber, 'behind');
    for (const { subscriber } of toDrop) subscriber.socket.drop();
    unsent = left;
  }

  function begin({ socket, query }: Subscriber): Position {
    const { since, log_id } = query;
    if (since === undefined) return { kind: 'live' };
    const { oldest, newest } = store.read(logEnds);
    const isOther = (log_id !== undefined && log_id !== logId) || since > newest;
    const isExpired = since + 1 < oldest;
    if (!isOther && !isExpired) return { kind: 'replaying', cursor: since };
    const reset: StreamMessage = {
      type: 'reset',
      reason: isOther ? 'other_log' : 'cursor_expired',
      log_id: logId,
      oldest_seq: oldest,
    };
    socket.send(Buffer.from(JSON.stringify(reset)));
    return { kind: 'replaying', cursor: oldest - 1 };
  }

  return {
    wake,
    hasRoom(account) {
      // Also those that are told to go: what they have not taken is still in memory.
      const open = positions.keys().filter((one) => one.account === account);
      return [...open].length < limits.streamsOf(account);
    },
    add(subscriber) {
      // Its handshake began before all were told to go.
      if (isEnded) {
        subscriber.socket.close('going_away');
        return { remove: () => undefined, refuse: () => undefined };
      }
      // Those before it see what is committed until now, so that `live` begins exactly here.
      advanceLive();
      positions.set(subscriber, begin(subscriber));
      wake();
      return {
        remove: () => void positions.delete(subscriber),
        refuse() {
          if (!isClosing(subscriber)) close(subscriber, 'unauthorized');
        },
      };
    },
    closeAll() {
      isEnded = true;
      for (const subscriber of positions.keys()) if (!isClosing(subscriber)) close(subscriber, 'going_away');
      positions.clear();
    },
    size: () => [...positions.values()].filter(({ kind }) => kind !== 'closing').length,
  };
}

/** An event as one subscriber is sent it. */
function bytesFor({ within, readable, namesOnly }: Subscriber, { text }: EventText): Buffer {
  const hasAddress = namesOnly && text.includes('"person":"');
  if (within === null && !hasAddress) return Buffer.from(text);
  const event = withoutOthers(JSON.parse(text) as Event, readable);
  return Buffer.from(JSON.stringify(hasAddress ? withNames?.(event) : event));
}

const withNames = namesOnlyIn(Event);

/** Whether a subscriber has the namespace of an event and asked for it: by family or exact kind, and by namespace. */
function wants(
  { readable, query: { topics, namespace } }: Pick<Subscriber, 'readable' | 'query'>,
  event: EventText,
): boolean {
  if (!readable(event.namespace)) return false;
  if (namespace !== undefined && namespace !== event.namespace) return false;
  const family = event.type.split('.', 1)[0];
  return topics === undefined || topics.some((topic) => topic === event.type || topic === family);
}

import type { Client } from '@reverie/shared/client';
import { Problem } from '@reverie/shared/contract/problems';
import type { RelayRoom } from '@reverie/shared/contract/relay/relay-rooms';
import type { Message, Welcome } from '@reverie/shared/protocol/messages';
import { PROTOCOL_VERSION } from '@reverie/shared/protocol/version';
import { askStanding, awaitApproval } from '@reverie/shared/contract/relay/relay';
import type { Store } from '../db/open-store.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { Secrets } from '../platform/secrets/secrets.ts';
import { Distrusted } from './session/page.ts';
import { openConnection, type RelayConnection } from './relay/connection.ts';
import type { Devices, KnownDevices } from './relay/known-devices.ts';
import { deleteLink, findLink, type LinkRow, saveDevice, saveProved } from './link.store.ts';
import { type Ending, type LinkEvent, type LinkState, next } from './relay/link-state.ts';
import { createMatching } from './namespaces/matching.ts';
import type { RecordRooms, RecordsWorld } from './records/record-rooms.ts';
import { findSynced, listSynced } from './namespaces/namespaces.store.ts';
import type { RelayTime } from './relay/relay-time.ts';
import { AnotherRelay, type RelayGate, type RelayProof, Unproven } from './relay/relay-proof.ts';
import type { Replicas } from './replica/replicas.ts';
import { createFirstSync, type FirstSync } from './first-sync.ts';
import { createSettling } from './settling.ts';
import { createSession, type RelaySession, type SessionEvents } from './session/session.ts';
import { roomGone, strandWrites } from './namespaces/stranded.ts';
import { createUpkeep } from './replica/upkeep.ts';
import { relayClient, wasRefusedWith } from './relay/relay-client.ts';

/** The link of this home to its relay. */
export interface RelayLink {
  state(): LinkState;
  session(): RelaySession | undefined;
  /** Whether the relay has told on this connection which rooms there are; before that nothing is known to be read. */
  knowsRooms(): boolean;
  /** The relay's log on this connection; empty where there is none. */
  logId(): string;
  /** Asks for the rooms anew, where the link is open: else it is done once it is, and nothing goes to a relay while sync is paused. */
  matchRooms(): void;
  devices(): Devices;
  /** A client of the relay with this device's key. Throws `not_linked`. */
  client(): Promise<Client>;
  tell(event: LinkEvent): void;
  /** Something waits: it is written and sent soon. */
  wake(): void;
  refreshDevices(): Promise<void>;
  /** Asks where the link is open and what the relay said of the devices is some seconds old; what was said last counts where it does not answer. */
  refreshSeen(): Promise<void>;
  isSettled(): boolean;
  firstSync: FirstSync['progress'];
  /** Begins where the last run ended. */
  start(): void;
  stop(): void;
}

interface LinkDeps {
  store: Store;
  clock: Clock;
  time: RelayTime;
  log: Log;
  secrets: Pick<Secrets, 'get' | 'set' | 'delete'>;
  replicas: Replicas;
  /** Rooms that hold records, not documents. */
  records: RecordRooms;
  /** Who keeps what those hold. */
  keeper: RecordsWorld;
  /** A client of the relay with this device's key. Throws `not_linked`. */
  client: () => Promise<Client>;
  /** What keeps the key from a relay that is another one. */
  gate: RelayGate;
  known: KnownDevices;
  /** The relay told which rooms there are. */
  listed: (rooms: readonly RelayRoom[]) => void;
}

const APPROVAL_POLL = 3000;
/** What the relay said of the devices is as good as new for so long, ms. */
const SEEN_ANEW = 5000;
/** How long a change waits for others that follow it, ms. */
const GATHER = 10;

/** A connection that was begun, and what stands on it once the relay has welcomed this device. */
interface RelayLine {
  readonly connection: RelayConnection;
  readonly row: LinkRow;
  readonly key: string;
  readonly proof: RelayProof | undefined;
  welcomed?: { readonly session: RelaySession; readonly logId: string };
}

export function createLink(deps: LinkDeps): RelayLink {
  const { store, clock, time, log, secrets, replicas, records, keeper, client, gate, known, listed } = deps;
  let state: LinkState = { kind: 'dormant' };
  let line: RelayLine | undefined;
  let timer: NodeJS.Timeout | undefined;
  let scheduled = false;
  let stopped = false;

  const link = (): LinkRow | undefined => store.read(findLink);
  const session = () => line?.welcomed?.session;
  const logId = () => line?.welcomed?.logId ?? '';
  const isOpen = () => state.kind === 'open';
  const matching = createMatching({
    store,
    now: clock.now,
    log,
    client,
    records,
    refreshDevices: known.refresh,
    on: {
      connection: () => (isOpen() ? line?.connection : undefined),
      logId,
      matched(rooms) {
        wake();
        listed(rooms);
      },
      revoked() {
        if (line) shutOut(line);
      },
      failed: lost,
    },
  });
  const firstSync = createFirstSync({ store, clock });
  const settling = createSettling({
    store,
    clock,
    log,
    replicas,
    on: {
      behind: (row) => session()?.behind(row) ?? null,
      knowsRooms: matching.knowsRooms,
      wake,
      looked: firstSync.look,
    },
  });

  function tell(event: LinkEvent): void {
    const before = state;
    state = next(state, event, { now: clock.now(), random: Math.random() });
    if (state === before) return;
    if (state.kind !== 'open' && state.kind !== 'connecting') cut();
    clearTimeout(timer);
    if (state.kind === 'connecting') void connect().catch((cause: unknown) => lost(cause));
    if (state.kind === 'waiting') {
      timer = setTimeout(() => tell({ type: 'retried' }), Math.max(0, state.retryAt - clock.now()));
      timer.unref();
      log.debug({ failure: state.failure, retryAt: state.retryAt }, 'the relay is tried again');
    }
    if (state.kind === 'stopped') log.warn({ failure: state.failure }, 'the link to the relay has ended');
  }

  function lost(cause: unknown): void {
    const isDisk = cause instanceof Problem && ['disk_full', 'storage_failed'].includes(cause.code);
    if (!isDisk) log.warn({ err: cause }, 'the link to the relay failed');
    const detail = cause instanceof Error ? cause.message : String(cause);
    tell({ type: 'closed', code: isDisk ? 'storage' : endingOf(cause), detail, retryAfterMs: 5000 });
  }

  function cut(): void {
    line?.welcomed?.session.end();
    records.closed();
    line?.connection.close();
    line = undefined;
    gate.forget();
    time.lost();
  }

  /** Ends a connection whose key was refused, once the relay said why. */
  function shutOut({ row, key, proof }: RelayLine): void {
    cut();
    whyShutOut({ store, log }, { row, key, proof }).then(
      (why) => tell({ type: 'closed', ...why, retryAfterMs: 0 }),
      (cause: unknown) => lost(cause),
    );
  }

  /** Ends a connection, to be opened again soon. */
  function giveUp(own: RelayLine | undefined, detail: string): void {
    if (line !== own) return;
    own?.connection.close();
    tell({ type: 'closed', code: 'later', detail, retryAfterMs: 0 });
  }

  async function connect(): Promise<void> {
    if (!link() || stopped) return;
    cut();
    const before = await gate.proven();
    if (!before || (!before.device && !(await wasLetIn(before)))) return;
    const key = await secrets.get('relay');
    const row = link();
    const device = row?.device;
    // It may have been unlinked meanwhile, and linked elsewhere, with another key.
    if (state.kind !== 'connecting' || line || device == null || row?.relay !== before.relay) return;
    if (key === undefined) return tell(revoked("The relay's key is not in the keychain"));
    const connection: RelayConnection = openConnection({
      relay: row.relay,
      ca: row.ca,
      key,
      opened: () =>
        connection.send({
          type: 'hello',
          version: PROTOCOL_VERSION,
          device,
          incarnation: replicas.incarnation,
        }),
      message: (message) => {
        if (line === own) heard(message, own);
      },
      closed: (ending) => {
        if (line !== own) return;
        if (ending.code === 'revoked') return shutOut(own);
        cut();
        tell({ type: 'closed', ...ending });
      },
    });
    const own: RelayLine = { connection, row, key, proof: gate.proof() };
    line = own;
  }

  async function wasLetIn(row: LinkRow): Promise<boolean> {
    const answer = await askToBeLetIn({ store, log, secrets }, row);
    if (answer === 'again') {
      timer = setTimeout(() => void connect().catch((cause: unknown) => lost(cause)), APPROVAL_POLL);
      timer.unref();
    }
    if (answer === 'refused') tell({ type: 'unlinked' });
    return answer === 'in';
  }

  function heard(message: Message, own: RelayLine): void {
    if (message.type === 'welcome') return welcomed(message, own);
    try {
      if (records.take(message)) return;
    } catch (cause) {
      return lost(cause);
    }
    session()?.take(message);
  }

  function welcomed(welcome: Welcome, own: RelayLine): void {
    tell({ type: 'opened' });
    time.told(welcome.now);
    try {
      const { proof } = own;
      // From the first time that it lets this device in, the relay is known by its key.
      if (proof && own.row.relay_key === null)
        store.write((db) =>
          saveProved(db, {
            relay_key: proof.key,
            log_id: own.row.log_id,
            addresses: JSON.stringify(proof.addresses),
          }),
        );
      replicas.stampAnew(undefined);
    } catch (cause) {
      return lost(cause);
    }
    const on: SessionEvents = {
      wake,
      roomsChanged: () => void matching.refresh(),
      gone(namespaceId) {
        roomGone({ store, replicas, now: clock.now() }, namespaceId, welcome.logId);
        // Another room of its name may wait now.
        if (store.read((db) => findSynced(db, namespaceId))) wake();
        else void matching.refresh();
      },
      demoted(namespaceId) {
        strandWrites({ store, replicas, now: clock.now() }, namespaceId);
        giveUp(own, 'A role changed');
      },
      moved: () => settling.look(),
      resent: (namespaceId, epoch) => resent.set(namespaceId, epoch),
      failed: lost,
    };
    const { connection } = own;
    own.welcomed = {
      session: createSession({ store, log, time, replicas, connection, on }, welcome),
      logId: welcome.logId,
    };
    records.opened(connection, welcome, keeper);
    void matching.refresh();
  }

  function wake(): void {
    if (scheduled || stopped || !link()) return;
    scheduled = true;
    // What comes in a burst is written together.
    setTimeout(work, GATHER);
  }

  /** Writes a slice of what waits, sends it, and comes again while there is more. */
  function work(): void {
    scheduled = false;
    if (stopped || !link()) return;
    try {
      const more = replicas.write((row) => row.log_id !== '');
      if (store.read(listSynced).some(({ room }) => room === null) && state.kind === 'open')
        void matching.openMissing();
      session()?.pump();
      if (more) {
        scheduled = true;
        setImmediate(work);
      } else settling.look();
    } catch (cause) {
      lost(cause);
      const again = setTimeout(wake, 5000);
      again.unref();
    }
  }

  const resent = new Map<number, number>();
  const upkeep = createUpkeep({
    store,
    clock,
    log,
    replicas,
    on: {
      isSettled: settling.isSettled,
      askEpoch: (row) => session()?.askEpoch(row),
      resent,
      isFull({ room }) {
        const refusal = session()?.refusal();
        return refusal?.code === 'quota' && refusal.room === room;
      },
      logBytes: ({ room }) => matching.logBytes(room),
      readAgain: () => giveUp(line, 'An update was missing'),
    },
  });

  let beat: { stop(): void } | undefined;
  return {
    state: () => state,
    session,
    knowsRooms: matching.knowsRooms,
    logId,
    matchRooms: () => void (isOpen() && matching.refresh()),
    devices: known.devices,
    client,
    tell,
    wake,
    refreshDevices: known.refresh,
    async refreshSeen() {
      const { at } = known.devices();
      if (!isOpen() || (at !== null && clock.now() - at < SEEN_ANEW)) return;
      try {
        await known.refresh();
      } catch (err) {
        log.debug({ err }, 'the devices could not be asked for');
      }
    },
    isSettled: settling.isSettled,
    firstSync: firstSync.progress,
    start() {
      const row = link();
      beat = clock.every(30_000, () => {
        if (!link()) return;
        upkeep
          .round()
          .catch((err: unknown) =>
            log.warn({ err }, 'the upkeep of documents failed; it is tried again in 30 s'),
          );
        settling.look();
      });
      if (!row) return;
      tell({ type: 'linked' });
      if (row.paused === 1) tell({ type: 'paused' });
      wake();
    },
    stop() {
      stopped = true;
      settling.stop();
      beat?.stop();
      clearTimeout(timer);
      cut();
    },
  };
}

const revoked = (detail: string): LinkEvent => ({ type: 'closed', code: 'revoked', detail, retryAfterMs: 0 });

function endingOf(cause: unknown): Ending {
  if (cause instanceof AnotherRelay) return 'another_relay';
  if (cause instanceof Unproven) return 'unproven';
  const hasAnswered = cause instanceof Problem && cause.code === 'relay_refused';
  return hasAnswered || cause instanceof Distrusted ? 'later' : 'unreachable';
}

interface LettingInDeps {
  store: Store;
  log: Log;
  secrets: Pick<Secrets, 'get' | 'set' | 'delete'>;
}

/** Asks whether a linked device let this one in; `again` where nobody has answered, `refused` where the link is over. */
async function askToBeLetIn(
  { store, log, secrets }: LettingInDeps,
  row: LinkRow,
): Promise<'in' | 'again' | 'refused'> {
  const secret = await secrets.get('relay');
  const request = row.request ?? '';
  try {
    const answer = await relayClient(row)(awaitApproval, {
      params: { request },
      body: { secret: secret ?? '' },
    });
    if (answer.status === 'awaits_approval') return 'again';
    if (answer.status === 'linked') {
      await secrets.set('relay', answer.key);
      const confirmBy = answer.confirm_by === null ? null : Date.parse(answer.confirm_by);
      store.write((db) => saveDevice(db, answer.device, confirmBy));
      return 'in';
    }
  } catch (cause) {
    if (!wasRefusedWith(cause, 'gone')) {
      log.debug({ err: cause }, 'the relay did not say whether this device was let in');
      return 'again';
    }
  }
  log.warn('no linked device let this one in');
  store.write((db) => deleteLink(db));
  await secrets.delete('relay');
  return 'refused';
}

/** Why a relay that proved who it is does not let this device in, and what the link ends with. */
interface ShutOut {
  code: Ending;
  detail: string;
}

/** Asks the relay why it refused this device's key, and compares its log with the one that this device knew. */
async function whyShutOut(
  { store, log }: { store: Store; log: Log },
  { row, key, proof }: { row: LinkRow; key: string; proof: RelayProof | undefined },
): Promise<ShutOut> {
  const said = await relayClient(row)(askStanding, { body: { key } }).catch((err: unknown) => {
    log.debug({ err }, 'the relay did not say why it refuses this device');
    return undefined;
  });
  const on = said?.at == null ? '' : ` on ${said.at.slice(0, 16).replace('T', ' ')} UTC`;
  switch (said?.standing) {
    case 'removed':
      return { code: 'revoked', detail: `This device was removed${on}` };
    case 'recovered':
      return {
        code: 'recovered',
        detail: `The devices of this account were replaced by recovery${on}`,
      };
    case 'linked':
      return { code: 'later', detail: 'The relay refused this device, and lets it in again' };
    case 'unknown':
    case undefined:
      return ofUnknown(proof, { known: knownLog(store, row), isSure: row.relay_key !== null });
  }
}

function ofUnknown(
  proof: RelayProof | undefined,
  { known, isSure }: { known: string; isSure: boolean },
): ShutOut {
  if (!proof || known === '' || proof.log_id === known)
    return { code: 'revoked', detail: 'The relay does not know this device any more' };
  const other = isSure ? '' : ', or another one is in its place';
  return {
    code: 'restored',
    detail: `The relay was restored from a backup that does not know this device${other}`,
  };
}

/** The relay's log that this device was in last; empty where that is not known. */
function knownLog(store: Store, row: LinkRow): string {
  return row.log_id || (store.read(listSynced).find(({ seen_in }) => seen_in !== '')?.seen_in ?? '');
}

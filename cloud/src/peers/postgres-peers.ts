import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Standing } from '../db/postgres/migrate.ts';
import { openSession, type NotifySession } from '../db/postgres/session.ts';
import type { Records } from '../db/records.ts';
import { createGathered, readHint } from './hints.ts';
import type { Counting, Here, Peers } from './peers.ts';
import {
  countTogether,
  deleteForgotten,
  deleteNode,
  endLease,
  findMarks,
  findOnline,
  findShutOut,
  findStanding,
  findVersions,
  hasLease,
  saveNode,
  saveOnline,
  takeLease,
} from './peers.store.ts';
import { createWatch, type PeerWatch } from './watch.ts';

export interface PostgresPeersDeps {
  /** A direct address: `LISTEN` does not survive a pooler in transaction mode. */
  sessionUrl: string;
  /** What is done here is one row each, and need not outlive a power cut: no node does either. */
  records: Records;
  log: Logger;
  /** How often this node looks by itself, ms. */
  pollMs: number;
  /** Steps of migration that this relay knows. */
  version: number;
  /** The name of the log as this node has it. */
  logId: { get(): string; set(name: string): void };
  /** Looks whether the database is still the one that it was. */
  standing: () => Promise<Standing>;
}

/** Hints are gathered so long, ms: one is as dear as a thousand. */
const GATHER_MS = 5;
/** A node that was not heard of for so long is dead, s: long enough for a pause, short enough for who waits for what it held. */
const LIVES_S = 4;
/** How long what accounts hold is known as this node counted it, ms. */
const COUNT_MS = 5000;
/** Looks between two rounds of tidying up. */
const TIDY_EVERY = 30;

/** The nodes of a relay on one Postgres. */
export function createPostgresPeers(deps: PostgresPeersDeps): Peers {
  const { records, log, pollMs, version, logId } = deps;
  const node = randomUUID();
  const gathered = createGathered();
  const held = new Set<string>();
  /** Names that are being taken: a look that began before knows nothing of them. */
  const taking = new Set<string>();
  const countings: Counting[] = [];
  let address = '';
  let session: NotifySession | undefined;
  let local: Here | undefined;
  let seenAt = Date.now();
  let countedAt = 0;
  let sending: NodeJS.Timeout | undefined;
  /** The devices that the others were told are connected here. */
  let told = new Set<string>();

  function send(): void {
    sending = undefined;
    const payloads = gathered.take(node);
    if (payloads.length === 0) return;
    // What is not heard is found by the next look.
    session?.say(payloads).catch((err: unknown) => log.debug({ err }, 'hints could not be sent'));
  }

  function heard(here: Here, watch: PeerWatch, payload: string): void {
    const { node: from, news, presences } = readHint(payload);
    if (from === node) return;
    for (const [room, head] of news.heads ?? []) here.grown(room, head);
    for (const account of news.accounts ?? []) here.accountChanged(account);
    const told = new Set(news.accounts);
    // An account may have been disabled.
    const devices = [...here.devices()].filter(({ account }) => told.has(account));
    if (devices.length > 0)
      shutOut(
        here,
        devices.map(({ device }) => device),
      ).catch((err: unknown) => log.debug({ err }, 'devices could not be looked at'));
    for (const device of news.devices ?? []) here.shutOut(device);
    for (const said of presences) here.presence(said);
    const open = new Set(here.rooms());
    const rooms = (news.rooms ?? []).filter((room) => open.has(room));
    if (rooms.length === 0) return;
    records
      .read(() => findMarks(rooms))
      .then((marks) => watch.rooms(marks))
      .catch((err: unknown) => log.debug({ err }, 'rooms could not be looked at'));
  }

  /** Closes the connections of those that may have none. */
  async function shutOut(here: Here, devices: readonly string[]): Promise<void> {
    const out = await records.read(() => findShutOut(devices, here.now()));
    for (const { id, disabled } of out) here.shutOut(id, disabled);
  }

  async function look(here: Here, watch: PeerWatch): Promise<void> {
    const devices = new Map([...here.devices()].map((one) => [one.device, one.account]));
    const accounts = new Set(devices.values());
    const rooms = new Set(here.rooms());
    watch.keep(rooms, accounts);
    const leases = await records.write(() => saveNode({ id: node, address, version }, LIVES_S));
    seenAt = Date.now();
    for (const name of held)
      if (!leases.includes(name) && !taking.has(name)) {
        held.delete(name);
        here.lost(name);
      }
    const standing = await records.read(() => findStanding());
    if (standing.logId !== logId.get()) {
      logId.set(standing.logId);
      here.renamed();
    }
    if (standing.needs > version) here.leave('A newer relay has changed the database; this version is over');
    if (rooms.size > 0) watch.rooms(await records.read(() => findMarks([...rooms])));
    if (devices.size > 0) {
      watch.accounts(await records.read(() => findVersions([...accounts])));
      await shutOut(here, [...devices.keys()]);
    }
    if (seenAt - countedAt > COUNT_MS) {
      countedAt = seenAt;
      here.countAnew();
    }
    await shareOnline(new Set(devices.keys()));
    for (const counting of countings) {
      const counted = counting.exchange();
      if (counted.length === 0) continue;
      counting.learn(await records.write(() => countTogether(counting.name, counted, counting.windowMs)));
    }
  }

  async function shareOnline(now: Set<string>): Promise<void> {
    const come = [...now].filter((device) => !told.has(device));
    const gone = [...told].filter((device) => !now.has(device));
    if (come.length + gone.length === 0) return;
    await records.write(() => saveOnline(node, { come, gone }));
    told = now;
  }

  return {
    tell(news) {
      gathered.add(news);
      sending ??= setTimeout(send, GATHER_MS);
    },
    listensAt: (at) => (address = at),
    async start(here) {
      const watch = createWatch(here);
      local = here;
      let isStopped = false;
      let count = 0;
      let isFailing = false;
      let running: Promise<void> | undefined;
      const once = async () => {
        try {
          await look(here, watch);
          if ((count += 1) % TIDY_EVERY === 1)
            await records.write(() => deleteForgotten(here.now(), countings));
          if (isFailing) log.info('the database answers again');
          isFailing = false;
        } catch (err) {
          if (!isFailing) log.error({ err }, 'the database does not answer; this node looks again and again');
          isFailing = true;
        }
      };
      const again = () => (running ??= once().finally(() => (running = undefined)));
      await again();
      const first = Promise.withResolvers<void>();
      session = openSession({
        url: deps.sessionUrl,
        heard: (payload) => heard(here, watch, payload),
        begun(hearing) {
          if (hearing === 'pooled')
            log.warn(
              `a pooler stands before Postgres, and hints of other nodes do not come through it: news take up to ${pollMs} ms. Set RELAY_DATABASE_SESSION_URL to an address of Postgres itself`,
            );
          if (hearing === 'not')
            log.warn(`hints of other nodes do not come through: news take up to ${pollMs} ms`);
          first.resolve();
          // It may be another database by now, and hints were missed in any case.
          deps
            .standing()
            .then(again)
            .catch((err: unknown) => log.warn({ err }, 'the database could not be looked at'));
        },
        failed(err) {
          log.warn({ err }, 'the session for hints ended; it is begun again');
          first.resolve();
        },
      });
      await first.promise;
      let isCutOff = false;
      const timer = setInterval(() => {
        const isAway = Date.now() - seenAt > LIVES_S * 1000;
        if (isAway && !isCutOff) here.cutOff();
        isCutOff = isAway;
        void again();
      }, pollMs);
      return async () => {
        if (isStopped) return;
        isStopped = true;
        clearInterval(timer);
        clearTimeout(sending);
        send();
        await running;
        await session?.stop();
        await records.write(() => deleteNode(node));
      };
    },
    async online(devices) {
      const elsewhere = await records.read(() => findOnline(devices));
      const connected = new Set([...(local?.devices() ?? [])].map(({ device }) => device));
      return new Set([...devices.filter((device) => connected.has(device)), ...elsewhere]);
    },
    async hold(name) {
      taking.add(name);
      try {
        const holder = await records.write(() => takeLease(name, node));
        if (!holder) throw new Error('This node is not known to the others yet');
        if (holder.node !== node) return { kind: 'elsewhere', address: holder.address };
        held.add(name);
        return { kind: 'here' };
      } finally {
        // As long as a look may take that began before.
        setTimeout(() => taking.delete(name), LIVES_S * 1000).unref();
      }
    },
    async letGo(name) {
      held.delete(name);
      await records.write(() => endLease(name, node));
    },
    *guard(name) {
      if (!(yield* hasLease(name, node))) throw new Error('Another node has this open by now');
    },
    share: (counting) => void countings.push(counting),
    trouble: () =>
      Date.now() - seenAt > pollMs * 3 + 1000 ? 'The database has not answered for a while' : undefined,
  };
}

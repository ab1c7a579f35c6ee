import { performance } from 'node:perf_hooks';
import { createAssembler } from '@reverie/shared/protocol/frames';
import type { Message } from '@reverie/shared/protocol/messages';
import { decode } from '@reverie/shared/protocol/wire';
import { pino } from 'pino';
import { systemClock } from '@reverie/shared/time/clock';
import type { DeviceConnection } from '../../cloud/src/transport/connection.ts';
import { openPostgres } from '../../cloud/src/db/postgres/postgres-storage.ts';
import { createMetrics } from '../../cloud/src/metrics.ts';
import { createSyncing } from '../../cloud/src/transport/syncing.ts';
import { benchUpdate } from '../sync/relay.ts';
import type { NodeLoad, NodeResult } from './nodes.ts';

/**
 * A node of a relay without its sockets, in a process of its own: everything from a decoded message to the encoded answer, with writers
 * that wait for each answer, and a listener in every room.
 */
async function main(): Promise<void> {
  const load = JSON.parse(process.argv[2] ?? '{}') as NodeLoad;
  const { url, node, rooms, writers, batch, seconds, pauseMs } = load;
  const log = pino({ level: 'warn' }, pino.destination({ dest: 2, sync: true }));
  const storage = await openPostgres({ url, sessionUrl: url, connections: 6, pollMs: 1000 }, log);
  const { updates, peers } = storage;
  const space = { used: () => 0, add: () => undefined, forget: () => undefined, forgetAll: () => undefined };
  const syncing = createSyncing({
    log: updates,
    clock: systemClock,
    metrics: createMetrics(),
    space,
    world: {
      accessOf: async () => ({ role: 'editor', since: 0, owner: 'acc_bench' }),
      quotaOf: () => Number.MAX_SAFE_INTEGER,
      allowanceOf: () => ({ take: () => undefined }),
      read: (_, bodies) => bodies.map(() => true),
      failed: (err) => log.error({ err }, 'failed'),
      unread: (err) => log.error({ err }, 'unread'),
      grown: (heads) => peers.tell({ heads }),
      tell: () => undefined,
      presence: () => undefined,
    },
  });
  peers.listensAt(`http://127.0.0.1:${node + 1}`);
  const none = () => undefined;
  const leavePeers = await peers.start({
    now: Date.now,
    rooms: () => syncing.rooms(),
    devices: () => [],
    grown: (room, head) => syncing.grown(room, head),
    epochIs: none,
    membersChanged: none,
    offered: none,
    accountChanged: none,
    shutOut: none,
    presence: none,
    lost: none,
    renamed: none,
    cutOff: none,
    countAnew: none,
    leave: (why) => log.error({ why }, 'leave'),
  });

  const across: number[] = [];
  const waits: number[] = [];
  let isMeasuring = false;
  let acknowledged = 0;
  /** Also before and after what is measured. */
  let stored = 0;
  let delivered = 0;
  const own = `dev_${node}_`;
  /** Of so many messages one is read; where it is quiet each. */
  const samples = pauseMs > 0 ? 1 : 5;

  function connection(device: string, got: (message: Message) => void, every: number): DeviceConnection {
    let count = 0;
    return {
      device,
      account: 'acc_bench',
      isOpen: () => true,
      send: got,
      buffered: () => 0,
      sendFrames(frames) {
        // One in many is read: decoding is the listener's work, not the node's.
        const assembler = createAssembler();
        if ((count += 1) % every !== 0) return;
        for (const frame of frames) {
          const bytes = assembler.push(frame);
          if (bytes) got(decode(bytes));
        }
      },
      drained: () => new Promise((resolve) => setImmediate(resolve)),
      refuse: (error) => log.error(error, 'refused'),
      close: (code, detail) => log.error({ code, detail }, 'closed'),
      pause: () => () => undefined,
    };
  }

  const names = Array.from({ length: rooms }, (_, n) => `rm_${String(n).padStart(26, '0')}`);
  for (const room of names) {
    const listener = connection(
      `dev_listener_${node}`,
      (message) => {
        if (message.type !== 'entries' || !isMeasuring) return;
        const foreign = message.entries.filter(({ device }) => !device.startsWith(own));
        delivered += foreign.length;
        const last = foreign.at(-1);
        if (last) across.push(Date.now() - last.at);
      },
      samples,
    );
    await syncing.handle(listener, {
      type: 'subscribe',
      room,
      logId: '',
      cursor: 0,
      hash: new Uint8Array(32),
    });
  }

  const body = benchUpdate();
  let isOver = false;
  const ended: Promise<void>[] = [];
  for (let at = 0; at < writers; at += 1) {
    const done = Promise.withResolvers<void>();
    ended.push(done.promise);
    let n = 0;
    let sent = 0;
    let left = 0;
    const incarnation = `inc${at}`;
    const writer = connection(
      `${own}${at}`,
      (message) => {
        if (message.type !== 'ack') return;
        stored += message.acks.length;
        left -= message.acks.length;
        if (left > 0) return;
        if (isMeasuring) {
          acknowledged += batch;
          waits.push(performance.now() - sent);
        }
        if (isOver) done.resolve();
        else if (pauseMs > 0) setTimeout(next, pauseMs);
        else setImmediate(next);
      },
      1,
    );
    const next = () => {
      const room = names[(at * 7 + n * 13 + node) % rooms] ?? '';
      sent = performance.now();
      left = batch;
      const entries = Array.from({ length: batch }, () => {
        n += 1;
        return { kind: 'update' as const, n, at: Date.now(), bucket: n % 64, enc: true, body };
      });
      void syncing.handle(writer, { type: 'append', room, epoch: 0, incarnation, entries });
    };
    setTimeout(next, at % 20);
  }
  await new Promise((resolve) => setTimeout(resolve, 2000));
  isMeasuring = true;
  const cpu = process.cpuUsage();
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  isMeasuring = false;
  const { user, system } = process.cpuUsage(cpu);
  isOver = true;
  await Promise.race([Promise.all(ended), new Promise((resolve) => setTimeout(resolve, 3000))]);
  const result: NodeResult = {
    acknowledged,
    stored,
    delivered: delivered * samples,
    waits,
    across,
    cpuSeconds: (user + system) / 1e6,
    rssMb: process.memoryUsage.rss() / 2 ** 20,
  };
  await leavePeers();
  await storage.close();
  process.stdout.write(JSON.stringify(result));
}

await main();

import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { listConflicts } from '@reverie/shared/contract/conflicts';
import { pairDevice } from '@reverie/shared/contract/devices';
import { dreamStatus } from '@reverie/shared/contract/dreams';
import { listEvents } from '@reverie/shared/contract/events';
import { listMessages } from '@reverie/shared/contract/inbox';
import { clearNamespace, listMemories } from '@reverie/shared/contract/memories';
import { searchMemories } from '@reverie/shared/contract/search';
import { linkDevice, syncStatus, triggerSync } from '@reverie/shared/contract/sync';
import { listWebhooks, registerWebhook } from '@reverie/shared/contract/webhooks';
import { everyMemory } from '../../../daemon/src/cli/every-memory.ts';
import { verifyDatabase } from '../../../daemon/src/db/verify.ts';
import { openReceiver, type Receiver } from '../../receiver.ts';
import { type AttackedDaemon, type AttackedRelay, eventually, type Grounds } from '../grounds.ts';
import type { Section } from '../ledger.ts';
import { wordsBelow, wordsIn } from '../planted.ts';
import { one, type Random, seeded, whole } from '../random.ts';
import type { Promised } from './promises.ts';
import { tablesWith } from '../tables.ts';
import { BOTH, createWriter, isGone, type Writer } from './writer.ts';

/** A relay and two linked daemons that are written to and killed, with everything that they promised. */
export interface Lane {
  /** Kills one of the three at a moment of its own, starts it again, and checks every promise of it. */
  round(): Promise<void>;
  /** Lets all come to rest, checks that both devices and a new one hold the same, then clears what both wrote. */
  settle(): Promise<void>;
  /** Once the sweeps of a minute are over: looks for what was deleted in every file. */
  sweep(): void;
}

interface Device {
  name: string;
  daemon: AttackedDaemon;
  writers: Writer[];
  hook: Receiver;
}

export interface LaneDeps {
  grounds: Grounds;
  section: Section;
  seed: number;
}

const SETTLE_MS = 60_000;

export async function openLane({ grounds, section, seed }: LaneDeps, name: string): Promise<Lane> {
  const random = seeded(seed);
  const shared = new Set<string>();
  /** Words of the namespace of both, once it is cleared. */
  let sharedIsGone = false;
  const relay = await grounds.relay(`relay-${name}`);
  const env = { REVERIE_WEBHOOKS_RETRY_MIN_MS: '100', REVERIE_WEBHOOKS_RETRY_MAX_MS: '500' };
  const devices: Device[] = [];
  for (const n of [1, 2]) {
    const daemon = await grounds.daemon(`device-${name}-${n}`, env);
    const hook = await openReceiver();
    // What receivers answer is kept for a while: it may be what was deleted.
    hook.echo();
    await daemon.call(registerWebhook, {
      body: { url: hook.url, events: ['memory.*'], secret: 'a secret of the lane', rate_per_s: 1000 },
    });
    const writers = [1, 2].map((w) =>
      createWriter({ daemon, random: seeded(seed * 100 + n * 10 + w), section, shared }, `d${n}w${w}`),
    );
    devices.push({ name: `device ${n}`, daemon, writers, hook });
  }
  const [first, second] = devices as [Device, Device];
  await first.daemon.call(linkDevice, {
    body: { relay: relay.origin, email: 'me@example.org', name: 'first' },
  });
  const { code } = await first.daemon.call(pairDevice, {});
  await second.daemon.call(linkDevice, { body: { relay: relay.origin, code, name: 'second' } });

  let isOver = false;
  const writing = new Map<Device, Promise<unknown>>();
  const go = (device: Device) =>
    void writing.set(device, Promise.all(device.writers.map((writer) => writer.write(() => isOver))));
  devices.forEach(go);

  async function killDevice(device: Device): Promise<void> {
    const { daemon } = device;
    await daemon.kill();
    await writing.get(device);
    section.did('kills');
    if (random() < 0.5) {
      // Again while it is starting.
      daemon.launch();
      await pause(whole(random, 50, 500));
      await daemon.kill();
      section.did('kills');
    }
    for (const problem of verifyDatabase(daemon.home.database).problems)
      section.found('lost', `${device.name}: the database: ${problem}`);
    await daemon.start();
    await checkDevice(section, device, random);
    go(device);
  }

  return {
    async round() {
      const victim = one(random, [first, first, second, second, relay]);
      await pause(whole(random, 60, 600));
      if (victim === relay) await killRelay(section, relay);
      else await killDevice(victim as Device);
    },
    async settle() {
      isOver = true;
      await Promise.all(writing.values());
      await atRest(section, devices, SETTLE_MS);
      await checkTogether(section, devices);
      await checkNewDevice(section, { first, relay, grounds, name });
      for (const device of devices) await checkDeliveries(section, device);
      for (const { daemon, writers } of devices)
        for (const writer of writers) await checkDreams(section, daemon, writer);
      await first.daemon.call(clearNamespace, { body: { namespace: BOTH } });
      await atRest(section, devices, SETTLE_MS);
      sharedIsGone = true;
      await Promise.all(devices.map(({ hook }) => hook.close()));
    },
    sweep() {
      const forgotten = new Set([
        ...devices.flatMap(({ writers }) =>
          writers.flatMap(({ memories, imports }) => [...memories.forgotten, ...imports.forgotten]),
        ),
        ...(sharedIsGone ? shared : []),
      ]);
      section.did('deleted words looked for', forgotten.size);
      for (const { daemon, name: device } of devices) {
        const found = wordsBelow(daemon.home.folder, forgotten);
        for (const file of new Set(found.map((each) => each.file))) {
          const words = new Set(found.filter((each) => each.file === file).map(({ word }) => word));
          const places =
            file === 'reverie.db' ? tablesWith(daemon.home.database, words) : new Map([['it', [...words]]]);
          for (const [place, here] of places)
            section.found(
              'readable',
              `${here.length} deleted words stand in ${file} (${place}) of ${device} of lane ${name}, such as ${here[0] ?? ''}`,
            );
        }
      }
    },
  };
}

async function killRelay(section: Section, relay: AttackedRelay): Promise<void> {
  await relay.kill();
  section.did('kills');
  const db = new Database(path.join(relay.home, 'relay.db'), { readonly: true });
  const checked = db.pragma('integrity_check(5)') as { integrity_check: string }[];
  db.close();
  for (const { integrity_check } of checked)
    if (integrity_check !== 'ok') section.found('lost', `the relay's database: ${integrity_check}`);
  await relay.start();
}

/** What a namespace says, all of it. */
async function saysOf({ call }: AttackedDaemon, namespace: string): Promise<Map<string, string>> {
  const { memories } = await call(listMemories, { body: { namespace, limit: 1000 } });
  return new Map(memories.map(({ key, value = '' }) => [key, value]));
}

/** Every promise of a device that has just started again; nobody writes to it meanwhile. */
async function checkDevice(section: Section, device: Device, random: Random): Promise<void> {
  const { daemon, writers, name } = device;
  const leftovers = fs.existsSync(daemon.home.backups)
    ? fs.readdirSync(daemon.home.backups).filter((file) => file.includes('.draft'))
    : [];
  for (const _ of leftovers)
    section.found(
      'readable',
      'a draft of a killed backup stays after the restart, with all that is deleted later',
    );
  for (const file of leftovers) fs.rmSync(path.join(daemon.home.backups, file));
  const forgotten = new Set<string>();
  for (const { memories, imports, messages } of writers) {
    for (const promised of [memories, imports]) await checkMemories(section, daemon, promised);
    const { messages: kept } = await daemon.call(listMessages, {
      params: { namespace: memories.namespace },
      query: { limit: 1000 },
    });
    const ids = new Set(kept.map(({ id }) => id));
    for (const id of [...messages].slice(-900))
      if (!ids.has(id)) section.found('lost', `${name}: a message to the inbox that was answered`);
    for (const word of [...memories.forgotten, ...imports.forgotten]) forgotten.add(word);
  }
  const readable = async (where: string, ask: () => Promise<unknown>) => {
    const words = wordsIn(JSON.stringify(await ask()), forgotten);
    if (words.length > 0)
      section.found('readable', `deleted words stand in ${where} after a restart, such as ${words[0] ?? ''}`);
  };
  await readable('conflicts', () => daemon.call(listConflicts, { query: { limit: 200 } }));
  for (const type of ['memory.write', 'memory.update'] as const)
    await readable(`events of ${type}`, () => daemon.call(listEvents, { query: { type, limit: 1000 } }));
  const word = one(random, [...forgotten]);
  for (const { memories } of word === undefined ? [] : writers)
    await readable('search', () =>
      daemon.call(searchMemories, { body: { query: word ?? '', namespace: memories.namespace, limit: 50 } }),
    );
}

async function checkMemories(section: Section, daemon: AttackedDaemon, promised: Promised): Promise<void> {
  for (const wrong of promised.check(await saysOf(daemon, promised.namespace))) section.found('lost', wrong);
}

/** Waits until nothing is to be sent or read any more, neither by sync nor by webhooks. */
async function atRest(section: Section, devices: readonly Device[], withinMs: number): Promise<void> {
  for (const { daemon } of devices) await daemon.call(triggerSync, {});
  const isAtRest = async () => {
    const states = [];
    for (const { daemon } of devices) {
      const { state, pending, behind } = await daemon.call(syncStatus, {});
      const { webhooks } = await daemon.call(listWebhooks, {});
      const waiting = webhooks.reduce((sum, webhook) => sum + webhook.pending, 0);
      states.push(`${state} ${pending} to send, ${behind ?? '?'} to read, ${waiting} to deliver`);
    }
    return states;
  };
  const goal = 'live 0 to send, 0 to read, 0 to deliver';
  let last: string[] = [];
  const rest = await eventually(
    async () => ((last = await isAtRest()).every((state) => state === goal) ? true : undefined),
    { withinMs, everyMs: 200 },
  );
  if (!rest)
    section.found(
      'lost',
      `${withinMs / 1000} s after the last kill devices are not at rest: ${last.join('; ')}`,
    );
}

async function exported(daemon: AttackedDaemon): Promise<string> {
  const all = [];
  for await (const memory of everyMemory(daemon.call, {})) all.push(memory);
  return JSON.stringify(
    all.toSorted((a, b) => (`${a.namespace}/${a.key}` < `${b.namespace}/${b.key}` ? -1 : 1)),
  );
}

/** Both devices hold the same, and all that was answered. */
async function checkTogether(section: Section, devices: readonly Device[]): Promise<void> {
  const isSame = await eventually(
    async () => {
      const [a, b] = await Promise.all(devices.map(({ daemon }) => exported(daemon)));
      return a === b ? true : undefined;
    },
    { withinMs: 30_000, everyMs: 500 },
  );
  if (!isSame) section.found('lost', 'the two devices do not hold the same after everything was confirmed');
  for (const { writers } of devices)
    for (const { memories, imports } of writers)
      for (const { daemon } of devices)
        for (const promised of [memories, imports]) await checkMemories(section, daemon, promised);
}

/** What was acknowledged is on the relay: a device that comes new reads all of it there. */
async function checkNewDevice(
  section: Section,
  { first, relay, grounds, name }: { first: Device; relay: AttackedRelay; grounds: Grounds; name: string },
): Promise<void> {
  const fresh = await grounds.daemon(`fresh-${name}`);
  const { code } = await first.daemon.call(pairDevice, {});
  await fresh.call(linkDevice, { body: { relay: relay.origin, code, name: 'fresh' } });
  const wanted = await exported(first.daemon);
  const isSame = await eventually(async () => ((await exported(fresh)) === wanted ? true : undefined), {
    withinMs: SETTLE_MS,
    everyMs: 500,
  });
  if (!isSame) section.found('lost', 'a new device does not read from the relay what the others hold');
  await fresh.kill('SIGTERM');
}

/** Every local event that webhooks take was delivered. */
async function checkDeliveries(section: Section, { daemon, hook, name, writers }: Device): Promise<void> {
  const imported = new Set(writers.map(({ imports }) => imports.namespace));
  const received = new Set(hook.receipts.map(({ id }) => id));
  let since = 0;
  for (;;) {
    const { events, next } = await daemon.call(listEvents, {
      query: { family: 'memory', since, limit: 1000 },
    });
    if (events.length === 0) break;
    for (const { id, type, actor, namespace } of events) {
      if (actor.kind === 'device' || imported.has(namespace)) continue;
      section.did('deliveries checked');
      if (!received.has(id)) section.found('lost', `${name}: the event ${type} was not delivered`);
    }
    since = next;
  }
}

/** Dreams that were accepted are known after any kill, and come to an end. */
async function checkDreams(section: Section, { call }: AttackedDaemon, { dreams }: Writer): Promise<void> {
  for (const id of dreams) {
    const isEnded = await eventually(
      async () => {
        try {
          const { status } = await call(dreamStatus, { params: { id } });
          return status === 'complete' || status === 'failed' ? true : undefined;
        } catch (cause) {
          if (isGone(cause)) throw cause;
          return false;
        }
      },
      { withinMs: SETTLE_MS, everyMs: 200 },
    );
    if (isEnded !== true)
      section.found(
        'lost',
        `a dream that was accepted ${isEnded === false ? 'is not known' : 'does not end'} after the kills`,
      );
  }
}

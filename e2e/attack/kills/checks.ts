import fs from 'node:fs';
import path from 'node:path';
import { listConflicts } from '@reverie/shared/contract/sync/conflicts';
import { pairDevice } from '@reverie/shared/contract/sync/devices';
import { dreamStatus } from '@reverie/shared/contract/dreams/dreams';
import { listEvents } from '@reverie/shared/contract/events/events';
import { listMessages } from '@reverie/shared/contract/events/inbox';
import { listMemories } from '@reverie/shared/contract/memories/memories';
import { searchMemories } from '@reverie/shared/contract/search/search';
import { linkDevice, syncStatus, triggerSync } from '@reverie/shared/contract/sync/sync';
import { listWebhooks } from '@reverie/shared/contract/events/webhooks';
import { everyMemory } from '../../../daemon/src/cli/every-memory.ts';
import type { Receiver } from '../../receiver.ts';
import { type AttackedDaemon, type AttackedRelay, eventually, type Grounds } from '../grounds.ts';
import type { Section } from '../ledger.ts';
import { wordsIn } from '../planted.ts';
import { one, type Random } from '../random.ts';
import type { Promised } from './promises.ts';
import { isGone, type Writer } from './writer.ts';

/** A linked daemon with those who write to it and the receiver of its webhooks. */
export interface Device {
  name: string;
  daemon: AttackedDaemon;
  writers: Writer[];
  hook: Receiver;
}

/** How long devices may take to come to rest. */
export const SETTLE_MS = 60_000;

/** What a namespace says, all of it. */
async function saysOf({ call }: AttackedDaemon, namespace: string): Promise<Map<string, string>> {
  const { memories } = await call(listMemories, { body: { namespace, limit: 1000 } });
  return new Map(memories.map(({ key, value = '' }) => [key, value]));
}

/** Every promise of a device that has just started again; nobody writes to it meanwhile. */
export async function checkDevice(section: Section, device: Device, random: Random): Promise<void> {
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
  // Side by side: nobody writes to it, and one after another each would wait for a processor, which those who write elsewhere keep busy.
  await Promise.all(
    writers.flatMap(({ memories, imports }) =>
      [memories, imports].map((promised) => checkMemories(section, daemon, promised)),
    ),
  );
  const inboxes = writers.map(async ({ memories, imports, messages }) => {
    const { messages: kept } = await daemon.call(listMessages, {
      params: { namespace: memories.namespace },
      query: { limit: 1000 },
    });
    const ids = new Set(kept.map(({ id }) => id));
    for (const id of [...messages].slice(-900))
      if (!ids.has(id)) section.found('lost', `${name}: a message to the inbox that was answered`);
    for (const word of [...memories.forgotten, ...imports.forgotten]) forgotten.add(word);
  });
  await Promise.all(inboxes);
  const readable = async (where: string, ask: () => Promise<unknown>) => {
    const words = wordsIn(JSON.stringify(await ask()), forgotten);
    if (words.length > 0)
      section.found('readable', `deleted words stand in ${where} after a restart, such as ${words[0] ?? ''}`);
  };
  const word = one(random, [...forgotten]);
  await Promise.all([
    readable('conflicts', () => daemon.call(listConflicts, { query: { limit: 200 } })),
    ...(['memory.write', 'memory.update'] as const).map((type) =>
      readable(`events of ${type}`, () => daemon.call(listEvents, { query: { type, limit: 1000 } })),
    ),
    ...(word === undefined ? [] : writers).map(({ memories }) =>
      readable('search', () =>
        daemon.call(searchMemories, {
          body: { query: word ?? '', namespace: memories.namespace, limit: 50 },
        }),
      ),
    ),
  ]);
}

async function checkMemories(section: Section, daemon: AttackedDaemon, promised: Promised): Promise<void> {
  for (const wrong of promised.check(await saysOf(daemon, promised.namespace))) section.found('lost', wrong);
}

/** Waits until nothing is to be sent or read any more, neither by sync nor by webhooks. */
export async function atRest(section: Section, devices: readonly Device[], withinMs: number): Promise<void> {
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
export async function checkTogether(section: Section, devices: readonly Device[]): Promise<void> {
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
export async function checkNewDevice(
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
export async function checkDeliveries(
  section: Section,
  { daemon, hook, name, writers }: Device,
): Promise<void> {
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
export async function checkDreams(
  section: Section,
  { call }: AttackedDaemon,
  { dreams }: Writer,
): Promise<void> {
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

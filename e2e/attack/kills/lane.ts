import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { pairDevice } from '@reverie/shared/contract/sync/devices';
import { clearNamespace } from '@reverie/shared/contract/memories/memories';
import { linkDevice } from '@reverie/shared/contract/sync/sync';
import { registerWebhook } from '@reverie/shared/contract/events/webhooks';
import { verifyDatabase } from '../../../daemon/src/db/backup/verify.ts';
import { openReceiver } from '../../receiver.ts';
import type { AttackedRelay, Grounds } from '../grounds.ts';
import type { Section } from '../ledger.ts';
import { wordsBelow } from '../planted.ts';
import { one, seeded, whole } from '../random.ts';
import { tablesWith } from '../tables.ts';
import {
  atRest,
  checkDeliveries,
  checkDevice,
  checkDreams,
  checkNewDevice,
  checkTogether,
  type Device,
  SETTLE_MS,
} from './checks.ts';
import { BOTH, createWriter } from './writer.ts';

/** A relay and two linked daemons that are written to and killed, with everything that they promised. */
export interface Lane {
  /** Kills one of the three at a moment of its own, starts it again, and checks every promise of it; answers how often it killed. */
  round(): Promise<number>;
  /** Lets all come to rest, checks that both devices and a new one hold the same, then clears what both wrote. */
  settle(): Promise<void>;
  /** Once the sweeps of a minute are over: looks for what was deleted in every file. */
  sweep(): void;
}

export interface LaneDeps {
  grounds: Grounds;
  section: Section;
  seed: number;
}

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

  async function killDevice(device: Device): Promise<number> {
    const { daemon } = device;
    let kills = 1;
    await daemon.kill();
    await writing.get(device);
    section.did('kills');
    if (random() < 0.5) {
      // Again while it is starting.
      daemon.launch();
      await pause(whole(random, 50, 500));
      await daemon.kill();
      section.did('kills');
      kills += 1;
    }
    for (const problem of verifyDatabase(daemon.home.database).problems)
      section.found('lost', `${device.name}: the database: ${problem}`);
    await daemon.start();
    await checkDevice(section, device, random);
    go(device);
    return kills;
  }

  return {
    async round() {
      const victim = one(random, [first, first, second, second, relay]);
      await pause(whole(random, 60, 600));
      return victim === relay ? killRelay(section, relay) : killDevice(victim as Device);
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

async function killRelay(section: Section, relay: AttackedRelay): Promise<number> {
  await relay.kill();
  section.did('kills');
  const db = new Database(path.join(relay.home, 'relay.db'), { readonly: true });
  const checked = db.pragma('integrity_check(5)') as { integrity_check: string }[];
  db.close();
  for (const { integrity_check } of checked)
    if (integrity_check !== 'ok') section.found('lost', `the relay's database: ${integrity_check}`);
  await relay.start();
  return 1;
}

import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { steadyPort } from '@reverie/shared/testing/steady-port';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { connect, openRoom, pair, readAll, signUp, type TestDevice, updateEntry } from './testing/device.ts';
import { joinNotes } from './testing/note-client.ts';
import { type RelayProcess, spawnRelay, temporaryHome } from './testing/process.ts';

let temporary: { home: string; remove: () => void };
let relay: RelayProcess | undefined;
beforeEach(() => {
  temporary = temporaryHome();
});
afterEach(async () => {
  relay?.child.kill('SIGKILL');
  await relay?.ended;
  temporary.remove();
});

function start(env: Record<string, string> = {}): Promise<string> {
  relay = spawnRelay(temporary.home, env);
  return relay.ready;
}

test('killed under load, three times: what was acknowledged is in the log, at its place, once', async () => {
  let origin = await start();
  const first = await signUp(origin, 'a@example.org');
  const devices = [first, await pair(origin, first), await pair(origin, first, 'third')];
  const room = await openRoom(origin, first, 'default');
  const acknowledged = new Map<string, number>();
  for (let round = 0; round < 3; round += 1) {
    const incarnation = `inc${round}`;
    let answered = 0;
    const enough = Promise.withResolvers<void>();
    const open = await Promise.all(
      devices.map((linked) =>
        connect(origin, linked, {
          incarnation,
          forgets: true,
          onMessage(message) {
            if (message.type !== 'ack') return;
            for (const { n, seq } of message.acks) {
              acknowledged.set(`${linked.device} ${message.incarnation} ${n}`, seq);
              answered += 1;
            }
            if (answered > 400) enough.resolve();
          },
        }),
      ),
    );
    let n = 0;
    const load = setInterval(() => {
      for (const device of open)
        if (device.socket.readyState === device.socket.OPEN)
          device.send({
            type: 'append',
            room,
            epoch: 0,
            incarnation,
            entries: Array.from({ length: 10 }, () => updateEntry((n += 1), 200)),
          });
    }, 5);
    await enough.promise;
    // In the midst of it: more is on its way, unanswered.
    relay?.child.kill('SIGKILL');
    await relay?.ended;
    clearInterval(load);
    await Promise.all(open.map(({ closed }) => closed));
    origin = await start();
  }
  expect(acknowledged.size).toBeGreaterThan(1200);
  const reader = await connect(origin, first);
  const entries = await readAll(reader, room, Math.max(...acknowledged.values()));
  const logged = new Map(
    entries.map(({ device, incarnation, n, seq }) => [`${device} ${incarnation} ${n}`, seq]),
  );
  expect(entries.map(({ seq }) => seq)).toEqual(entries.map((_, index) => index + 1));
  expect(logged.size).toBe(entries.length);
  for (const [name, seq] of acknowledged) expect(logged.get(name)).toBe(seq);
  reader.close();
});

test('on SIGTERM it answers what came, says that it comes again, and ends with 0; a second one on its home or port is refused', async () => {
  const origin = await start();
  const linked = await signUp(origin, 'a@example.org');
  const room = await openRoom(origin, linked, 'default');
  const device = await connect(origin, linked);
  await device.next('welcome');
  const second = spawnRelay(temporary.home);
  await expect(second.ready).rejects.toThrow('Another relay runs');
  expect(await second.ended).toBe(1);
  const elsewhere = temporaryHome();
  for (const [env, said] of [
    [{ RELAY_PORT: new URL(origin).port }, 'choose another port with RELAY_PORT'],
    [{ RELAY_PORTS: '1' }, 'There is no setting RELAY_PORTS. The settings are: RELAY_HOME'],
  ] as const)
    await expect(spawnRelay(elsewhere.home, env).ready).rejects.toThrow(said);
  elsewhere.remove();

  device.send({ type: 'append', room, epoch: 0, incarnation: 'inc', entries: [updateEntry(1)] });
  await device.next('ack');
  relay?.child.kill('SIGTERM');
  expect((await device.next('error')).code).toBe('later');
  expect(await device.closed).toBe(4503);
  expect(await relay?.ended).toBe(0);
  // Neither addresses nor keys nor names stand in what it logged.
  expect(relay?.logged()).not.toMatch(/example\.org|rv_|default/);
});

test('on SIGTERM under load: all that it stored was acknowledged, everybody is told to come again, and a shared document is whole', async () => {
  const env = { RELAY_PORT: String(await steadyPort()) };
  const origin = await start(env);
  const first = await signUp(origin, 'a@example.org');
  const devices = [first, await pair(origin, first), await pair(origin, first, 'third')];
  const room = await openRoom(origin, first, 'default');
  const notes = joinNotes(origin, first, { room });
  const acknowledged = new Set<string>();
  const enough = Promise.withResolvers<void>();
  const open = await Promise.all(
    devices.map((linked) =>
      connect(origin, linked, {
        forgets: true,
        onMessage(message) {
          if (message.type !== 'ack') return;
          for (const { n } of message.acks) acknowledged.add(`${linked.device} ${n}`);
          if (acknowledged.size > 400) enough.resolve();
        },
      }),
    ),
  );
  let n = 0;
  const load = setInterval(() => {
    for (const { socket, send } of open) {
      if (socket.readyState !== socket.OPEN) continue;
      const entries = Array.from({ length: 10 }, () => updateEntry((n += 1), 200));
      send({ type: 'append', room, epoch: 0, incarnation: 'inc', entries });
    }
    notes.write('.');
  }, 5);
  await enough.promise;
  relay?.child.kill('SIGTERM');
  expect(await Promise.all(open.map(({ closed }) => closed))).toEqual([4503, 4503, 4503]);
  expect(await relay?.ended).toBe(0);
  clearInterval(load);

  await start(env);
  const reader = await connect(origin, first);
  await reader.next('welcome');
  reader.send({ type: 'subscribe', room, logId: '', cursor: 0, hash: new Uint8Array() });
  const { head } = await reader.next('subscribed');
  const again = await connect(origin, first);
  const entries = await readAll(again, room, head);
  expect(new Set(entries.map((entry) => `${entry.device} ${entry.n}`))).toEqual(acknowledged);
  // The stock client came again by itself, and says what the relay did not hear.
  const other = joinNotes(origin, first, { room });
  await expect.poll(() => other.text()).toBe(notes.text());
  expect(notes.text().length).toBeGreaterThan(10);
  for (const client of [notes, other]) client.leave();
  for (const device of [reader, again]) device.close();
});

test('restored from a backup of the running relay: devices are told to read anew, and send again what it does not have', async () => {
  const at = (name: string) => path.join(temporary.home, name);
  const before = await start();
  const linked = await signUp(before, 'a@example.org');
  const room = await openRoom(before, linked, 'default');
  const append = async (device: TestDevice, numbers: readonly number[]) => {
    const entries = numbers.map((n) => updateEntry(n));
    device.send({ type: 'append', room, epoch: 0, incarnation: 'inc', entries });
    const { acks } = await device.next('ack');
    return acks.map(({ seq }) => seq);
  };
  const device = await connect(before, linked);
  const { logId } = await device.next('welcome');
  expect(await append(device, [1, 2, 3])).toEqual([1, 2, 3]);
  const backup = spawnSync(
    process.execPath,
    [path.join(import.meta.dirname, 'main.ts'), 'backup', at('copy.db')],
    {
      env: { PATH: process.env['PATH'], RELAY_HOME: temporary.home },
      encoding: 'utf8',
    },
  );
  expect([backup.status, backup.stderr]).toEqual([0, '']);
  expect(await append(device, [4, 5])).toEqual([4, 5]);
  await readAll(device, room, 5);
  const hash = readHash(device) ?? new Uint8Array();
  relay?.child.kill('SIGTERM');
  await relay?.ended;

  for (const name of ['relay.db-wal', 'relay.db-shm']) fs.rmSync(at(name), { force: true });
  fs.copyFileSync(at('copy.db'), at('relay.db'));
  const after = await start();
  const again = await connect(after, linked);
  expect((await again.next('welcome')).logId).not.toBe(logId);
  again.send({ type: 'subscribe', room, logId, cursor: 5, hash });
  expect(await again.next('subscribed')).toMatchObject({ outcome: 'resync', head: 3, from: 0 });
  expect(await append(again, [1, 2, 3, 4, 5])).toEqual([1, 2, 3, 4, 5]);
  again.close();
});

/** The hash of the last entry that came. */
function readHash(device: TestDevice): Uint8Array | undefined {
  return device.got.findLast((message) => message.type === 'entries')?.hash;
}

test('plain http that others can reach, and settings that are wrong, are refused in words', async () => {
  const said = async (env: Record<string, string>) => {
    const wrong = spawnRelay(temporary.home, env);
    return [await wrong.ready.catch(() => 'refused'), await wrong.ended, wrong.logged()];
  };
  expect(await said({ RELAY_HOST: '0.0.0.0' })).toEqual([
    'refused',
    1,
    expect.stringContaining('RELAY_ALLOW_PLAIN_HTTP'),
  ]);
  expect(await said({ RELAY_PORT: 'x', RELAY_QUOTA_MB: '0' })).toEqual([
    'refused',
    1,
    expect.stringMatching(/RELAY_PORT: .*\nRELAY_QUOTA_MB: /),
  ]);
});

import { steadyPort } from '@reverie/shared/testing/steady-port';
import { expect, test } from 'vitest';
import { openRoom, pair, signUp } from '../testing/device.ts';
import { joinNotes } from '../testing/note-client.ts';
import { spawnRelay, temporaryHome } from '../testing/process.ts';

test('killed in the middle: what one client was told of another one is there after a start', async () => {
  const { home, remove } = temporaryHome();
  const env = { RELAY_PORT: String(await steadyPort()) };
  let relay = spawnRelay(home, env);
  try {
    const origin = await relay.ready;
    const first = await signUp(origin, 'a@example.org');
    const room = await openRoom(origin, first, 'session');
    const writer = joinNotes(origin, first, { room });
    const reader = joinNotes(origin, await pair(origin, first), { room });
    for (let round = 0; round < 3; round += 1) {
      const before = reader.text().length;
      const load = setInterval(() => writer.write(`${round} `), 1);
      await expect.poll(() => reader.text().length, { interval: 5 }).toBeGreaterThan(before + 40);
      relay.child.kill('SIGKILL');
      await relay.ended;
      clearInterval(load);
      const told = reader.text();
      for (const { provider } of [writer, reader]) provider.disconnect();
      relay = spawnRelay(home, env);
      await relay.ready;
      // Somebody who was not there, while nobody else is: what it reads is from the disk.
      const nobody = joinNotes(origin, first, { room });
      await expect.poll(() => nobody.text().length).toBeGreaterThanOrEqual(told.length);
      expect(nobody.text().startsWith(told)).toBe(true);
      nobody.leave();
      for (const { provider } of [writer, reader]) provider.connect();
      await expect.poll(() => reader.text()).toBe(writer.text());
    }
    writer.leave();
    reader.leave();
  } finally {
    relay.child.kill('SIGKILL');
    await relay.ended;
    remove();
  }
});

import fs from 'node:fs';
import path from 'node:path';
import * as sharing from '@reverie/shared/contract/sessions/session-sharing';
import { setSource } from '@reverie/shared/contract/sessions/session-sources';
import * as contract from '@reverie/shared/contract/sessions/sessions';
import { linkDevice, syncStatus } from '@reverie/shared/contract/sync/sync';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { seconds } from '@reverie/shared/testing/patience';
import { CLAUDE_FILE, userLine } from '@reverie/session-logs/testing/claude-lines';
import { type Gateway, startGateway } from '../../cloud/src/testing/gateway.ts';
import { hurry, startSyncWorld, type SyncWorld, type TestDevice } from '../devices.ts';

let world: SyncWorld;
let gateway: Gateway;
let people: TestDevice[];
let log: string;

beforeEach(async () => {
  world = await startSyncWorld({ running: 'own-process' });
  gateway = await startGateway(world.relay);
  people = await Promise.all([world.device(), world.device(), world.device()]);
  for (const [n, person] of people.entries())
    await person.call(linkDevice, {
      body: { relay: gateway.origin, email: `person-${n}@example.org`, name: `person ${n}` },
    });
  log = path.join(people[0]?.folder ?? '', 'logs', CLAUDE_FILE);
  fs.mkdirSync(path.dirname(log), { recursive: true });
});
afterEach(async () => {
  await gateway.stop();
  await world.stop();
});

const said = (n: number) => `question number ${n}`;
const append = (n: number) =>
  fs.appendFileSync(
    log,
    `${JSON.stringify(userLine(`u${n}`, said(n), { timestamp: new Date(Date.UTC(2026, 10, 1) + n * 1000).toISOString() }))}\n`,
  );
const entriesOf = async (person: TestDevice, id: string) =>
  (await person.call(contract.listEntries, { params: { id }, query: { limit: 500 } })).entries;
const isThere = async (person: TestDevice) => (await person.call(syncStatus, {})).state === 'live';

/** Shares the session of the log with both others, one of whom may write notes. */
async function shareWithAll(): Promise<string> {
  const [owner, ...others] = people;
  if (!owner) throw new Error('nobody is there');
  append(0);
  await owner.call(setSource, {
    params: { agent: 'claude-code' },
    body: { enabled: true, root: path.join(owner.folder, 'logs') },
  });
  const id = await vi.waitFor(
    async () => {
      const [session] = (await owner.call(contract.listSessions, { query: {} })).sessions;
      if (!session) throw new Error('nothing was read yet');
      return session.id;
    },
    { timeout: seconds(60) },
  );
  for (const [n, other] of others.entries()) {
    const { token } = await owner.call(sharing.previewSession, { params: { id }, query: {} });
    const { invite } = await owner.call(sharing.shareSession, {
      params: { id },
      body: { from: 'start', role: n === 0 ? 'editor' : 'viewer', token },
    });
    // The link names the relay that the owner knows; here that is the gateway.
    await other.call(sharing.joinSession, { body: { invite } });
  }
  return id;
}

async function allSay(id: string, count: number): Promise<void> {
  await vi.waitFor(
    async () => {
      await hurry(people);
      const all = await Promise.all(people.map((person) => entriesOf(person, id)));
      const texts = all.map((entries) => entries.map(({ text }) => text));
      expect(texts[0]).toHaveLength(count);
      expect(texts[1]).toEqual(texts[0]);
      expect(texts[2]).toEqual(texts[0]);
      // The same entry has the same id for everybody.
      expect(all[1]?.map((entry) => entry.id)).toEqual(all[0]?.map((entry) => entry.id));
    },
    { timeout: seconds(60), interval: 100 },
  );
}

test(
  'three people see one session alike, through cuts and the end of each program',
  async () => {
    const id = await shareWithAll();
    const [owner, editor, viewer] = people;
    if (!owner || !editor || !viewer) throw new Error('three are there');
    await allSay(id, 1);
    let count = 1;
    const write = async (note?: string) => {
      append(count);
      count += 1;
      if (note === undefined) return;
      await editor.call(contract.addEntries, {
        params: { id },
        body: { entries: [{ kind: 'note', text: note }] },
      });
      count += 1;
    };
    await write('a note of the editor');
    await allSay(id, count);
    const { participants } = await viewer.call(contract.getSession, { params: { id } });
    expect(participants.map(({ role }) => role).sort()).toEqual(['editor', 'owner', 'viewer']);
    await vi.waitFor(
      async () => {
        const seen = (await viewer.call(contract.getSession, { params: { id } })).participants;
        expect(seen.every(({ online }) => online)).toBe(true);
      },
      { timeout: seconds(60), interval: 200 },
    );
    for (const victim of people) {
      await write();
      await victim.kill();
      if (victim !== editor) await write('while somebody was gone');
      else await write();
      await victim.start();
      await write();
      await allSay(id, count);
    }
    await world.killRelay();
    await write('while the relay was gone');
    await write();
    await world.startRelay();
    await allSay(id, count);
    gateway.cut();
    await write('while the line was cut');
    await allSay(id, count);
    expect(await isThere(owner)).toBe(true);
    const entries = await entriesOf(owner, id);
    expect(new Set(entries.map(({ source }) => source.item)).size).toBe(count);
  },
  seconds(240),
);

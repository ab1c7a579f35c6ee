import type { RelayPerson } from '@reverie/shared/contract/relay/relay-rooms';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { call, type Linked, openRoom, pair, signUp } from '../testing/device.ts';
import { startPostgres, type TestPostgres } from '../testing/postgres.ts';
import { startRelay, type TestRelay } from '../testing/relay.ts';

let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.remove());

describe.each([
  ['SQLite', async (): Promise<Record<string, string>> => ({})],
  ['Postgres', async () => ({ RELAY_DATABASE_URL: await postgres.database() })],
])('who is who in the rooms of an account on %s', (_name, env) => {
  let relay: TestRelay;
  let owner: Linked;
  let guest: Linked;
  let stranger: Linked;
  let room: string;
  beforeEach(async () => {
    relay = await startRelay(await env());
    owner = await signUp(relay.origin, 'owner@example.org');
    guest = await signUp(relay.origin, 'guest@example.org');
    stranger = await signUp(relay.origin, 'stranger@example.org');
    room = await openRoom(relay.origin, owner, 'team');
    await openRoom(relay.origin, stranger, 'team');
  });
  afterEach(() => relay.stop());

  /** Asks as somebody, `what` being a method and a path. */
  const ask = (by: Linked, what: string, body?: unknown) => {
    const [method = '', path = ''] = what.split(' ');
    return call(relay.origin, { method, path, key: by.key, body });
  };
  async function peopleOf(by: Linked) {
    const { body } = await ask(by, 'GET /rooms');
    return (body['people'] as unknown as RelayPerson[])
      .map(({ email, you, devices }) => ({ email, you, devices: devices.map(({ id }) => id).sort() }))
      .sort((a, b) => String(a.email).localeCompare(String(b.email)));
  }
  async function letIn(): Promise<void> {
    const { body } = await ask(owner, `POST /rooms/${room}/invites`, { role: 'viewer' });
    const secret = new URL(String(body['invite'])).hash.slice(1);
    await ask(guest, `POST /invites/${String(body['id'])}/accept`, { secret, name: 'theirs' });
  }

  test('members are told the devices of each other, removed ones too, and nobody else is', async () => {
    const self = (of: Linked, email: string) => ({ email, you: true, devices: [of.device] });
    expect(await peopleOf(owner)).toEqual([self(owner, 'owner@example.org')]);
    await letIn();
    const phone = await pair(relay.origin, owner);
    await ask(owner, `PATCH /devices/${phone.device}`, { name: 'phone' });
    await ask(owner, `DELETE /devices/${phone.device}`);
    expect(await peopleOf(guest)).toEqual([
      self(guest, 'guest@example.org'),
      { email: 'owner@example.org', you: false, devices: [owner.device, phone.device].sort() },
    ]);
    const { body } = await ask(guest, 'GET /rooms');
    expect(JSON.stringify(body['people'])).toContain('"name":"phone"');
    expect(await peopleOf(owner)).toHaveLength(2);
    expect(await peopleOf(stranger)).toEqual([self(stranger, 'stranger@example.org')]);
    await ask(owner, `DELETE /rooms/${room}/members/${guest.account}`);
    expect(await peopleOf(guest)).toEqual([self(guest, 'guest@example.org')]);
    expect((await peopleOf(owner)).map(({ email }) => email)).toEqual(['owner@example.org']);
  });
});

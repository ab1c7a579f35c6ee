import { call, openRoom, pair, signUp } from '../../../cloud/src/testing/device.ts';

/** What stands in a relay: the key of the first device, others, and what may be asked for. */
export interface RelayFurniture {
  key: string;
  /** Of another account. */
  stranger: string;
  revoked: string;
  known: (name: string, path: string) => readonly string[];
}

/** Makes devices, rooms, invites and a member on a relay. */
export async function furnishRelay(origin: string): Promise<RelayFurniture> {
  const first = await signUp(origin, 'first@example.org');
  const stranger = await signUp(origin, 'stranger@example.org');
  const others = [
    await pair(origin, first),
    await pair(origin, first, 'third'),
    await pair(origin, first, 'fourth'),
  ];
  const gone = await pair(origin, first, 'gone');
  await call(origin, { method: 'DELETE', path: `/devices/${gone.device}`, key: first.key });
  const rooms: string[] = [];
  for (const name of ['one', 'two', 'three']) rooms.push(await openRoom(origin, first, name));
  const foreign = await openRoom(origin, stranger, 'theirs');
  const invites: string[] = [];
  const secrets: string[] = [];
  for (const room of rooms) {
    const { body } = await call(origin, {
      method: 'POST',
      path: `/rooms/${room}/invites`,
      key: first.key,
      body: { role: 'editor', uses: 50 },
    });
    invites.push(String(body['id']));
    secrets.push(new URL(String(body['invite'])).hash.slice(1));
  }
  const asked = await call(origin, {
    method: 'POST',
    path: '/link',
    body: { email: 'first@example.org', name: 'fifth' },
  });
  const { body: code } = await call(origin, { method: 'POST', path: '/pair', key: first.key });
  const names: Readonly<Record<string, readonly string[]>> = {
    invite: invites,
    secret: [...secrets, String(asked.body['secret'])],
    code: [String(code['code'])],
    member: [stranger.account, first.account],
    request: [String(asked.body['request'])],
    email: ['first@example.org', 'fuzz@example.org'],
  };
  return {
    key: first.key,
    stranger: stranger.key,
    revoked: gone.key,
    known: (name, path) =>
      name !== 'id'
        ? (names[name] ?? [])
        : path.startsWith('/rooms')
          ? [...rooms, foreign]
          : path.includes('requests')
            ? [String(asked.body['request'])]
            : others.map(({ device }) => device),
  };
}

import { startPostgres } from '../../../cloud/src/testing/postgres.ts';
import { connect, openRoom, readAll, signUp, updateEntry } from '../../../cloud/src/testing/device.ts';
import { fuzzRelay } from '../fuzz/fuzz.ts';
import { eventually, newAddress } from '../grounds.ts';
import { send } from '../sending.ts';
import { oddFrames, sendFrames } from './frames.ts';
import { during, isWell, jsonBy, shoot, type Shot, type Surface } from './surface.ts';

const NAMES = [
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\u202e',
  "'; DROP TABLE accounts; --",
  'x'.repeat(300),
  '\u001b[31m',
  '\ufeff',
  ' ',
  '💣'.repeat(60),
  '%00',
  '\\u0000',
];
const ENTRIES = 200;

/** The relay on Postgres: its routes as on SQLite, names with NUL, garbage frames, and Postgres away and killed. */
export const postgres: Surface = {
  name: 'relay on Postgres',
  async run({ section, grounds, random, seed, times }) {
    const server = await startPostgres().catch((cause: unknown) => {
      section.skipped(`Postgres does not start here: ${String(cause).slice(0, 100)}`);
      return undefined;
    });
    if (!server) return;
    try {
      const env = { RELAY_DATABASE_URL: await server.database() };
      await fuzzRelay(
        section,
        { seed, times, progress: () => undefined },
        { RELAY_DATABASE_URL: await server.database() },
      );
      const relay = await grounds.relay('relay', env);
      const ada = await signUp(relay.origin, 'ada@example.org');
      const room = await openRoom(relay.origin, ada, 'one');
      const post = (path: string, body: object, key: string | undefined = ada.key): Shot['sent'] => ({
        method: 'POST',
        path: `/v1${path}`,
        body: JSON.stringify(body),
        headers: jsonBy(key, { 'X-Forwarded-For': newAddress() }),
      });
      const get = (path: string) => ({
        method: 'GET',
        path,
        headers: { Authorization: `Bearer ${ada.key}`, 'X-Forwarded-For': newAddress() },
      });
      await shoot(section, relay, {
        shots: NAMES.flatMap((name, n) =>
          [
            ...[
              post('/link', { email: `n${n}@example.org`, name }, ''),
              post('/link', { email: `${name}@example.org`, name: 'x' }, ''),
              post('/rooms', { name }),
            ],
            ...[
              post(`/rooms/${encodeURIComponent(name.toWellFormed())}/invites`, { role: 'editor' }),
              post(`/invites/${encodeURIComponent(name.toWellFormed())}/accept`, { secret: name, name }),
            ],
            ...[
              post('/pair/claim', { code: name, name }),
              { ...post(`/devices/${ada.device}`, { name }), method: 'PATCH' },
            ],
            ...[
              `/join/${encodeURIComponent(name.toWellFormed())}`,
              `/v1/auth/confirm?token=${encodeURIComponent(name.toWellFormed())}`,
              `/v1/rooms/${encodeURIComponent(name.toWellFormed())}/members`,
              `/v1/link/${encodeURIComponent(name.toWellFormed())}`,
            ].map(get),
          ].map((sent) => ({
            what: `${sent.method} ${sent.path.slice(0, 40)} with ${JSON.stringify(name).slice(0, 20)}`,
            sent,
          })),
        ),
      });

      const kept = await connect(relay.origin, ada);
      await kept.next('welcome');
      const append = async (from: number, count: number) => {
        const entries = Array.from({ length: count }, (_, n) => updateEntry(from + n));
        kept.send({ type: 'append', room, epoch: 0, incarnation: 'inc', entries });
        await kept.next('ack');
      };
      await append(1, ENTRIES);
      const bearer = { Authorization: `Bearer ${ada.key}` };
      const doors = [
        ['/v1/sync', bearer],
        [`/y/${room}`, { 'Sec-WebSocket-Protocol': `reverie.v1, bearer.${ada.key}` }],
      ] as const;
      for (const [door, headers] of doors)
        for (const { what, bytes } of oddFrames(Buffer.from([0, 2, 2, 0, 0]), random))
          await during({ section, target: relay }, `${door.slice(0, 8)}: ${what}`, async () => {
            const { status } = await sendFrames(relay.origin, { path: door, headers, bytes });
            section.did('sockets');
            section.answered(status);
          });
      await append(ENTRIES + 1, ENTRIES);
      kept.close();

      await server.stop('immediate');
      for (const path of ['/healthz', '/readyz'])
        await during({ section, target: relay }, `${path} while Postgres is away`, async () => {
          const { status, text } = await send(relay.origin, get(path), { pid: relay.pid });
          section.did('requests');
          section.answered(status);
          if (status !== 503)
            section.found(
              status >= 500 ? 'failed' : 'wrong',
              `${path} while Postgres is away answered ${status} ${text.slice(0, 100)}`,
            );
        });
      for (const sent of [
        get('/v1/rooms'),
        post('/link', { email: 'later@example.org', name: 'x' }, ''),
        post('/rooms', { name: 'away' }),
      ]) {
        const { status, text } = await send(relay.origin, sent, { pid: relay.pid });
        section.did('requests');
        section.answered(status);
        if (status !== 503)
          section.found(
            status >= 500 ? 'failed' : 'wrong',
            `${sent.method} ${sent.path} while Postgres is away answered ${status} ${text.slice(0, 100)}`,
          );
      }
      await server.start();
      const back = await eventually(
        async () => ((await send(relay.origin, get('/healthz'))).status === 200 ? true : undefined),
        { withinMs: 30_000, everyMs: 100 },
      );
      if (!back) section.found('wrong', 'behind Postgres the relay does not come back within 30 s');
      const reader = await connect(relay.origin, ada);
      await reader.next('welcome');
      const entries = await Promise.race([
        readAll(reader, room, 2 * ENTRIES),
        new Promise<never[]>((resolve) => setTimeout(() => resolve([]), 20_000).unref()),
      ]);
      section.did('acknowledged writes', 2 * ENTRIES);
      const there = new Set(entries.map(({ seq }) => seq)).size;
      if (there < 2 * ENTRIES)
        section.found(
          'lost',
          `${2 * ENTRIES} entries were acknowledged, ${there} are there after Postgres crashed`,
        );
      reader.close();
      await isWell(section, relay);
      await relay.kill('SIGTERM');
    } finally {
      await grounds.stop();
      await server.remove();
    }
  },
};

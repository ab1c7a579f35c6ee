import { createKey } from '@reverie/shared/contract/accounts/keys';
import * as sessions from '@reverie/shared/contract/sessions/sessions';
import { signUpBot, unbound } from '../fuzz/furnish.ts';
import { startProbe } from '../hostile/probe.ts';
import { secretWord } from '../planted.ts';
import { during, isWell, shoot, type Shot, type Surface, startLoaded } from './surface.ts';

/** Entries for each of `times`: 20,000 in a whole run. */
const ENTRIES = 200;
const A_TIME = 500;
const TEXT =
  'we decided to keep the old parser because the new one failed on every second file. next we still have to look at the release notes. '.repeat(
    10,
  );
const HOSTILE = [
  'a:',
  '~~a',
  '|a|',
  'a-',
  '- a\n',
  'a b c ',
  '"a" ',
  '漢。',
  '1. ',
  '<b>',
  '```\n',
  '[x](y) ',
  'a@b.c ',
  'AKIA',
];

/** Sessions of many entries and of hostile ones: hand-over, search, pages and exports while others are served, and keys that have no business there. */
export const longSessions: Surface = {
  name: 'long sessions',
  async run(scene) {
    const { section, random, times } = scene;
    const daemon = await startLoaded(scene, 'sessions');
    const word = secretWord(random);
    const secrets = new Set([word]);
    const { id } = await daemon.call(sessions.createSession, {
      body: { agent: 'x', namespace: 'private', title: 'long' },
    });
    const count = Math.max(A_TIME, ENTRIES * times);
    const probe = startProbe(section, daemon, { method: 'GET', path: '/healthz', headers: {} });
    await during({ section, target: daemon }, `${count} entries are written`, async () => {
      for (let done = 0; done < count; done += A_TIME)
        await daemon.call(sessions.addEntries, {
          params: { id },
          body: {
            entries: Array.from({ length: A_TIME }, (_, n) => ({
              kind: n % 2 === 0 ? ('prompt' as const) : ('answer' as const),
              text: `${done + n} ${done === 0 && n === 0 ? word : ''} ${TEXT}`,
            })),
          },
        });
    });
    section.did('acknowledged writes', count);
    const now = await daemon.call(sessions.getSession, { params: { id } });
    if (now.entries !== count)
      section.found('lost', `${count} entries were acknowledged, ${now.entries} are there`);

    const hostile: string[] = [];
    for (const text of HOSTILE) {
      const made = await daemon.call(sessions.createSession, { body: { agent: 'x', namespace: 'private' } });
      hostile.push(made.id);
      await during(
        { section, target: daemon },
        `12 entries of 64 kB of ${JSON.stringify(text)}`,
        async () => {
          const entry = { kind: 'answer' as const, text: text.repeat(64_000 / text.length) };
          await daemon.call(sessions.addEntries, {
            params: { id: made.id },
            body: { entries: Array.from({ length: 12 }, () => entry) },
          });
        },
      );
    }
    const get = (at: string, key: string, more: Partial<Shot> = {}): Shot => ({
      what: `GET ${at.replace(/cs_\w+/, '{id}').slice(0, 70)}`,
      sent: { method: 'GET', path: `/v1/coding-sessions${at}`, headers: { Authorization: `Bearer ${key}` } },
      expected: [200],
      mayRead: true,
      ...more,
    });
    const owner = daemon.ownerKey;
    const queries = [
      ...HOSTILE.map((text) => text.repeat(900 / text.length)),
      'parser release',
      'the',
      'we decided to keep',
      '"old parser because"',
      '*',
      'a_'.repeat(450),
    ];
    // A hand-over or an export of so many takes its time, and may: nobody waits for it but who asked.
    await shoot(section, daemon, {
      mayTakeMs: 30_000,
      shots: [
        ...[
          '/handover',
          '/handover?max_tokens=32000',
          '/export',
          '/export?format=html',
          '/preview?limit=200',
          '/entries?limit=500&text=whole',
          '/entries?limit=500&failed=true',
          '/entries?kinds=note',
        ].map((way) => get(`/${id}${way}`, owner)),
        ...hostile.flatMap((one) =>
          ['/handover', '/export', '/export?format=html', '/preview'].map((way) =>
            get(`/${one}${way}`, owner),
          ),
        ),
        ...queries.flatMap((q) => [
          get(`/search?q=${encodeURIComponent(q)}`, owner),
          get(`/search?session=${id}&limit=100&q=${encodeURIComponent(q)}`, owner),
          get(`?q=${encodeURIComponent(q)}`, owner),
        ]),
      ],
    });
    const bot = await unbound(daemon, await signUpBot(daemon, 'sessions@example.org'));
    const narrow = await daemon.call(createKey, {
      body: { name: 'narrow', scope: 'write', namespaces: ['project/narrow'] },
    });
    const ways = ['', '/handover', '/export', '/preview', '/entries', '/stream', '/share'];
    const strangers = [
      ['a bot', bot.key],
      ['a narrower key', narrow.key],
    ] as const;
    await shoot(section, daemon, {
      secrets,
      shots: strangers.flatMap(([who, key]) => [
        ...ways.map((way) =>
          get(`/${id}${way}`, key, { what: `GET ${way} by ${who}`, expected: [403, 404], mayRead: false }),
        ),
        ...['parser', word].map((q) =>
          get(`/search?q=${q}&namespace=*`, key, {
            what: `search by ${who}`,
            expected: [200, 403, 404],
            mayRead: false,
          }),
        ),
        get('?namespace=*', key, { what: `list by ${who}`, expected: [200, 403, 404], mayRead: false }),
      ]),
    });
    section.figure('longest wait of others', `${Math.round(await probe.stop())} ms`);
    await isWell(section, daemon);
  },
};

import { signUpBot } from '../fuzz/furnish.ts';
import { setMemory } from '@reverie/shared/contract/memories/memories';
import { send } from '../sending.ts';
import { startProbe } from './probe.ts';
import type { Row } from './row.ts';

const MEMORIES = 9;
const VALUE = 'a_'.repeat(500_000);
const QUERIES = [
  'a_'.repeat(4000),
  '"a a" '.repeat(1300),
  'a-'.repeat(4000),
  'a.a/'.repeat(2000),
  'é'.repeat(4000),
];

/** A query in one compound word over values of the same blocks nobody else. */
export const compoundWord: Row = {
  name: 'row 7: a query in one compound word',
  async run({ section, grounds }) {
    const daemon = await grounds.daemon('compound');
    const bot = await signUpBot(daemon, 'compound@example.org');
    for (let n = 0; n < MEMORIES; n += 1)
      await daemon.as(bot.key)(setMemory, { body: { key: `${n}`, value: VALUE } });
    const headers = { Authorization: `Bearer ${bot.key}`, 'Content-Type': 'application/json' };
    // What is indexed behind a write is waited for by its account's next search: the queries are timed after that.
    const first = { method: 'POST', path: '/v1/memory-search', headers, body: '{"query": "nothing"}' };
    const own = await send(daemon.origin, first, { pid: daemon.pid });
    section.figure('first search after its own 9 MB', `${Math.round(own.ms)} ms`);
    const probe = startProbe(section, daemon, {
      method: 'POST',
      path: '/v1/memory-list',
      body: '{}',
      headers: { Authorization: `Bearer ${daemon.ownerKey}`, 'Content-Type': 'application/json' },
    });
    for (const query of QUERIES)
      for (const [path, body] of [
        ['/v1/memory-search', { query }],
        ['/v1/memory/ask', { question: query }],
      ] as const) {
        const sent = {
          method: 'POST',
          path,
          headers,
          body: JSON.stringify(body),
        };
        const { status, ms } = await send(daemon.origin, sent, { pid: daemon.pid });
        section.did('queries');
        const what = `${path} with ${JSON.stringify(query.slice(0, 8))}… of ${query.length} characters`;
        if (ms > 1000) section.found('hung', `${what} took ${(ms / 1000).toFixed(1)} s`);
        if (status >= 500) section.found('failed', `${what} answered ${status}`);
      }
    section.figure('longest wait of the owner', `${Math.round(await probe.stop())} ms`);
  },
};

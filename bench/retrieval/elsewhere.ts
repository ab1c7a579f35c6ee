/**
 * How often a search in one namespace says rightly, and how often wrongly, that another one answers clearly better, and what the look takes:
 *
 *   node bench/retrieval/elsewhere.ts [--half tune|report]
 *
 * The own set's memories stand in one namespace, those of bench/calibration in 42 others. Its questions are asked where their memories are
 * (naming another namespace is a false alarm), and in another namespace (where theirs has to be named first).
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { importMemories } from '@reverie/shared/contract/memories/portable';
import { z } from 'zod';
import { findMachineAccount } from '../../daemon/src/features/accounts/accounts.store.ts';
import { elsewhere } from '../../daemon/src/features/search/everywhere/elsewhere.ts';
import { createFrequencies } from '../../daemon/src/features/search/ranking/frequencies.ts';
import { createMeanings } from '../../daemon/src/features/search/query/meanings.ts';
import type { PiecewiseDeps } from '../../daemon/src/features/search/query/query.ts';
import { search } from '../../daemon/src/features/search/search.service.ts';
import { createSegments } from '../../daemon/src/features/search/vectors/segments.ts';
import { createSpelling } from '../../daemon/src/features/search/spelling/spelling.ts';
import type { Store } from '../../daemon/src/db/open-store.ts';
import { openStore } from '../../daemon/src/db/open-store.ts';
import { loadMigrations } from '../../daemon/src/db/migrations.ts';
import { loadStaticTable } from '../../daemon/src/models/static-table.ts';
import { startTestDaemon } from '../../daemon/src/testing.ts';
import { readJsonl } from './sets/jsonl.ts';
import { ownMemories, ownSet } from './sets/own-set.ts';

const { values: options } = parseArgs({ options: { half: { type: 'string', default: 'tune' } } });

const FOLDER = join(import.meta.dirname, '../calibration');
const haystack = readJsonl(join(FOLDER, 'haystack.jsonl'), z.object({ m: z.string() })).map(({ m }) => m);
const pairs = readJsonl(join(FOLDER, 'pairs.jsonl'), z.object({ m: z.string() })).map(({ m }) => m);
const team = readJsonl(join(FOLDER, 'near-misses-2-memories.jsonl'), z.object({ value: z.string() })).map(
  ({ value }) => value,
);

const items = [
  ...ownMemories().map((memory) => ({ ...memory, namespace: 'own' })),
  ...pairs.map((value, at) => ({ namespace: 'pairs', key: String(at), value })),
  ...team.map((value, at) => ({ namespace: 'team', key: String(at), value })),
  ...haystack.map((value, at) => ({ namespace: `haystack ${at % 40}`, key: String(at), value })),
];
const questions = [...ownSet().batches]
  .flatMap((batch) => batch.questions)
  .filter(({ half }) => half === options.half);

/** Milliseconds that this process has computed: what else runs on the machine is not measured. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

const daemon = await startTestDaemon();
let store: Store | undefined;
try {
  for (let from = 0; from < items.length; from += 500)
    await daemon.call(importMemories, { body: { items: items.slice(from, from + 500) } });
  store = openStore({ file: daemon.home.database, migrations: loadMigrations() });
  const account = store.read(findMachineAccount)?.id;
  if (account === undefined) throw new Error('The store has no account');
  const embedder = loadStaticTable();
  const deps: PiecewiseDeps = {
    store,
    embedder,
    segments: createSegments(embedder),
    frequencies: createFrequencies(),
    meanings: createMeanings(() => embedder),
    spelling: createSpelling((word) => embedder.words.row(word) >= 0),
    yieldToOthers: () => Promise.resolve(),
  };

  const asked: { where: string; answered: boolean; named: string | undefined }[] = [];
  const times = new Map<string, { search: number; look: number }[]>();
  // Asked twice where they belong: the first time loads what later ones find loaded.
  for (const where of ['own', 'pairs', 'own'])
    for (const { text: query, unanswerable } of questions) {
      const scope = { account, namespace: where, query };
      const from = cpuMs();
      const { found } = await search(deps, { ...scope, limit: 10, threshold: 0 });
      const here = found[0]?.score ?? 0;
      const searched = cpuMs();
      const [named] = await elsewhere(deps, { ...scope, here });
      const to = cpuMs();
      times.set(where, [...(times.get(where) ?? []), { search: searched - from, look: to - searched }]);
      asked.push({ where, answered: unanswerable !== true, named: named?.namespace });
    }

  const share = (where: string, answered: boolean, isIt: (named: string | undefined) => boolean) => {
    const some = asked.filter((one) => one.where === where && one.answered === answered);
    const percent = (100 * some.filter(({ named }) => isIt(named)).length) / Math.max(1, some.length);
    return `${percent.toFixed(1)} % of ${some.length}`;
  };
  const quantile = (of: readonly number[], at: number) =>
    ([...of].sort((a, b) => a - b)[Math.floor(at * of.length)] ?? 0).toFixed(2);
  const own = (times.get('own') ?? []).slice(questions.length);
  const quantiles = (name: string, of: readonly number[]) =>
    `${name}: median ${quantile(of, 0.5)}, p95 ${quantile(of, 0.95)} ms of computing`;
  process.stdout.write(
    [
      `half ${options.half}`,
      `named wrongly, answered here: ${share('own', true, (named) => named !== undefined)}`,
      `named wrongly, answered nowhere: ${share('own', false, (named) => named !== undefined)}`,
      `named rightly, asked in another namespace: ${share('pairs', true, (named) => named === 'own')}`,
      quantiles(
        'search',
        own.map((one) => one.search),
      ),
      quantiles(
        'search and look',
        own.map((one) => one.search + one.look),
      ),
      '',
    ].join('\n'),
  );
} finally {
  store?.close();
  await daemon.stop();
}

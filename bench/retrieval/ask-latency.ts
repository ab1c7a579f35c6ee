/**
 * How long an answer without a model takes among many memories:
 *
 *   node bench/retrieval/ask-latency.ts [--memories 10000]
 *
 * The memories are those of the own set and synthetic ones; the questions are the tune half's. The daemon runs in this process, so that
 * besides the time on the clock the processor's is known, which says the same on a busy machine.
 */
import { parseArgs } from 'node:util';

import { askMemory } from '@reverie/shared/contract/search/ask';
import { searchMemories } from '@reverie/shared/contract/search/search';

import { startTestDaemon } from '../../daemon/src/testing.ts';
import { syntheticCorpus } from '../latency/corpus.ts';
import { quantile } from '../latency/statistics.ts';
import { fillDaemon } from './endpoints.ts';
import { ownSet } from './sets/own-set.ts';

const { values: options } = parseArgs({ options: { memories: { type: 'string', default: '10000' } } });
const [own] = [...ownSet().batches];
if (!own) throw new Error('The own set is empty');
const { namespace, items, questions } = own;
const more = syntheticCorpus(Math.max(0, Number(options.memories) - items.length), 1).items.map(
  ({ key, value }) => ({ key: `synthetic/${key}`, value, metadata: {} }),
);
const daemon = await startTestDaemon();
try {
  await fillDaemon({ client: daemon.call }, { namespace, items: [...items, ...more], questions: [] });
  const asked = questions.filter(({ half }) => half === 'tune').map(({ text }) => text);
  const ask = (question: string) => daemon.call(askMemory, { body: { question, namespace } });
  const search = (query: string) => daemon.call(searchMemories, { body: { query, namespace } });
  for (const [name, run] of [
    ['search', search],
    ['ask', ask],
  ] as const) {
    for (const text of asked.slice(0, 5)) await run(text);
    const wall: number[] = [];
    const processor: number[] = [];
    for (const text of asked) {
      const [from, before] = [performance.now(), process.cpuUsage()];
      await run(text);
      const { user, system } = process.cpuUsage(before);
      wall.push(performance.now() - from);
      processor.push((user + system) / 1000);
    }
    const shown = (times: readonly number[]) =>
      [0.5, 0.95].map((share) => quantile(times, share).toFixed(1)).join(' / ');
    console.log(
      `${name} among ${items.length + more.length} memories, ${asked.length} questions: ` +
        `p50 / p95 ${shown(wall)} ms, of the processor ${shown(processor)} ms`,
    );
  }
} finally {
  await daemon.stop();
}

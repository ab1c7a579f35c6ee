/**
 * What a score of search means (decisions, section 5): of the pairs of a question and a memory that does not answer it, 95 % below 0.2, and
 * the median of those that do above 0.5. Through the daemon's HTTP API, on the project's own set:
 *
 *   node bench/calibration/scores.ts [--half tune|report|both]
 */
import { parseArgs } from 'node:util';

import { searchMemories } from '@reverie/shared/contract/search/search';

import { startDaemon } from '../retrieval/daemon.ts';
import { fillDaemon } from '../retrieval/endpoints.ts';
import { ownSet } from '../retrieval/sets/own-set.ts';

const { values: options } = parseArgs({ options: { half: { type: 'string', default: 'both' } } });
/** As long a page as search gives. */
const LIMIT = 100;
const LOW = 0.2;

const percent = (share: number) => `${(100 * share).toFixed(2)} %`;

function quantile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(share * values.length)] ?? Number.NaN;
}

const daemon = await startDaemon();
try {
  const relevant: number[] = [];
  let [pairs, high, found, cut] = [0, 0, 0, 0];
  for (const batch of ownSet().batches) {
    await fillDaemon(daemon, batch);
    for (const { text, evidence, half } of batch.questions) {
      if (evidence.length === 0 || (options.half !== 'both' && half !== options.half)) continue;
      const body = { query: text, namespace: batch.namespace, limit: LIMIT };
      const { results } = await daemon.client(searchMemories, { body });
      const scores = new Map(results.map(({ key, score }) => [key, score]));
      // What a full page leaves out is no better than its last.
      if (results.length === LIMIT && (results.at(-1)?.score ?? 0) >= LOW) cut += 1;
      relevant.push(...evidence.map((key) => scores.get(key) ?? 0));
      const others = results.filter(({ key }) => !evidence.includes(key));
      const above = others.filter(({ score }) => score >= LOW).length;
      pairs += batch.items.length - evidence.length;
      found += others.length;
      high += above;
    }
  }
  console.log(`${relevant.length} relevant pairs, ${pairs} irrelevant ones; ${cut} pages end above ${LOW}`);
  console.log(`irrelevant pairs below ${LOW}: ${percent(1 - high / pairs)} of all (wanted: 95 %)`);
  console.log(`  of those that search answers at all: ${percent(1 - high / found)} of ${found}`);
  const quantiles = [0.1, 0.25, 0.5, 0.75].map((share) => quantile(relevant, share).toFixed(2));
  console.log(
    `relevant pairs: median ${quantiles[2]} (wanted: above 0.5); 10, 25, 75 %: ${quantiles[0]}, ${quantiles[1]}, ${quantiles[3]}`,
  );
} finally {
  await daemon.stop();
}

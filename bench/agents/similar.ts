import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { syntheticCorpus } from '../latency/corpus.ts';
import { type Daemon, startDaemon } from '../latency/daemon.ts';
import { spread } from '../latency/statistics.ts';
import { readJsonl } from '../retrieval/sets/jsonl.ts';

/**
 * What a new memory is told to be similar to: how long a set takes with it and without, by turns, and at which line the notes of the sets
 * for dreams that say the same are named as each is written, and others are, too.
 */
const { values: options } = parseArgs({
  options: { memories: { type: 'string', default: '10000' }, sets: { type: 'string', default: '1000' } },
});
const [memories, sets] = [options.memories, options.sets].map(Number) as [number, number];

const SETS = join(import.meta.dirname, '../dreams/sets/open');
const Note = z.object({ key: z.string(), value: z.string() });
const Finding = z.object({ kind: z.string(), evidence: z.array(z.string()) });
const Found = z.object({ results: z.array(z.object({ key: z.string(), score: z.number() })) });

const folder = mkdtempSync(join(tmpdir(), 'reverie-similar-'));
const daemon = await startDaemon(join(folder, 'home'));
try {
  await timesOf(daemon);
  for (const name of ['development-set', 'planted-set', 'planted-set-2']) await linesOf(daemon, name);
} finally {
  await daemon.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function timesOf(to: Daemon): Promise<void> {
  const { items } = syntheticCorpus(memories + 2 * sets);
  for (let at = 0; at < memories; at += 500)
    await to.call('/memory/store-batch', { items: items.slice(at, Math.min(memories, at + 500)) });
  await to.settled();
  const took = { without: [] as number[], with: [] as number[] };
  for (let at = memories; at < memories + 2 * sets; at += 2)
    for (const [step, name] of (['without', 'with'] as const).entries()) {
      const { clientMs } = await to.call('/memory-set', { ...items[at + step], similar: name === 'with' });
      took[name].push(clientMs);
    }
  console.log(`a set beside ${memories} memories, ms   sets    p50    p95    p99    max`);
  for (const [name, values] of Object.entries(took)) {
    const { count, p50, p95, p99, max } = spread(values);
    const figures = [p50, p95, p99, max].map((value) => value.toFixed(1).padStart(7)).join('');
    console.log(`${`${name} similar`.padEnd(34)}${String(count).padStart(6)}${figures}`);
  }
}

/** Writes the notes of a set one after the other, and looks for each before it is there, as a set does. */
async function linesOf(to: Daemon, name: string): Promise<void> {
  const findings = readJsonl(join(SETS, name, 'findings.jsonl'), Finding);
  const partners = (kinds: readonly string[]) => {
    const all = new Map<string, Set<string>>();
    for (const { evidence } of findings.filter(({ kind }) => kinds.includes(kind)))
      for (const key of evidence)
        all.set(key, new Set([...(all.get(key) ?? []), ...evidence.filter((one) => one !== key)]));
    return all;
  };
  const [same, subject] = [
    partners(['duplicate']),
    partners(['duplicate', 'contradiction', 'recurrence', 'link']),
  ];
  const there = new Set<string>();
  const looked: { key: string; scores: { key: string; score: number }[] }[] = [];
  for (const note of readJsonl(join(SETS, name, 'memories.jsonl'), Note)) {
    const query = note.value.slice(0, 300);
    const { reply } = await to.call('/memory-search', { query, namespace: name, limit: 3, values: false });
    looked.push({ key: note.key, scores: Found.parse(reply).results });
    await to.call('/memory-set', { ...note, namespace: name });
    there.add(note.key);
  }
  const order = new Map([...there].map((key, at) => [key, at]));
  const earlier = (key: string, all: ReturnType<typeof partners>) =>
    [...(all.get(key) ?? [])].filter((other) => (order.get(other) ?? Infinity) < (order.get(key) ?? 0));
  console.log(
    `\n${name}: ${looked.length} notes; line   duplicates named   notes with anything named   of the named: a partner`,
  );
  for (const line of [0.3, 0.5, 0.7, 0.85, 0.95, 0.99]) {
    let [expected, hit, any, named, partner] = [0, 0, 0, 0, 0];
    for (const { key, scores } of looked) {
      const above = scores.filter(({ score }) => score >= line).map((one) => one.key);
      const wanted = earlier(key, same);
      expected += wanted.length > 0 ? 1 : 0;
      hit += wanted.some((one) => above.includes(one)) ? 1 : 0;
      any += above.length > 0 ? 1 : 0;
      named += above.length;
      const related = new Set(earlier(key, subject));
      partner += above.filter((one) => related.has(one)).length;
    }
    console.log(
      `${line.toFixed(2)}   ${hit} of ${expected}   ${((100 * any) / looked.length).toFixed(1)} %   ${partner} of ${named}`,
    );
  }
}

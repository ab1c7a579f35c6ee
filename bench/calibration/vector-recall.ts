/**
 * Recall and speed of the vector index, which holds int8, against the vectors as they were, on real text of this machine:
 *
 *   node bench/calibration/vector-recall.ts [VECTORS] [FOLDER_OF_JSONL]
 *
 * Sentences and short paragraphs of /usr/share/doc (gzipped files too), of Markdown below node_modules and, where given, of the
 * strings in JSON Lines files are encoded by the static table; 500 others, and words out of them, are the queries.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

import { VectorIndex } from '../../daemon/src/features/search/vectors/vectors.ts';
import { quantise } from '../../daemon/src/models/embedder.ts';
import { loadStaticTable } from '../../daemon/src/models/static-table.ts';

const wanted = Number(process.argv[2] ?? 100_000);
const table = loadStaticTable();

function* files(folder: string, wantedName: RegExp): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* files(path, wantedName);
    else if (entry.isFile() && wantedName.test(entry.name)) yield path;
  }
}

function textOf(path: string): string {
  const bytes = readFileSync(path);
  return (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
}

function* passages(): Generator<string> {
  const jsonl = process.argv[3];
  if (jsonl !== undefined) {
    for (const path of files(jsonl, /\.jsonl$/)) {
      for (const line of textOf(path).split('\n'))
        for (const [, text] of line.matchAll(/"((?:[^"\\]|\\.){4,})"/g)) yield text ?? '';
    }
  }
  const sources = [
    files('/usr/share/doc', /(?<!\.png)$/),
    files(join(import.meta.dirname, '../../node_modules'), /\.md$/),
  ];
  for (const paths of sources) {
    for (const path of paths) yield* textOf(path).split(/\n\s*\n|(?<=[.!?])\s+(?=[A-Z])/);
  }
}

/** Deterministic (mulberry32), so that every run sees the same queries. */
let state = 12;
function random(): number {
  state = (state + 0x6d2b79f5) | 0;
  let t = Math.imul(state ^ (state >>> 15), 1 | state);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
}

const unique = new Set<string>();
for (const passage of passages()) {
  const text = passage.replace(/\s+/g, ' ').trim().slice(0, 1_000);
  if (text.split(' ').length >= 2 && table.encode(text).some((x) => x !== 0)) unique.add(text);
}
const texts = [...unique];
for (let i = texts.length - 1; i > 0; i--) {
  const j = Math.floor(random() * (i + 1));
  [texts[i], texts[j]] = [texts[j] ?? '', texts[i] ?? ''];
}
const held = texts.slice(0, 250);
const queries = held.flatMap((text) => {
  const words = text.split(' ').filter((word) => word.length > 3);
  const some = Array.from({ length: 3 }, () => words[Math.floor(random() * words.length)] ?? '').join(' ');
  return [text, some];
});
const index = new VectorIndex(table.dimensions);
const stored = texts.slice(held.length, held.length + wanted);
const vectors = new Float32Array(stored.length * table.dimensions);
for (const [id, text] of stored.entries()) {
  const vector = table.encode(text);
  vectors.set(vector, id * table.dimensions);
  const { data, scale } = quantise(vector);
  index.add({ id, memoryId: id }, data, scale);
}
function cosine(query: Float32Array, id: number): number {
  let sum = 0;
  for (const [i, x] of query.entries()) sum += x * (vectors[id * query.length + i] ?? 0);
  return sum;
}
console.log(
  `${texts.length} distinct passages, ${index.size} in the index, ${(index.bytes / 2 ** 20).toFixed(1)} MiB`,
);

const encoded = queries.map((text) => table.encode(text)).filter((vector) => vector.some((x) => x !== 0));
for (let warm = 0; warm < 50; warm++)
  index.search(encoded[warm % encoded.length] ?? new Float32Array(128), 50);
const times: number[] = [];
const recall = { 10: 0, 50: 0, 200: 0 };
for (const query of encoded) {
  const before = performance.now();
  const hits = index.search(query, 200);
  times.push(performance.now() - before);
  const exact = stored.map((_, id) => ({ id, cosine: cosine(query, id) }));
  exact.sort((a, b) => b.cosine - a.cosine || a.id - b.id);
  const found = new Set(hits.map((hit) => hit.id));
  for (const k of [10, 50, 200] as const)
    recall[k] += exact.slice(0, k).filter((hit) => found.has(hit.id)).length / k;
}
times.sort((a, b) => a - b);
const quantile = (share: number): string => (times[Math.floor(share * (times.length - 1))] ?? 0).toFixed(2);
for (const k of [10, 50, 200] as const)
  console.log(`recall@${k} ${(recall[k] / encoded.length).toFixed(4)} of ${encoded.length} queries`);
console.log(`k = 200: p50 ${quantile(0.5)} ms, p95 ${quantile(0.95)} ms, max ${quantile(1)} ms`);

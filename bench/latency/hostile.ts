/**
 * How long queries that are made to be slow hold a daemon's thread, in namespaces that are made for them, beside an ordinary query:
 *
 *   node bench/latency/hostile.ts [--size 100000] [--only TEXT] [--home FOLDER]
 *
 * `--size` is how many synthetic memories stand in `default`; 0 leaves them out. CPU is that of the daemon's main thread.
 * `waited` is the longest that another request waited meanwhile; `turn` the longest turn of the main thread's loop, on the clock and of
 * the processor. On a busy machine the clock counts what others do, too: there the last one says how long a query holds the thread.
 */
import fs from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { z } from 'zod';
import { randomFrom, syntheticCorpus } from './corpus.ts';
import { type Answer, startDaemon } from './daemon.ts';

const { values: options } = parseArgs({
  options: {
    size: { type: 'string', default: '100000' },
    only: { type: 'string' },
    home: { type: 'string', default: os.tmpdir() },
  },
});
const size = Number(options.size);
const QUERY = 8192;
const MemoryList = z.object({ memories: z.array(z.object({ created_at: z.string() })) });
const VALUE = 1_000_000;

const random = randomFrom(1);
const pick = (from: number, count: number) => String.fromCodePoint(from + Math.floor(random() * count));
const fill = (bytes: number, next: () => string): string => {
  let text = '';
  let length = 0;
  for (;;) {
    const piece = next();
    length += Buffer.byteLength(piece);
    if (length > bytes) return text;
    text += piece;
  }
};
const letters = (count: number) => Array.from({ length: count }, () => pick(97, 26)).join('');

/** Nine values of 1 MB, and queries of 8 kB that are slow in them. */
const shapes: Record<string, { value: () => string; queries: Record<string, string> }> = {
  compound: {
    value: () => fill(VALUE, () => 'a_'),
    queries: {
      'one compound word': fill(QUERY, () => 'a_'),
      'sixteen at a time': fill(QUERY, () => `${'a_'.repeat(15)}a `),
      'in quotation marks': `"${fill(QUERY - 2, () => 'a ')}"`,
      'one letter': fill(QUERY, () => 'a '),
      'many phrases': fill(QUERY, () => `"${Array.from({ length: 6 }, () => 'a').join(' ')}" `),
    },
  },
  'two words': {
    value: () => fill(VALUE, () => (random() < 0.5 ? 'ab ' : 'cd ')),
    queries: {
      'one compound word': fill(QUERY, () => (random() < 0.5 ? 'ab_' : 'cd_')),
      'distinct phrases': fill(
        QUERY,
        () => `"${Array.from({ length: 14 }, () => (random() < 0.5 ? 'ab' : 'cd')).join(' ')}" `,
      ),
      'compounds of eight': fill(
        QUERY,
        () => `${Array.from({ length: 8 }, () => (random() < 0.5 ? 'ab' : 'cd')).join('_')} `,
      ),
    },
  },
  'distinct words': {
    value: () => fill(VALUE, () => `${letters(3)} `),
    queries: {
      'distinct words': fill(QUERY, () => `${letters(3)} `),
      'operators and quotes': fill(QUERY, () => `"${letters(3)} NEAR(${letters(2)}*^" AND NOT OR `),
      'camel case': fill(QUERY, () => `${letters(2)}X${letters(2)}Y${letters(2)} `),
    },
  },
  'one word': {
    value: () => fill(VALUE, () => 'deploy '),
    queries: { 'one word': fill(QUERY, () => 'deploy ') },
  },
  'a script without blanks': {
    value: () => fill(VALUE, () => pick(0x4e00, 400)),
    queries: {
      'its grams': fill(QUERY, () => pick(0x4e00, 400)),
      'two characters': fill(QUERY, () => pick(0x4e00, 2)),
    },
  },
  'a script of letters without blanks': {
    value: () => fill(VALUE, () => pick(0x0e01, 40)),
    queries: { 'its grams': fill(QUERY, () => pick(0x0e01, 40)) },
  },
};

const timesOf = async (path: string, body: object) => {
  const waited = new Promise<number>((resolve) => waiting.once('message', resolve));
  waiting.postMessage('begin');
  const answers: Answer[] = [];
  const turn = await daemon.heldBy(async () => void answers.push(await daemon.call(path, body)));
  waiting.postMessage('end');
  const held = await waited;
  const [{ serverMs, cpuMs, reply }] = answers as [Answer];
  const cut = (reply as { cut?: unknown }).cut;
  return { serverMs, cpuMs, held, turn, cut: cut === undefined ? '' : JSON.stringify(cut) };
};

const folder = fs.mkdtempSync(join(options.home, 'reverie-hostile-'));
const daemon = await startDaemon(join(folder, 'home'), { countsTurns: true });
// In a thread of its own: this one reads replies of megabytes, and would wait for itself.
const waiting = new Worker(new URL('./waiting.ts', import.meta.url), {
  workerData: { origin: daemon.origin },
});
try {
  const rows: string[][] = [];
  const measure = async (
    {
      namespace,
      what,
      search = {},
      ask = {},
    }: { namespace: string; what: string; search?: object; ask?: object },
    text: string,
  ) => {
    const queries = Array.from({ length: 7 }, (_, n) => `${n} ${text}`.slice(0, QUERY));
    for (const [path, body] of [
      ['/memory-search', { query: text, namespace, limit: 10, explain: true, ...search }],
      [
        '/memory-search/eight wordings',
        { query: text, queries, namespace, limit: 10, explain: true, ...search },
      ],
      ['/memory/ask', { question: text, namespace, explain: true, ...ask }],
    ] as const) {
      const asked = path.replace('/eight wordings', '');
      const both = [await timesOf(asked, body), await timesOf(asked, body)] as const;
      const [, second] = both;
      const ms = [
        ...both.map(({ cpuMs }) => cpuMs),
        ...both.map(({ serverMs }) => serverMs),
        ...both.map(({ held }) => held),
        ...both.map(({ turn }) => turn.wallMs),
        ...both.map(({ turn }) => turn.cpuMs),
      ].map((one) => one.toFixed(0));
      rows.push([namespace, what, path.replace(/^.*[-/]/, ''), ...ms, second.cut]);
      process.stderr.write(`${rows.at(-1)?.join(' | ')}\n`);
    }
  };
  for (const [name, { value, queries }] of Object.entries(shapes)) {
    if (options.only !== undefined && !name.includes(options.only)) continue;
    for (let n = 0; n < 9; n += 1)
      await daemon.call('/memory-set', { key: `${n}`, value: value(), namespace: name });
    await daemon.settled();
    for (const [what, text] of Object.entries(queries)) await measure({ namespace: name, what }, text);
    await measure({ namespace: name, what: 'a short question' }, 'When do we deploy the new version?');
  }
  if (size > 0 && 'default'.includes(options.only ?? '')) {
    const { items, queries } = syntheticCorpus(size, 1);
    for (let from = 0; from < items.length; from += 1000)
      await daemon.call('/memory/store-batch', { items: items.slice(from, from + 1000) });
    await daemon.settled();
    const words = items.flatMap(({ value }) => value.split(/\s+/));
    const frequent = [...new Set(words.slice(0, 5000))];
    let next = 0;
    const inDefault = (what: string, more: object = {}) => ({ namespace: 'default', what, ...more });
    const frequentWords = fill(QUERY, () => `${frequent[next++ % frequent.length] ?? ''} `);
    const pasted = words.slice(0, 1500).join(' ').slice(0, QUERY);
    const question = 'What did people say about the first time?';
    await measure(inDefault('ordinary'), queries[0]?.text ?? 'ordinary');
    await measure(inDefault('ordinary'), queries[1]?.text ?? 'ordinary');
    await measure(inDefault('a question'), question);
    await measure(inDefault('frequent words'), frequentWords);
    await measure(inDefault('a memory, pasted'), pasted);
    await measure(
      inDefault('pairs of frequent words'),
      fill(QUERY, () => `${frequent[next++ % 100] ?? ''}_${frequent[(next * 7) % 100] ?? ''} `),
    );
    await measure(inDefault('stop words alone'), 'the i of to a');
    await measure(
      inDefault('days, and a memory'),
      `yesterday, last month, a year ago ${pasted.slice(0, 8000)}`,
    );
    // Among all but a few, and among some hundreds: what is asked as of a time, by class, by tag, and for a page of 200.
    const last = (await daemon.call('/memory-list', { limit: 1, offset: items.length - 100 })).reply;
    const asOf = MemoryList.parse(last).memories[0]?.created_at;
    const notes = { search: { class: 'note' }, ask: { as_of: asOf } };
    await measure(inDefault('ordinary, among 95,000', notes), question);
    await measure(inDefault('pasted, among 95,000', notes), pasted);
    const tag = items.flatMap(({ metadata }) => (metadata['tags'] as string[] | undefined) ?? [])[0];
    await measure(inDefault('frequent words, by tag', { search: { tags: [tag] } }), frequentWords);
    await measure(inDefault('pasted, a page of 200', { search: { limit: 200 } }), pasted);
    await measure(inDefault('signs that no index knows'), '§§§');
  }
  const head = [
    'namespace',
    'query',
    'route',
    'first CPU ms',
    'again',
    'first ms',
    'again',
    'waited first',
    'again',
    'turn first',
    'again',
    'turn CPU first',
    'again',
    'cut',
  ];
  for (const row of [head, head.map(() => '---'), ...rows]) process.stdout.write(`| ${row.join(' | ')} |\n`);
} finally {
  await waiting.terminate();
  await daemon.stop();
  fs.rmSync(folder, { recursive: true, force: true });
}

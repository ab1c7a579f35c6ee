/**
 * How long deleting, and overwriting, a memory of 1 MB holds a daemon's thread: the longest turn of its event loop from the request until no
 * word of it is in the text index any more, in texts of three kinds:
 *
 *   node bench/latency/removal.ts [--home FOLDER] [--times 3]
 */
import fs from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { DatabaseSync } from 'node:sqlite';
import { randomFrom, syntheticCorpus } from './corpus.ts';
import { type Held, startDaemon } from './daemon.ts';

const { values: options } = parseArgs({
  options: { home: { type: 'string', default: os.tmpdir() }, times: { type: 'string', default: '3' } },
});
const VALUE = 1_000_000;
const random = randomFrom(1);
const character = (from: number, count: number) => String.fromCodePoint(from + Math.floor(random() * count));
const fill = (next: () => string): string => {
  let text = '';
  while (text.length < VALUE) text += next();
  return text;
};
/** The first megabyte of a text in UTF-8. */
const cut = (text: string) => Buffer.from(text).subarray(0, VALUE).toString('utf8').replaceAll('\uFFFD', '');

const kinds: Record<string, () => string> = {
  English: () =>
    cut(
      syntheticCorpus(20_000)
        .items.map(({ value }) => value)
        .join('\n'),
    ),
  'words by chance': () => cut(fill(() => `${Array.from({ length: 7 }, () => character(97, 26)).join('')} `)),
  Chinese: () => cut(fill(() => character(0x4e00, 3_000))),
};

const home = fs.mkdtempSync(join(options.home, 'reverie-removal-'));
const daemon = await startDaemon(home, { countsTurns: true });
const database = new DatabaseSync(join(home, 'reverie.db'), { readOnly: true });

/** Chunks whose words are in the text index. */
const indexed = () =>
  Number(database.prepare('SELECT count(*) AS count FROM text_1_content').get()?.['count']);
const until = async (isSo: () => boolean) => {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 20));
};

async function measured(run: () => Promise<{ clientMs: number }>, words: number) {
  let clientMs = 0;
  const from = performance.now();
  const held: Held = await daemon.heldBy(async () => {
    ({ clientMs } = await run());
    await until(() => indexed() <= words);
  });
  return { turn: held.wallMs, cpu: held.cpuMs, answered: clientMs, gone: performance.now() - from };
}

try {
  for (const [name, text] of Object.entries(kinds)) {
    const value = text();
    for (let time = 0; time < Number(options.times); time += 1) {
      for (const kind of ['delete', 'overwrite'] as const) {
        await daemon.call('/memory-set', { key: 'note', value });
        await daemon.settled();
        const row = await measured(
          () =>
            kind === 'delete'
              ? daemon.call('/memory-delete', { key: 'note' })
              : daemon.call('/memory-set', { key: 'note', value: 'short' }),
          kind === 'delete' ? 0 : 1,
        );
        const figures = Object.entries(row).map(([what, ms]) => `${what} ${Math.round(ms)}`);
        process.stdout.write(`${name}, ${kind}: ${figures.join(', ')} ms\n`);
        if (kind === 'overwrite') await daemon.call('/memory-delete', { key: 'note' });
      }
    }
  }
} finally {
  database.close();
  await daemon.stop();
  fs.rmSync(home, { recursive: true, force: true });
}

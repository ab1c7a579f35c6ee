/**
 * What anchors to code cost where memories are told: a prompt's hook, a start's hook, search and get, on two projects with the same 200
 * memories and the same repository of 200 files, of which one's memories are anchored to its lines. Calls of both alternate. Between rounds a
 * tenth of the files is changed, so that they are read again.
 *
 *   npm run bench:anchors -- [--rounds 40]
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { startDaemon } from '../latency/daemon.ts';
import { quantile } from '../latency/statistics.ts';

const { values: options } = parseArgs({ options: { rounds: { type: 'string', default: '40' } } });
const rounds = Number(options.rounds);
const [FILES, MEMORIES, LINES] = [200, 200, 240];

const folder = mkdtempSync(join(tmpdir(), 'reverie-anchors-'));
const SUBJECTS = [
  'invoice',
  'retry',
  'cache',
  'session',
  'upload',
  'search',
  'ledger',
  'avatar',
  'quota',
  'export',
];
const subjectOf = (at: number) =>
  `${SUBJECTS[at % 10] ?? ''} ${SUBJECTS[Math.floor(at / 10) % 10] ?? ''} ${at}`;

/** Functions of eight lines each, which an edit moves by a line or two; each fourth edit changes all of them. */
function code(at: number, edit: number): string {
  const unit = (n: number) =>
    `export function part${n}(a: number): number {\n  const b = a + ${n + (edit % 4 === 3 ? edit : 0)};\n  if (b > ${n}) {\n    return b * ${at};\n  }\n  log("${at} ${n}");\n  return a;\n}\n`;
  return `${'// moved\n'.repeat(edit % 3)}${Array.from({ length: LINES / 8 }, (_, n) => unit(n)).join('')}`;
}

const projects = ['anchored', 'plain'].map((name) => {
  const root = join(folder, name);
  mkdirSync(join(root, 'src'), { recursive: true });
  execFileSync('git', ['-C', root, 'init', '-q']);
  execFileSync('git', ['-C', root, 'remote', 'add', 'origin', `git@github.com:acme/${name}.git`]);
  for (let at = 0; at < FILES; at += 1) writeFileSync(join(root, `src/file${at}.ts`), code(at, 0));
  execFileSync('git', ['-C', root, 'add', '-A']);
  execFileSync('git', [
    '-C',
    root,
    '-c',
    'user.name=a',
    '-c',
    'user.email=a@example.org',
    'commit',
    '-qm',
    'x',
  ]);
  return { name, root, namespace: `project/acme/${name}` };
});

const Read = z.object({ anchors: z.array(z.object({ path: z.string() }).loose()) });
const daemon = await startDaemon(join(folder, 'home'));
try {
  for (const { name, root, namespace } of projects)
    for (let at = 0; at < MEMORIES; at += 1) {
      const places = [`src/file${at}.ts#part${at % 30}`];
      const read = await daemon.call('/anchors', { namespace, folder: root, places });
      const { anchors } = Read.parse(read.reply);
      await daemon.call('/memory-set', {
        namespace,
        key: `memory-${at}`,
        value: `The ${subjectOf(at)} of part ${at} is counted twice, for the ${subjectOf(at * 7)} needs both.`,
        metadata: { tags: at < 20 ? ['pinned'] : [], ...(name === 'anchored' && { anchors }) },
      });
    }
  await daemon.settled();
  const took = new Map<string, number[]>();
  const note = (row: string, ms: number) => took.set(row, [...(took.get(row) ?? []), ms]);
  const Output = z.object({ output: z.string() });
  let warned = 0;
  for (let round = 0; round < rounds; round += 1) {
    for (const { root } of projects)
      for (let at = round % 10; at < FILES; at += 10)
        writeFileSync(join(root, `src/file${at}.ts`), code(at, round));
    for (let at = 0; at < 10; at += 1)
      for (const { name, root, namespace } of at % 2 === 0 ? projects : projects.toReversed()) {
        const query = `why is the ${subjectOf((round * 13 + at) % MEMORIES)} counted twice`;
        const hook = (event: string, more: object) => ({
          agent: 'claude-code',
          event,
          input: JSON.stringify({ session_id: `${name}-${round}-${at}`, cwd: root, ...more }),
        });
        const calls = [
          ['prompt', '/agents/hooks', hook('prompt', { prompt: query })],
          ['start', '/agents/hooks', hook('start', { source: 'startup' })],
          ['search', '/memory-search', { namespace, query, values: false }],
          ['get', '/memory-get', { namespace, key: `memory-${(round * 13 + at) % MEMORIES}` }],
        ] as const;
        for (const [what, path, body] of calls) {
          const { reply, clientMs, cpuMs } = await daemon.call(path, body);
          note(`${what} ${name}`, clientMs);
          note(`${what} ${name} cpu`, cpuMs);
          if (Output.safeParse(reply).data?.output.includes('code') === true) warned += 1;
        }
      }
  }
  console.log('ms a call: plain / anchored / more, and how long the main thread of the daemon ran of it');
  for (const what of ['prompt', 'start', 'search', 'get']) {
    const compared = (kind: string, share: number) => {
      const [a = 0, b = 0] = ['plain', 'anchored'].map((name) =>
        quantile(took.get(`${what} ${name}${kind}`) ?? [], share),
      );
      return `${a.toFixed(2)} / ${b.toFixed(2)} / ${(b - a).toFixed(2)} (${(b / a).toFixed(2)} ×)`;
    };
    const cells = [
      `p50 ${compared('', 0.5)}`,
      `p95 ${compared('', 0.95)}`,
      `ran p50 ${compared(' cpu', 0.5)}`,
    ];
    console.log(`${what.padEnd(8)}${cells.join('   ')}   p95 ${compared(' cpu', 0.95)}`);
  }
  console.log(`hooks that told of code that is not as it was: ${warned}`);
} finally {
  await daemon.stop();
  rmSync(folder, { recursive: true, force: true });
}

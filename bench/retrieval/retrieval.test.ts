import { execFile } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';

const PROGRAM = join(import.meta.dirname, 'retrieval.ts');
const fixture = (name: string) => join(import.meta.dirname, 'fixtures', name);

const Output = z.object({
  benchmarks: z.array(
    z.object({
      results: z.object({
        benchmark: z.string(),
        parts: z.array(
          z.object({
            half: z.string().optional(),
            view: z.string(),
            rows: z.array(
              z.object({ kind: z.string(), systems: z.record(z.string(), z.object({ any10: z.number() })) }),
            ),
          }),
        ),
        latency: z.record(z.string(), z.object({ server: z.object({ p50: z.number() }) })),
      }),
      questions: z.array(z.object({ id: z.string(), half: z.string().optional() })),
    }),
  ),
});

/** Runs the program as a person would; its output, on stdout and in the file. */
async function bench(...args: string[]) {
  const folder = fs.mkdtempSync(join(os.tmpdir(), 'retrieval-test-'));
  onTestFinished(() => fs.rmSync(folder, { recursive: true }));
  const output = join(folder, 'output.json');
  const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, '--output', output, ...args]);
  const { benchmarks } = Output.parse(JSON.parse(fs.readFileSync(output, 'utf8')));
  return { stdout, benchmarks };
}

it('measures a daemon beside bare FTS5 on a cut of the own set, and writes no question of the report half', async () => {
  const { stdout, benchmarks } = await bench('--quick');
  expect(stdout).toContain('REPORT half (never tuned on)');
  const { results, questions } = benchmarks[0] ?? { results: undefined, questions: [] };
  expect(results?.parts.map(({ half }) => half)).toEqual(['tune', 'report']);
  for (const { rows } of results?.parts ?? []) {
    const all = rows.find(({ kind }) => kind === 'all');
    expect(Object.keys(all?.systems ?? {})).toEqual(['search', 'ask', 'bare FTS5', 'FTS5, all words']);
    // Ten of thirty memories are on the page: whoever finds fewer than half of the answers does not work.
    expect(all?.systems['search']?.any10).toBeGreaterThan(0.5);
  }
  expect(results?.latency['search']?.server.p50).toBeGreaterThan(0);
  expect(questions.length).toBeGreaterThan(0);
  expect(questions.filter(({ half }) => half === 'report')).toEqual([]);
});

it('runs on files of LoCoMo and LongMemEval', async () => {
  const files = ['--locomo', fixture('locomo.json'), '--longmemeval', fixture('longmemeval.json')];
  const { benchmarks } = await bench('--quick', ...files, '--unit', 'turn');
  expect(benchmarks.map(({ results }) => results.benchmark)).toEqual([
    'LoCoMo',
    'LongMemEval, a memory for each turn',
  ]);
  const [locomo, longMemEval] = benchmarks.map(({ results }) => results);
  // Of four turns a page of ten shows all, and of two sessions both.
  const sessions = locomo?.parts.find(({ half, view }) => half === 'tune' && view === 'sessions');
  expect(sessions?.rows.find(({ kind }) => kind === 'multi_hop')?.systems['search']?.any10).toBe(1);
  expect(longMemEval?.parts.flatMap(({ rows }) => rows.map(({ kind }) => kind))).toContain('abstention');
});

it('says what an option takes', async () => {
  await expect(bench('--half', 'both-of-them')).rejects.toThrow('--half takes tune, report, both');
});

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { AskReply } from '@reverie/shared/contract/search/ask';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Running, startDaemon } from '../main.ts';
import { said, startFakeModelServer } from '../models/testing/fake-model-server.ts';
import { type Ended, run } from './fake-terminal.ts';

let folder: string;
let home: string;
let daemon: Running;

beforeAll(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'reverie-ask-'));
  home = path.join(folder, 'home');
  daemon = await startDaemon({
    env: { REVERIE_HOME: home, REVERIE_LOG_LEVEL: 'silent' },
    flags: { port: '0' },
  });
  await run({ home }, 'set', 'lease', 'The rent of the flat is 940 euro a month.', '-n', 'home');
  await run({ home }, 'set', 'lena', 'Lena lives in Lyon.\nShe works as a nurse.', '-n', 'people');
});

afterAll(async () => {
  await daemon.stop();
  fs.rmSync(folder, { recursive: true });
});

const ask = (...args: string[]): Promise<Ended> => run({ home }, 'ask', ...args, '-n', 'home');
const RENT = 'how much is the rent of the flat'.split(' ');

test('a question is answered with what memory says, and where', async () => {
  expect(await ask(...RENT)).toMatchObject({
    code: 0,
    out: 'Not sure. The closest in memory:\n  "The rent of the flat is 940 euro a month." — lease\n',
    err: '',
  });
});

const people = (question: string, ...more: string[]): Promise<Ended> =>
  run({ home }, 'ask', question, '-n', 'people', ...more);

test('what is unsure is told as what came closest, and still exits 0', async () => {
  const { code, out } = await people('In which hospital does Lena work?');
  expect(code).toBe(0);
  expect(out).toBe(
    'Not sure. The closest in memory:\n  "Lena lives in Lyon.\n  She works as a nurse." — lena\n',
  );
});

test.each<string[]>([[], ['--json'], ['--explain']])('nothing in memory exits 4 (%s)', async (...more) => {
  const { code, out, err } = await people('What is the capital of Mongolia?', ...more);
  expect(code).toBe(4);
  expect(out).toContain(
    'Nothing in memory in the namespace “people” answers this. No memory there mentions “capital”, “Mongolia”.',
  );
  if (!more.includes('--json')) expect(err).toContain('Not in memory');
  else expect(JSON.parse(out)).toMatchObject({ certainty: 'none', found: false, citations: [] });
});

test('the help says how sure an answer is told', async () => {
  const { out } = await run({ home }, 'ask', '--help');
  expect(out).toContain('Exits 0 for the first three, 4 for none.');
});

test('the past knew nothing of it', async () => {
  const { out, code } = await ask(...RENT, '--as-of', '2020-02-03');
  expect(out).toBe('Nothing was in memory in the namespace “home” on 3 February 2020.\n');
  expect(code).toBe(4);
  const wrong = await ask(...RENT, '--as-of', 'yesterday');
  expect(wrong.code).not.toBe(0);
  expect(wrong.err).toContain('It must be a date such as 2026-01-31');
});

test('explained, with the stages and what found each memory', async () => {
  const { out, err } = await ask(...RENT, '--explain');
  expect(out).toMatch(/^\[1\]\t0\.\d\d\tlease\tThe rent of the flat is 940 euro a month\.\t.*words 1/m);
  expect(out).toMatch(/^rerank\t[\d.]+\t1\t$/m);
  expect(err).toMatch(/^\d+ ms in all$/m);
});

test('as JSON of the contract', async () => {
  const { out } = await ask(...RENT, '--json');
  expect(AskReply.parse(JSON.parse(out))).toMatchObject({ found: true, citations: [{ key: 'lease' }] });
});

test('what a model says is told as likely where it denies what no quote does; explained, with who decided', async () => {
  const model = await startFakeModelServer(() =>
    said(
      JSON.stringify({
        answered: true,
        sentences: ['The rent is 940 euro, not less.', 'It was 800 euro.'].map((text) => ({
          quotes: [{ note: 1, words: '940 euro a month' }],
          text,
        })),
        search: [],
      }),
    ),
  );
  const other = path.join(folder, 'other');
  const env = {
    REVERIE_HOME: other,
    REVERIE_LOG_LEVEL: 'silent',
    REVERIE_LLM_BASE_URL: model.baseUrl,
    REVERIE_LLM_MODEL: 'm',
  };
  const started = await startDaemon({ env, flags: { port: '0' } });
  try {
    await run({ home: other }, 'set', 'lease', 'The rent of the flat is 940 euro a month.', '-n', 'home');
    const { out, err } = await run({ home: other }, 'ask', ...RENT, '--explain', '-n', 'home');
    expect(out).toMatch(/^Likely: The rent is 940 euro, not less\. \[1\]$/m);
    expect(err).toContain('Whether memory answers was decided by the language model');
    expect(err).toContain('for no memory says so: 1');
  } finally {
    await started.stop();
    await model.stop();
  }
});

import {
  Examination,
  examineModel,
  listSheets,
  modelsState,
  stopExamining,
} from '@reverie/shared/contract/system/models';
import { setMemory } from '@reverie/shared/contract/memories/memories';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type FakeOllama, startFakeOllama } from '../../../models/testing/fake-ollama.ts';
import type { Chat, Saying } from '../../../models/testing/talking.ts';
import { startTestDaemon, type TestDaemon } from '../../../testing.ts';
import { askedIn, assertingAnything, declining, honest } from '../testing/examinee.ts';

const MODEL = 'qwen3.5:4b';
let ollama: FakeOllama;
let daemon: TestDaemon;
beforeEach(async () => {
  ollama = await startFakeOllama({
    has: [
      { name: MODEL, layers: [1], context: 8192, capabilities: ['completion'] },
      { name: 'embedder:latest', layers: [1], context: 8192, capabilities: ['embedding'] },
    ],
  });
  daemon = await startTestDaemon();
});
afterEach(async () => {
  await daemon.stop();
  await ollama.stop();
});

const start = (name = MODEL) => daemon.call(examineModel, { body: { server: ollama.url, name } });
const last = async () => (await daemon.call(modelsState, {})).examination;

async function until(is: (one: Examination) => boolean): Promise<Examination> {
  for (;;) {
    const found = await last();
    if (found && is(found)) return found;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

async function examined(talk: (chat: Chat) => Saying | Promise<Saying>): Promise<Examination> {
  ollama.talk = talk;
  const begun = await start();
  expect(begun).toMatchObject({ status: 'running', done: 0, total: 30, name: MODEL, server: ollama.url });
  return until(({ status }) => status !== 'running');
}

describe('an examination', () => {
  test('of a model that answers well and quickly finds it fit for questions and dreams', async () => {
    await daemon.call(setMemory, {
      body: { key: 'secret of the memory', value: 'The vault code is 90210.' },
    });
    const done = await examined(honest);
    expect(done).toMatchObject({
      status: 'done',
      done: 30,
      declined_rightly: 8,
      seconds_median: 0,
      fit_for: ['ask', 'dreams'],
      verdict: 'answers well: use it for questions and dreams',
      error: null,
    });
    expect([done.right, done.wrong]).toEqual([30, 0]);
    expect(done.tokens).toBeGreaterThan(0);
    expect(done.ended_at).not.toBeNull();
    // Nothing of the memory is sent.
    expect(JSON.stringify(ollama.asked)).not.toMatch(/vault|90210/u);
    const { sheets } = await daemon.call(listSheets, { query: { limit: 200 } });
    expect(sheets.length).toBeGreaterThanOrEqual(30);
    for (const sheet of sheets)
      expect(sheet).toMatchObject({ part: 'examination', model: MODEL, shown: 0, notes: [], answered: true });
    await daemon.restart();
    expect(await last()).toEqual(done);
  });

  test('of a model that asserts anything says that it is not for use', async () => {
    const done = await examined(assertingAnything);
    expect(done).toMatchObject({ status: 'done', declined_rightly: 0, fit_for: [] });
    expect(done.verdict).toMatch(/^makes things up \(\d+ of 24 answers\): not for use$/u);
  });

  test('of a model that answers well and slowly keeps it for dreams', async () => {
    const done = await examined((chat) => {
      daemon.clock.advance(15_000);
      return honest(chat);
    });
    expect(done).toMatchObject({
      fit_for: ['dreams'],
      verdict: 'answers well, too slow for asking while you wait: use it for dreams',
    });
    expect(done.seconds_median).toBeGreaterThanOrEqual(15);
  });

  test('of a model that declines everything says that it leaves too much unanswered', async () => {
    const done = await examined((chat) => (askedIn(chat) ? declining() : honest(chat)));
    expect(done).toMatchObject({ declined_rightly: 8, fit_for: ['dreams'] });
    expect(done.verdict).toMatch(/^leaves too much unanswered \(0 of 16 right\): use it for dreams$/u);
  });

  test('of a model that says nothing of use ends after three questions', async () => {
    const done = await examined(() => ({ text: 'Ahoy!' }));
    expect(done).toMatchObject({ status: 'failed', fit_for: [], verdict: null });
    expect(done.error).toMatch(/^It failed 3 times in a row: /u);
    expect(done.done).toBeLessThan(3);
  });

  test('can be stopped, is one at a time, and is stopped by a restart', async () => {
    let asked = 0;
    ollama.talk = (chat) => {
      if (askedIn(chat)) asked += 1;
      return asked > 2 ? { does: 'never' } : honest(chat);
    };
    await start();
    await until(({ done }) => done === 2);
    await expect(start()).rejects.toMatchObject({ code: 'conflict', status: 409 });
    expect(await daemon.call(stopExamining, {})).toMatchObject({ status: 'stopped', done: 2, fit_for: [] });
    await expect(daemon.call(stopExamining, {})).rejects.toMatchObject({ code: 'conflict' });
    asked = 0;
    await start();
    await until(({ done, status }) => status === 'running' && done === 2);
    await daemon.restart();
    expect(await last()).toMatchObject({ status: 'stopped', done: 2 });
    expect(await examined(honest)).toMatchObject({ status: 'done' });
  });

  test('of a model of vectors compares it with what comes with Reverie', async () => {
    ollama.talk = () => ({ status: 400, error: '"embedder:latest" does not support chat' });
    await start('embedder:latest');
    const done = await until(({ status }) => status !== 'running');
    expect(done).toMatchObject({ status: 'done', total: 16, done: 16, fit_for: [], error: null });
    // Letters alone are worse than the table.
    expect(done.verdict).toMatch(
      /^26 numbers a text, 0 ms a text; \d+ of 16 questions find their note among the nearest three, \d+ with what comes with Reverie: no better, not worth it$/u,
    );
  });

  test('is refused for a model that is not there, a server that is away, and one beyond this machine', async () => {
    await expect(start('other')).rejects.toMatchObject({ code: 'model_not_found', status: 404 });
    await expect(
      daemon.call(examineModel, { body: { server: 'https://models.example', name: MODEL } }),
    ).rejects.toMatchObject({ code: 'conflict' });
    await ollama.stop();
    await expect(start()).rejects.toMatchObject({ code: 'model_unreachable', status: 503 });
    expect(await last()).toBeNull();
    const other = daemon.addAccount('owner');
    await expect(
      daemon.as(other.key)(examineModel, { body: { server: ollama.url, name: MODEL } }),
    ).rejects.toMatchObject({ code: 'forbidden_scope' });
  });
});

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startTestDaemon, type TestDaemon } from '../testing.ts';
import { run } from './fake-terminal.ts';

let daemon: TestDaemon;
beforeEach(async () => {
  daemon = await startTestDaemon({
    env: { REVERIE_LLM_BASE_URL: 'http://127.0.0.1:9/v1', REVERIE_LLM_MODEL: 'talker' },
  });
});
afterEach(() => daemon.stop());

describe('reverie models', () => {
  test('names the models and says how they do', async () => {
    const home = daemon.home.folder;
    const { code, out } = await run({ home }, 'models');
    expect([code, out.split('\n').length]).toEqual([0, 3]);
    expect(out).toMatch(/^Embedder: +static-\S+, it is well since .*; 0 of 0 chunks embedded$/m);
    expect(out).toMatch(/^Language model: talker, it is well since /m);
    const json = JSON.parse((await run({ home }, 'models', '--json')).out) as object;
    expect(json).toMatchObject({
      embedder: { state: 'ok' },
      language_model: { model: 'talker', error: null },
    });
  });
});

import { askMemory } from '@reverie/shared/contract/search/ask';
import { setMemory } from '@reverie/shared/contract/memories/memories';
import { expect, test } from 'vitest';
import { said, startFakeModelServer } from '../models/testing/fake-model-server.ts';
import { startTestDaemon } from '../testing.ts';
import { run } from './fake-terminal.ts';

test('a namespace is kept from models, and what was put to one is listed', async () => {
  const fake = await startFakeModelServer(() => said('{"answered": false, "sentences": [], "search": []}'));
  const daemon = await startTestDaemon({
    env: { REVERIE_LLM_BASE_URL: fake.baseUrl, REVERIE_LLM_MODEL: 'small' },
  });
  const reverie = (...args: string[]) => run({ home: daemon.home.folder }, ...args);
  await daemon.call(setMemory, { body: { key: 'k', value: 'The gate is green.', namespace: 'diary' } });
  expect((await reverie('models', 'sheets')).err).toContain('Nothing was put to a model');
  expect((await reverie('namespaces')).out).toMatch(/^diary\t1\t.*\tany$/mu);
  await daemon.call(askMemory, { body: { question: 'Is the gate green?', namespace: 'diary' } });
  const sheets = await reverie('models', 'sheets', '--limit', '1');
  expect(sheets.out).toMatch(/\task\tsmall\thttp:\/\/127\.0\.0\.1:\d+\t.*\t12\tyes\n$/u);
  expect(await reverie('namespaces', 'models', 'diary', 'none')).toMatchObject({
    code: 0,
    out: 'diary: No model may see it.\n',
  });
  expect((await reverie('namespaces', '--json')).out).toContain('"none"');
  const wrong = await reverie('namespaces', 'models', 'diary', 'some');
  expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining('any, local, none')]);
  expect((await reverie('models', 'sheets', '--limit', '0')).code).toBe(2);
  await daemon.stop();
  await fake.stop();
});

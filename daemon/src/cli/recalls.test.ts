import { setMemory } from '@reverie/shared/contract/memories/memories';
import { recordRecall } from '@reverie/shared/contract/agents/recalls';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startTestDaemon, type TestDaemon } from '../testing.ts';
import { type Ended, like, run } from './fake-terminal.ts';

let daemon: TestDaemon;
beforeEach(async () => {
  daemon = await startTestDaemon();
});
afterEach(() => daemon.stop());

const reverie = (...args: string[]): Promise<Ended> => run({ home: daemon.home.folder }, ...args);

test('what was put before agents is listed and judged; eval ends with 1 where something became worse', async () => {
  expect(await reverie('recalls')).toMatchObject({ code: 0, out: '' });
  expect((await reverie('eval')).err).toContain('Nothing was judged yet');
  const set = (value: string) => daemon.call(setMemory, { body: { key: 'note', value, namespace: 'n' } });
  await set('The proxy listens on port 8443.');
  const memories = [{ key: 'note', namespace: 'n', reason: 'fits the search', score: 0.9 }];
  const body = { way: 'search' as const, agent: 'codex', namespace: 'n', tokens: 9, memories };
  const { id } = await daemon.call(recordRecall, { body: { ...body, query: 'which port has the proxy' } });
  const listed = await reverie('recalls');
  expect(listed.out).toMatch(
    /^rcl_\w+ .*codex searched in n: "which port has the proxy"\n {2}note {2}0\.90\n$/,
  );
  expect((await reverie('recalls', 'helped', id ?? '', 'note')).out).toBe('Noted that note helped.\n');
  const right = await reverie('eval');
  expect([right.code, right.out]).toEqual([0, like(/^1 of 1 right, with /)]);
  await set('Green tea steeps for two minutes.');
  const worse = await reverie('eval');
  expect(worse.code).toBe(1);
  expect(worse.out).toMatch(/0 of 1 right.*\n1 worse than the time before\.\n[^]*n\/note/);
  expect((await reverie('recalls', 'unjudge', id ?? '')).out).toBe('Taken back of note.\n');
  expect((await reverie('recalls', 'helped', 'rcl_x')).code).toBe(1);
});

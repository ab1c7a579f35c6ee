import fs from 'node:fs';
import { listDreams } from '@reverie/shared/contract/dreams/dreams';
import { setMemory } from '@reverie/shared/contract/memories/memories';
import type { Sent } from '@reverie/shared/contract/route';
import { changeSettings, getSettings } from '@reverie/shared/contract/system/settings';
import { trashMemories } from '@reverie/shared/contract/memories/trash';
import { afterEach, expect, test } from 'vitest';
import { startTestDaemon, type TestDaemon } from '../../testing.ts';
import { lastTime } from '../dreams/schedule.ts';

const DAY = 86_400_000;

let daemon: TestDaemon;
afterEach(() => daemon.stop());

const UNCHOSEN = {
  thoughts: { namespace: 'default' },
  page: { theme: 'system', region: null, time_zone: null },
  dream: { schedule: 'off', budget_tokens: 200_000 },
  trash: { days: 30 },
  fixed: [],
};

const thoughtsIn = (namespace: string) => daemon.call(changeSettings, { body: { thoughts: { namespace } } });

test('thoughts go to default until a person chooses, and what was chosen stands in the file beside the rest', async () => {
  daemon = await startTestDaemon();
  expect(await daemon.call(getSettings, {})).toEqual(UNCHOSEN);
  fs.writeFileSync(daemon.home.config, '{"history": {"max_versions": 3}}');
  const chosen = { ...UNCHOSEN, thoughts: { namespace: 'journal' } };
  expect(await thoughtsIn('journal')).toEqual(chosen);
  expect(await daemon.call(getSettings, {})).toEqual(chosen);
  expect(JSON.parse(fs.readFileSync(daemon.home.config, 'utf8'))).toEqual({
    history: { max_versions: 3 },
    thoughts: { namespace: 'journal' },
  });
});

test('what is no namespace, or is set by the start, is refused and changes nothing', async () => {
  daemon = await startTestDaemon({ env: { REVERIE_THOUGHTS_NAMESPACE: 'notes' } });
  await expect(thoughtsIn('*')).rejects.toMatchObject({ code: 'invalid_request' });
  await expect(thoughtsIn('journal')).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('the variable REVERIE_THOUGHTS_NAMESPACE') as string,
  });
  expect(await daemon.call(getSettings, {})).toEqual({
    ...UNCHOSEN,
    thoughts: { namespace: 'notes' },
    fixed: [{ name: 'thoughts.namespace', by: 'the variable REVERIE_THOUGHTS_NAMESPACE' }],
  });
});

test('they are the machine’s: the owner of another account neither reads nor changes them', async () => {
  daemon = await startTestDaemon();
  const theirs = daemon.as(daemon.addAccount('owner').key);
  await expect(theirs(getSettings, {})).rejects.toMatchObject({ code: 'forbidden_scope' });
  await expect(theirs(changeSettings, { body: { thoughts: { namespace: 'theirs' } } })).rejects.toMatchObject(
    { code: 'forbidden_scope' },
  );
  expect(await daemon.call(getSettings, {})).toEqual(UNCHOSEN);
});

test('each is changed alone, null takes a choice back, and nothing at all is no change', async () => {
  daemon = await startTestDaemon();
  const change = (body: Sent<typeof changeSettings>['body']) => daemon.call(changeSettings, { body });
  await change({ page: { theme: 'dark', region: 'en-US', time_zone: 'America/Los_Angeles' } });
  await change({ page: { region: null } });
  await change({ trash: { days: 60 } });
  await daemon.restart();
  expect(await daemon.call(getSettings, {})).toEqual({
    ...UNCHOSEN,
    page: { theme: 'dark', region: null, time_zone: 'America/Los_Angeles' },
    trash: { days: 60 },
  });
  for (const body of [
    {},
    { page: {} },
    { page: { time_zone: 'Mars/Olympus' } },
    { page: { region: 'de-DE' } },
  ])
    await expect(change(body)).rejects.toMatchObject({ code: 'invalid_request' });
});

test('the trash and dreams go by a change without a new start', async () => {
  daemon = await startTestDaemon();
  const body = { key: 'k', value: 'The tram leaves at nine.', namespace: 'n' };
  await daemon.call(setMemory, { body });
  await daemon.call(changeSettings, { body: { trash: { days: 7 }, dream: { schedule: '03:30' } } });
  // A time that was chosen today is of the nights to come.
  daemon.clock.advance(60_000);
  expect((await daemon.call(listDreams, { query: {} })).jobs).toEqual([]);
  daemon.clock.advance(lastTime(daemon.clock.now(), '03:30') + DAY + 60_000 - daemon.clock.now());
  expect((await daemon.call(listDreams, { query: {} })).jobs).toHaveLength(1);
  const items = [{ key: 'k', namespace: 'n' }];
  const [trashed] = (await daemon.call(trashMemories, { body: { items } })).trashed;
  expect(trashed && Date.parse(trashed.ends_at) - Date.parse(trashed.trashed_at)).toBe(7 * DAY);
});

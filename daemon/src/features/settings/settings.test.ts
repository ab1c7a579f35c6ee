import fs from 'node:fs';
import { changeSettings, getSettings } from '@reverie/shared/contract/settings';
import { afterEach, expect, test } from 'vitest';
import { startTestDaemon, type TestDaemon } from '../../testing.ts';

let daemon: TestDaemon;
afterEach(() => daemon.stop());

const thoughtsIn = (namespace: string) => daemon.call(changeSettings, { body: { thoughts: { namespace } } });

test('thoughts go to default until a person chooses, and what was chosen stands in the file beside the rest', async () => {
  daemon = await startTestDaemon();
  expect(await daemon.call(getSettings, {})).toEqual({ thoughts: { namespace: 'default' } });
  fs.writeFileSync(daemon.home.config, '{"history": {"max_versions": 3}}');
  expect(await thoughtsIn('journal')).toEqual({ thoughts: { namespace: 'journal' } });
  expect(await daemon.call(getSettings, {})).toEqual({ thoughts: { namespace: 'journal' } });
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
  expect(await daemon.call(getSettings, {})).toEqual({ thoughts: { namespace: 'notes' } });
});

test('they are the machine’s: the owner of another account neither reads nor changes them', async () => {
  daemon = await startTestDaemon();
  const theirs = daemon.as(daemon.addAccount('owner').key);
  await expect(theirs(getSettings, {})).rejects.toMatchObject({ code: 'forbidden_scope' });
  await expect(theirs(changeSettings, { body: { thoughts: { namespace: 'theirs' } } })).rejects.toMatchObject(
    { code: 'forbidden_scope' },
  );
  expect(await daemon.call(getSettings, {})).toEqual({ thoughts: { namespace: 'default' } });
});

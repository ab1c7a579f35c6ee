import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { dailyNote } from '@reverie/shared/contract/memories/daily';
import { addFolder } from '@reverie/shared/contract/memories/folders';
import { setMemory, storeBatch } from '@reverie/shared/contract/memories/memories';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestDaemon, temporaryFolder, type TestDaemon } from '../../testing.ts';

let daemon: TestDaemon;
const vault = temporaryFolder();
beforeAll(async () => {
  daemon = await startTestDaemon();
});
afterAll(async () => {
  await daemon.stop();
  vault.remove();
});

const daily = (namespace: string, day = '2026-10-01') =>
  daemon.call(dailyNote, { query: { namespace, day } });

// Told in order: the vault is followed from the second on.
describe('the note of a day', { shuffle: false }, () => {
  test('a namespace without days has its notes by the plain day', async () => {
    expect(await daily('empty')).toEqual({
      key: '2026-10-01.md',
      namespace: 'empty',
      day: '2026-10-01',
      found: false,
      outline: false,
      template: '',
    });
    await expect(daily('empty', '2026-13-01')).rejects.toMatchObject({ code: 'invalid_request' });
    await expect(daily('empty', 'today')).rejects.toMatchObject({ code: 'invalid_request' });
  });

  test('one with days goes on as they do, and says whether that note is there', async () => {
    await daemon.call(storeBatch, {
      body: {
        items: ['Days/2026-09-14.md', 'Days/2026-09-13.md', 'plan.md', '2026-09-15 Meeting.md'].map(
          (key) => ({
            namespace: 'days',
            key,
            value: 'Text.',
          }),
        ),
      },
    });
    expect(await daily('days')).toMatchObject({ key: 'Days/2026-10-01.md', found: false });
    expect(await daily('days', '2026-09-14')).toMatchObject({ key: 'Days/2026-09-14.md', found: true });
    await daemon.call(setMemory, {
      body: {
        namespace: 'graph',
        key: 'journals/2026_09_14.md',
        value: '- x',
        metadata: { imported: { format: 'logseq', path: 'journals/2026_09_14.md' } },
      },
    });
    expect(await daily('graph')).toMatchObject({ key: 'journals/2026_10_01.md', outline: true });
  });

  test('one that follows a vault goes by its settings, also where they say nothing that a key can be', async () => {
    const settings = path.join(vault.folder, '.obsidian', 'daily-notes.json');
    await mkdir(path.dirname(settings));
    await writeFile(settings, '{"folder":"Journal","format":"YYYY-MM-DD dddd"}');
    await writeFile(path.join(vault.folder, '2026-09-14.md'), 'Not by the settings.');
    await daemon.call(addFolder, {
      body: { path: vault.folder, namespace: 'vault', format: 'markdown' },
    });
    expect(await daily('vault')).toMatchObject({ key: 'Journal/2026-10-01 Thursday.md', outline: false });
    expect(await daily('other')).toMatchObject({ key: '2026-10-01.md' });
    for (const hostile of ['../../up', 'a\u0000b', 'x'.repeat(600), '...'])
      for (const part of ['folder', 'format']) {
        await writeFile(settings, JSON.stringify({ [part]: hostile }));
        const { key } = await daily('vault');
        expect(key.split('/')).not.toContain('..');
        expect(key).toMatch(/^(?:up\/)?(?:2026-10-01|up|\.\.\.)\.md$|^2026-10-01\.md$/u);
      }
  });

  test('a new one begins as the template that the settings name', async () => {
    const settings = path.join(vault.folder, '.obsidian', 'daily-notes.json');
    await writeFile(settings, '{"folder":"Journal","template":"Templates/Day"}');
    const at = { namespace: 'vault', key: 'Templates/Day.md' };
    await daemon.call(setMemory, {
      body: { ...at, value: '# {{title}}\n\n{{date:dddd D MMMM}} {{ date }} {{TIME:HH[h]}} {{date}}\n' },
    });
    const { template } = await daily('vault');
    expect(template).toMatch(/^# 2026-10-01\n\nThursday 1 October \{\{ date \}\} \d\dh 2026-10-01\n$/u);

    await daemon.call(setMemory, {
      body: { namespace: 'vault', key: 'Journal/2026-10-01.md', value: 'Mine.' },
    });
    expect(await daily('vault')).toMatchObject({ found: true, template: '' });
    for (const missing of ['Templates/None', '../../../etc/passwd', '']) {
      await writeFile(settings, JSON.stringify({ template: missing }));
      expect(await daily('vault', '2026-10-02')).toMatchObject({ found: false, template: '' });
    }
  });
});

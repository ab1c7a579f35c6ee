import { join } from 'node:path';
import { limits } from '@reverie/shared/contract/fields';
import { expect, test } from 'vitest';
import { claudeCodeReader } from './claude-code.ts';
import { folderWith, only, readAll } from '../testing/reading.ts';

const FEEDBACK = `---
name: No mocks in tests
description: Tests hit a real database
type: feedback
modified: 2026-03-04T10:20:30.000Z
---

Integration tests must hit a real database.

**Why:** a mock hid a broken migration.
`;

const INDEX = '- [No mocks in tests](feedback_testing.md) — tests hit a real database\n';

function projects() {
  return folderWith({
    'projects/-home-anna-app/memory/MEMORY.md': INDEX,
    'projects/-home-anna-app/memory/feedback_testing.md': FEEDBACK,
    'projects/-home-anna-app/0b5c.jsonl': '{"type":"user"}\n',
    'projects/-home-anna-site/memory/MEMORY.md': '- [Anna](user_role.md) — designer\n',
    'projects/-home-anna-site/memory/user_role.md':
      '---\nname: Anna\nmetadata:\n  type: user\n---\nAnna is a designer.',
    'projects/-home-anna-site/memory/empty.md': '',
    'projects/-home-anna-empty/0b5c.jsonl': '{}\n',
  });
}

test('reads all projects, each into a namespace of its own', async () => {
  const root = await projects();
  for (const path of [root, join(root, 'projects')]) {
    const { memories, skipped } = await readAll(claudeCodeReader, path);
    expect(memories.map(({ namespace, key }) => [namespace, key])).toEqual([
      ['claude-code/-home-anna-app', 'MEMORY.md'],
      ['claude-code/-home-anna-app', 'feedback_testing.md'],
      ['claude-code/-home-anna-site', 'MEMORY.md'],
      ['claude-code/-home-anna-site', 'user_role.md'],
    ]);
    expect(skipped).toEqual([{ path: '-home-anna-site/empty.md', reason: 'empty', detail: 'has no bytes' }]);
  }
});

test('takes type, name, description and time from the frontmatter, and keeps the text', async () => {
  const root = await projects();
  const { memories } = await readAll(claudeCodeReader, join(root, 'projects', '-home-anna-app'));
  expect(memories).toMatchObject([
    { key: 'MEMORY.md', value: INDEX, metadata: { type: 'index', tags: ['index'] } },
    {
      key: 'feedback_testing.md',
      value: FEEDBACK,
      updated_at: '2026-03-04T10:20:30.000Z',
      metadata: {
        title: 'No mocks in tests',
        description: 'Tests hit a real database',
        type: 'feedback',
        tags: ['feedback'],
        imported: { format: 'claude-code', path: 'feedback_testing.md', project: '-home-anna-app' },
      },
      source: { id: 'claude-code:-home-anna-app/feedback_testing.md' },
    },
  ]);
  const site = await readAll(claudeCodeReader, join(root, 'projects', '-home-anna-site'));
  expect(site.memories[1]?.metadata).toMatchObject({ type: 'user', tags: ['user'] });
});

test('a memory folder, its project and all projects give the same memories', async () => {
  const root = await projects();
  const project = join(root, 'projects', '-home-anna-app');
  const { memories } = await readAll(claudeCodeReader, join(project, 'memory'));
  expect(memories).toEqual((await readAll(claudeCodeReader, project)).memories);
  expect((await readAll(claudeCodeReader, root)).memories.slice(0, 2)).toEqual(memories);
});

test('one namespace for all keeps the projects apart by their keys', async () => {
  const { memories } = await readAll(claudeCodeReader, await projects(), { namespace: 'agents' });
  expect(new Set(memories.map(({ key }) => key)).size).toBe(4);
  expect(memories[0]).toMatchObject({ namespace: 'agents', key: '-home-anna-app/MEMORY.md' });
});

test('the name of a project is never too long for a namespace', async () => {
  const project = `-${'very-long'.repeat(20)}`;
  const root = await folderWith({ [`${project}/memory/MEMORY.md`]: INDEX });
  const { memories } = await readAll(claudeCodeReader, root);
  expect(Buffer.byteLength(only(memories).namespace)).toBeLessThanOrEqual(limits.namespaceBytes);
});

test('says what to name where there is no memory', async () => {
  const root = await folderWith({ 'notes.md': 'text' });
  await expect(readAll(claudeCodeReader, root)).rejects.toThrow(/~\/\.claude\/projects/);
});

import { join } from 'node:path';
import { zipSync } from 'fflate';
import { limits } from '@reverie/shared/contract/fields';
import { describe, expect, test } from 'vitest';
import { chatGptReader } from './chatgpt.ts';
import { folderWith, only, readAll } from '../testing/reading.ts';

interface Said {
  role: string;
  parts?: unknown[];
  at?: number | null;
  type?: string;
  more?: object;
}

/** A conversation in the export's form: one branch from the root to the last message. */
function conversation(id: string, said: readonly Said[], more: object = {}) {
  const mapping: Record<string, unknown> = {
    root: { id: 'root', message: null, parent: null, children: ['m0'] },
  };
  for (const [at, { role, parts, at: time, type, more: inner }] of said.entries())
    mapping[`m${at}`] = {
      id: `m${at}`,
      parent: at === 0 ? 'root' : `m${at - 1}`,
      children: at === said.length - 1 ? [] : [`m${at + 1}`],
      message: {
        id: `m${at}`,
        author: { role, name: null, metadata: {} },
        create_time: time === undefined ? 1_700_000_000 + at : time,
        update_time: null,
        content: { content_type: type ?? 'text', parts: parts ?? [] },
        status: 'finished_successfully',
        weight: 1,
        metadata: { model_slug: 'gpt-4o' },
        recipient: 'all',
        ...inner,
      },
    };
  return {
    title: `About ${id}`,
    create_time: 1_699_999_999.5,
    update_time: 1_700_000_100,
    mapping,
    current_node: `m${said.length - 1}`,
    conversation_id: id,
    id,
    is_archived: false,
    ...more,
  };
}

const TALK = conversation('c-1', [
  { role: 'system', parts: [''], more: { weight: 0 } },
  { role: 'user', parts: ['How do I feed sourdough?'] },
  { role: 'assistant', parts: ['search("sourdough")'], type: 'code', more: { recipient: 'browser' } },
  { role: 'tool', parts: ['results'] },
  {
    role: 'assistant',
    type: 'thoughts',
    more: { content: { content_type: 'thoughts', thoughts: [{ content: 'hm' }] } },
  },
  { role: 'assistant', parts: ['With flour ', 'and water.'] },
  {
    role: 'user',
    type: 'multimodal_text',
    parts: [
      { content_type: 'image_asset_pointer', asset_pointer: 'file-service://x' },
      'Does it look right?',
    ],
    more: { metadata: { attachments: [{ id: 'x', name: 'bread.jpg' }] } },
  },
  { role: 'user', parts: ['I mean the crust.'] },
  { role: 'assistant', parts: ['Yes.'] },
]);

async function read(conversations: unknown, name = 'conversations.json') {
  const content = typeof conversations === 'string' ? conversations : JSON.stringify(conversations);
  return readAll(chatGptReader, await folderWith({ [name]: content }));
}

describe('a conversation', () => {
  test('is one memory for each question with its answers, neighbours of one session', async () => {
    const { memories, skipped } = await read([TALK]);
    expect(skipped).toEqual([]);
    expect(memories).toEqual([
      {
        key: 'chatgpt/c-1/1',
        namespace: 'default',
        value: 'User: How do I feed sourdough?\n\nAssistant: With flour \n\nand water.',
        created_at: '2023-11-14T22:13:21.000Z',
        updated_at: '2023-11-14T22:13:25.000Z',
        metadata: {
          title: 'About c-1',
          session: 'c-1',
          timestamp: '2023-11-14T22:13:21.000Z',
          model: 'gpt-4o',
          imported: { format: 'chatgpt' },
        },
        source: { id: 'chatgpt:c-1/1', hash: expect.stringMatching(/^[0-9a-f]{64}$/) as unknown },
      },
      expect.objectContaining({
        key: 'chatgpt/c-1/2',
        value: 'User: [image]\n\nDoes it look right?\n\nUser: I mean the crust.\n\nAssistant: Yes.',
        metadata: expect.objectContaining({ session: 'c-1', attachments: ['bread.jpg'] }) as unknown,
      }),
    ]);
  });

  test('is read along the branch that the person sees', async () => {
    const talk = conversation('c-2', [
      { role: 'user', parts: ['first'] },
      { role: 'assistant', parts: ['old answer'] },
    ]);
    const mapping: Record<string, unknown> = talk.mapping;
    mapping['m0'] = { ...(mapping['m0'] as object), children: ['m1', 'n1'] };
    mapping['n1'] = {
      parent: 'm0',
      children: [],
      message: { author: { role: 'assistant' }, content: { content_type: 'text', parts: ['new answer'] } },
    };
    const seen = await read([{ ...talk, current_node: 'n1' }]);
    expect(only(seen.memories).value).toBe('User: first\n\nAssistant: new answer');
    const { current_node: _, ...without } = talk;
    expect(only((await read([without])).memories).value).toBe('User: first\n\nAssistant: new answer');
  });

  test('whose tree has a cycle, lacks nodes or has a prototype for a parent ends', async () => {
    const message = { author: { role: 'user' }, content: { parts: ['round'] } };
    const cycle = {
      id: 'a',
      current_node: 'x',
      mapping: { x: { parent: 'y', message }, y: { parent: 'x', message } },
    };
    const lost = { id: 'b', current_node: 'x', mapping: { x: { parent: 'gone', message } } };
    const proto = { id: 'c', current_node: 'x', mapping: { x: { parent: '__proto__', message } } };
    const { memories } = await read([cycle, lost, proto]);
    expect(memories.map(({ key }) => key)).toEqual(['chatgpt/a/1', 'chatgpt/b/1', 'chatgpt/c/1']);
  });

  test('that is empty or malformed is listed, and the others are read', async () => {
    const text = `[${JSON.stringify(conversation('none', []))}, {"id": "x"}, {"mapping": }, ${JSON.stringify(TALK)}]`;
    const { memories, skipped } = await read(text);
    expect(memories).toHaveLength(2);
    expect(skipped.map(({ path, reason }) => [path, reason])).toEqual([
      ['conversations.json#1', 'empty'],
      ['conversations.json#2', 'malformed'],
      ['conversations.json#3', 'malformed'],
    ]);
  });

  test('with a message of more than 1 MiB is split', async () => {
    const { memories } = await read([
      conversation('big', [{ role: 'user', parts: ['x'.repeat(limits.valueBytes + 1)] }]),
    ]);
    expect(memories.map(({ key }) => key)).toEqual(['chatgpt/big/1#1', 'chatgpt/big/1#2']);
  });

  test('without times takes those of the conversation', async () => {
    const { memories } = await read([conversation('c', [{ role: 'user', parts: ['x'], at: null }])]);
    expect(only(memories).created_at).toBe('2023-11-14T22:13:19.500Z');
  });
});

describe('an export', () => {
  const instructions = {
    role: 'user',
    type: 'user_editable_context',
    more: {
      content: {
        content_type: 'user_editable_context',
        user_profile: 'I am a baker.',
        user_instructions: 'Be brief.',
      },
      metadata: { is_visually_hidden_from_conversation: true },
    },
  };

  test('has numbered files, saved memories and custom instructions', async () => {
    const root = await folderWith({
      'conversations-000.json': JSON.stringify([
        conversation('a', [instructions, { role: 'user', parts: ['one'] }]),
      ]),
      'conversations-001.json': JSON.stringify([
        conversation('b', [instructions, { role: 'user', parts: ['two'] }]),
      ]),
      'memories.json': JSON.stringify([
        { id: 'm1', content: 'Has a dog', created_at: '2024-05-06T00:00:00Z' },
        'Likes tea',
        7,
      ]),
      'custom_instructions.json': JSON.stringify({
        about_user_message: 'I am a baker.',
        about_model_message: 'Be brief.',
      }),
      'user.json': JSON.stringify({ email: 'anna@example.org' }),
    });
    const { memories, skipped } = await readAll(chatGptReader, root);
    expect(memories.map(({ key, value }) => [key.replace(/[0-9a-f]{16}$/, '…'), value])).toEqual([
      ['chatgpt/instructions/…', 'I am a baker.\n\nBe brief.'],
      ['chatgpt/a/1', 'User: one'],
      ['chatgpt/b/1', 'User: two'],
      ['chatgpt/memory/m1', 'Has a dog'],
      ['chatgpt/memory/…', 'Likes tea'],
    ]);
    expect(skipped).toMatchObject([{ path: 'memories.json#3', reason: 'malformed' }]);
  });

  test('may be the zip, or one file of it, and gives the same', async () => {
    const json = Buffer.from(
      JSON.stringify([TALK, conversation('c-9', [{ role: 'user', parts: ['zipped'] }])]),
    );
    const zip = zipSync({
      'chat.html': Buffer.from('<html>'),
      'conversations.json': json,
      'file-1.png': Buffer.alloc(100_000),
    });
    const root = await folderWith({ 'export/conversations.json': json, 'export.zip': zip });
    const folder = await readAll(chatGptReader, join(root, 'export'));
    expect(folder.memories).toHaveLength(3);
    expect(await readAll(chatGptReader, join(root, 'export.zip'))).toEqual(folder);
    expect(await readAll(chatGptReader, join(root, 'export', 'conversations.json'))).toEqual(folder);
  });

  test('in a zip whose names lead elsewhere is only read', async () => {
    const zip = zipSync({
      '../../conversations.json': Buffer.from(JSON.stringify([TALK])),
      '/etc/passwd': Buffer.from('x'),
    });
    const root = await folderWith({ 'deep/er/export.zip': zip });
    expect((await readAll(chatGptReader, join(root, 'deep', 'er', 'export.zip'))).memories).toHaveLength(2);
    await expect(readAll(chatGptReader, join(root, 'conversations.json'))).rejects.toThrow('cannot be read');
  });

  test('that is cut off, no zip, or empty is said', async () => {
    const zip = zipSync({ 'conversations.json': [Buffer.from(JSON.stringify([TALK])), { level: 0 }] });
    const root = await folderWith({
      'cut.zip': zip.slice(0, zip.length / 2),
      'text.zip': 'no archive at all',
      'other.zip': zipSync({ 'a.txt': Buffer.from('a') }),
      'cut/conversations.json': JSON.stringify([TALK]).slice(0, -20),
    });
    await expect(readAll(chatGptReader, join(root, 'cut.zip'))).rejects.toThrow(/archive/i);
    for (const name of ['text.zip', 'other.zip'])
      expect((await readAll(chatGptReader, join(root, name))).skipped, name).toMatchObject([
        { reason: 'empty' },
      ]);
    expect((await readAll(chatGptReader, join(root, 'cut'))).skipped).toContainEqual({
      path: 'conversations.json',
      reason: 'malformed',
      detail: 'ends in the middle',
    });
    await expect(readAll(chatGptReader, root)).rejects.toThrow('holds no conversations.json');
  });

  test('is measured in bytes that are read', async () => {
    const root = await folderWith({ 'conversations.json': JSON.stringify([TALK]) });
    let bytes = 0;
    await readAll(chatGptReader, root, { onBytes: (more) => (bytes += more) });
    expect(await chatGptReader.measure(root, {})).toBe(bytes);
  });
});

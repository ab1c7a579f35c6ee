import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../testing.ts';
import { run } from './fake-terminal.ts';

let temporary: { folder: string; remove: () => void };
let home: string;
beforeEach(() => {
  temporary = temporaryFolder();
  home = path.join(temporary.folder, 'home');
});
afterEach(() => temporary.remove());

describe('reverie secret', () => {
  test('keeps what is piped in or typed, says that it is there, and never shows it', async () => {
    const piped = await run({ home, stdin: 'sk-piped-secret\n' }, 'secret', 'set', 'llm');
    const typed = await run({ home, typed: 'pass\u007fword\r' }, 'secret', 'set', 'smtp');
    const listed = await run({ home }, 'secret', 'list', '--json');
    expect([piped.code, typed.code, listed.code]).toEqual([0, 0, 0]);
    expect(JSON.parse(listed.out)).toMatchObject({
      secrets: [
        { name: 'llm', is_set: true },
        { name: 'embedding', is_set: false },
        { name: 'smtp', is_set: true },
      ],
    });
    for (const { out, err } of [piped, typed, listed]) expect(out + err).not.toMatch(/sk-piped|pasword/);
    if ((JSON.parse(listed.out) as { where: string }).where === 'file')
      expect(JSON.parse(fs.readFileSync(path.join(home, 'secrets.json'), 'utf8'))).toEqual({
        llm: 'sk-piped-secret',
        // No server is set yet: it is sent to none but one that is used and asks for a key.
        llm_origin: 'none',
        smtp: 'pasword',
      });
    expect((await run({ home }, 'secret', 'delete', 'llm')).code).toBe(0);
    await run({ home }, 'secret', 'delete', 'smtp');
    expect((await run({ home }, 'secret', 'list')).out).not.toMatch(/yes/);
  });

  test('keeps for which server a key is: the one that is named, else the configured one', async () => {
    const kept = () =>
      JSON.parse(fs.readFileSync(path.join(home, 'secrets.json'), 'utf8')) as Record<string, string>;
    await run({ home, stdin: 'sk-1\n' }, 'secret', 'set', 'llm', '--server', 'https://api.example.com/v1');
    const isInFile = fs.existsSync(path.join(home, 'secrets.json'));
    if (isInFile) expect(kept()).toEqual({ llm: 'sk-1', llm_origin: 'https://api.example.com' });
    fs.writeFileSync(
      path.join(home, 'config.json'),
      '{"embedding": {"base_url": "http://127.0.0.1:1234/v1", "model": "m"}}',
    );
    await run({ home, stdin: 'sk-2\n' }, 'secret', 'set', 'embedding');
    if (isInFile)
      expect(kept()).toMatchObject({ embedding: 'sk-2', embedding_origin: 'http://127.0.0.1:1234' });
    for (const one of ['llm', 'embedding']) await run({ home }, 'secret', 'delete', one);
    if (isInFile) expect(kept()).toEqual({});
    expect(await run({ home, stdin: 'x' }, 'secret', 'set', 'llm', '--server', 'nowhere')).toMatchObject({
      code: 1,
      err: expect.stringContaining('--server is nowhere') as string,
    });
  });

  test('refuses an empty one, several lines, and a name that it does not know', async () => {
    for (const stdin of ['', '\n', 'one\ntwo\n'])
      expect(await run({ home, stdin }, 'secret', 'set', 'llm')).toMatchObject({
        code: 2,
        err: expect.stringContaining('Secret llm: ') as unknown,
      });
    const unknown = await run({ home, stdin: 'x' }, 'secret', 'set', 'other');
    expect([unknown.code, unknown.err]).toEqual([2, expect.stringContaining('llm, embedding, smtp')]);
  });
});

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
        smtp: 'pasword',
      });
    expect((await run({ home }, 'secret', 'delete', 'llm')).code).toBe(0);
    await run({ home }, 'secret', 'delete', 'smtp');
    expect((await run({ home }, 'secret', 'list')).out).not.toMatch(/yes/);
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

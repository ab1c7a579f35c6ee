import fs from 'node:fs';
import path from 'node:path';
import {
  addEntries,
  type CodingSession,
  createSession,
  type SessionEntry,
} from '@reverie/shared/contract/sessions/sessions';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { seconds } from '@reverie/shared/testing/patience';
import { startTestDaemon, temporaryFolder, type TestDaemon } from '../../testing.ts';
import { has, like, run } from '../fake-terminal.ts';

let daemon: TestDaemon;
let temporary: { folder: string; remove: () => void };
let home: string;
beforeAll(async () => {
  temporary = temporaryFolder();
  daemon = await startTestDaemon({ env: { HOME: temporary.folder, CLAUDE_CONFIG_DIR: '' } });
  home = daemon.home.folder;
});
afterAll(async () => {
  await daemon.stop();
  temporary.remove();
});

const sessions = (...args: string[]) => run({ home }, 'sessions', ...args);
const typing = (typed: string, ...args: string[]) => run({ home, typed }, 'sessions', ...args);
type Given = Parameters<typeof daemon.call<typeof addEntries>>[1]['body']['entries'][number];
const begin = async (title: string, entries: Given[] = [], agent = 'my-agent') => {
  const { id } = await daemon.call(createSession, { body: { agent, title, project: 'acme/api' } });
  if (entries.length > 0) await daemon.call(addEntries, { params: { id }, body: { entries } });
  return id;
};
const json = <T>(out: string): T => JSON.parse(out) as T;
const TOKEN = `ghp_${'a1B2c3D4e5F6g7H8i9J0'.repeat(2).slice(0, 36)}`;

// Told in order: the first one is without any.
describe('reverie sessions', { shuffle: false }, () => {
  test('without sessions, a person is told how there come to be some', async () => {
    expect(await sessions()).toEqual({ code: 0, out: '', err: '' });
    expect(await typing('')).toMatchObject({ code: 0, err: has('reverie sessions sources') });
    expect(await typing('', 'list', '--status', 'live')).toMatchObject({
      err: 'There is no such session.\n',
    });
    expect(await typing('', 'formats')).toMatchObject({ err: has('No log was read yet') });
    expect(await sessions('show', 'cs_none')).toMatchObject({
      code: 1,
      err: has('There is no session "cs_none"'),
    });
    expect(await sessions('show', 'x')).toMatchObject({ code: 1, err: has('There is no session "x"') });
  });

  test('sessions are listed and narrowed', async () => {
    const id = await begin('Listed', [{ kind: 'prompt', text: 'x' }], 'lister');
    const row = (await sessions('list', '--agent', 'lister')).out.split('\t');
    expect(row.slice(0, 6)).toEqual([id, 'Listed', 'lister', 'acme/api', 'live', '1']);
    const many = async (...args: string[]) =>
      json<{ sessions: CodingSession[] }>(
        (await sessions('list', '--agent', 'lister', '--json', ...args)).out,
      ).sessions.length;
    expect(await many()).toBe(1);
    expect(await many('--project', 'acme/api', '--since', '2020-01-01', '--status', 'live')).toBe(1);
    expect(await many('--project', 'other')).toBe(0);
    expect(await many('--status', 'ended')).toBe(0);
    expect(await sessions('list', '--since', 'soon')).toMatchObject({
      code: 2,
      err: has('It must be a date'),
    });
    expect(await sessions('list', '--status', 'odd')).toMatchObject({ code: 2 });
    expect((await typing('', 'list')).out).toMatch(
      /^Id +Title +Agent +Project +Status +Entries +Last written to/,
    );
  });

  describe('an id', () => {
    test('may be its beginning, where that is of one alone', async () => {
      const first = await begin('First');
      const second = await begin('Second');
      let length = 6;
      while (first.slice(0, length) === second.slice(0, length)) length += 1;
      expect(await sessions('end', second.slice(0, length))).toMatchObject({ out: `${second} is ended.\n` });
      const both = await sessions('end', first.slice(0, length - 1));
      expect(both).toMatchObject({ code: 2, out: '', err: has('is the beginning of') });
      expect(await sessions('end', 'cs_zzzzzzz')).toMatchObject({ code: 1, err: has('There is no session') });
    });

    test('is completed at Tab', async () => {
      const id = await begin('Completed');
      const { out } = await run({ home }, 'complete', '--', 'sessions', 'show', 'cs_');
      expect(out).toContain(`${id}\tCompleted\n`);
      const agents = await run({ home }, 'complete', '--', 'sessions', 'enable', 'c');
      expect(agents.out).toBe('claude-code\t\ncodex\t\ncopilot\t\ncursor\t\ncline\t\n');
    });
  });

  describe('show', () => {
    const hostile = '\u001b[31mred\u001b[0m\u001b]0;owned\u0007 \u009b2J and plain';

    test('reads as a transcript; what tools said is short, and commands to the terminal are taken out', async () => {
      const id = await begin('Shown', [
        { kind: 'prompt', text: hostile },
        { kind: 'tool_call', text: 'npm test', tool: { name: 'Bash' } },
        { kind: 'tool_result', text: `${'line\n'.repeat(30)}end`, tool: { name: 'Bash', failed: true } },
        { kind: 'answer', text: 'x'.repeat(5_000) },
      ]);
      const { out } = await sessions('show', id);
      expect(out).toContain('red  and plain');
      expect(out).toMatch(/^Shown\nmy-agent · acme\/api · .* · 4 entries\n\n▌ \S+ {2}\d{4}-/);
      expect(out).toContain('\n    npm test\n');
      expect(out).toContain('Bash, result failed');
      expect(out).toContain('… 23 more lines; --whole shows it');
      expect(out).toContain('… 4.9 KiB in all; --whole shows it');
      expect(out).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
      const whole = (await sessions('show', id, '--whole')).out;
      expect(whole).toContain('    end\n');
      expect(whole).toContain('x'.repeat(5_000));
      const failed = (await sessions('show', id, '--failed')).out;
      expect(failed).not.toContain('npm test');
      expect(failed).toContain('Bash, result failed');
      const said = json<{ entries: SessionEntry[]; total: number }>(
        (await sessions('show', id, '--kinds', 'answer,tool_call', '--json')).out,
      );
      expect(said.entries.map(({ kind, text }) => [kind, text.length])).toEqual([
        ['tool_call', 8],
        ['answer', 5_000],
      ]);
      expect(await sessions('show', id, '--kinds', 'answers')).toMatchObject({
        code: 2,
        err: has("no kind 'answers'"),
      });
      expect(await sessions('show', id, '--entry', 'ent_00000000')).toMatchObject({
        code: 1,
        err: has('no entry'),
      });
      const { entries } = json<{ entries: SessionEntry[] }>((await sessions('show', id, '--json')).out);
      const last = entries.at(-1)?.id ?? '';
      const from = await sessions('show', id, '--entry', last.slice(0, 12), '--limit', '1', '--json');
      expect(json<{ entries: SessionEntry[] }>(from.out).entries.map((one) => one.id)).toEqual([last]);
    });

    test('comes screen by screen to a person, and whole through a pipe', async () => {
      const id = await begin(
        'Long',
        Array.from({ length: 230 }, (_, i): Given => ({ kind: 'prompt', text: `said-${i};` })),
      );
      const told = ({ out }: { out: string }) => out.match(/said-\d+;/g)?.length;
      const piped = await sessions('show', id);
      expect([told(piped), piped.err]).toEqual([230, '']);
      expect(told(await typing('', 'show', id))).toBe(20);
      expect(told(await typing('\n\n', 'show', id))).toBe(60);
      expect(told(await typing('\nq\n\n', 'show', id))).toBe(40);
      expect(told(await sessions('show', id, '--limit', '130'))).toBe(130);
    });
  });

  test('search names the session, the entry and what fits', async () => {
    const id = await begin('Found', [{ kind: 'answer', text: 'The staging database listens on port 5433.' }]);
    const [score, session, entry, , kind, title, text] = (
      await sessions('search', 'staging', 'database', 'port')
    ).out
      .trim()
      .split('\t');
    expect([session, kind, title, text]).toEqual([id, 'answer', 'Found', has('port 5433')]);
    expect(score).toMatch(/^\d\.\d\d$/);
    expect(entry).toMatch(/^ent_/);
    expect((await typing('', 'search', 'staging', 'database', '-s', id)).out).toContain(`${id} --entry ent_`);
    expect(await typing('', 'search', 'lemon', 'cake')).toMatchObject({
      code: 0,
      err: has('Nothing was found'),
    });
  });

  test('notes are written, from words or a pipe, and about an entry', async () => {
    const id = await begin('Noted', [{ kind: 'prompt', text: 'x' }]);
    const { entries } = json<{ entries: SessionEntry[] }>((await sessions('show', id, '--json')).out);
    expect(await sessions('note', id, 'look', 'here', '--entry', entries[0]?.id ?? '')).toMatchObject({
      code: 0,
      out: like(/^ent_[0-9a-f]{26}\n$/),
    });
    expect((await run({ home, stdin: 'piped\n' }, 'sessions', 'note', id)).code).toBe(0);
    expect(await run({ home, stdin: ' ' }, 'sessions', 'note', id, '-')).toMatchObject({ code: 2 });
    const { out } = await sessions('show', id, '--kinds', 'note');
    expect(out).toMatch(/a note {2}.* about ent_[0-9a-f]{8}\nlook here\n/);
    expect(out).toContain('piped');
  });

  test('a session is renamed, ended and deleted, which asks first', async () => {
    const id = await begin('Old');
    expect(await sessions('rename', id)).toMatchObject({ code: 2, err: has('--namespace') });
    expect((await sessions('rename', id, 'A', 'better', 'title', '-n', 'work')).out).toBe(
      `${id} is "A better title" now, in work.\n`,
    );
    expect((await sessions('end', id)).out).toBe(`${id} is ended.\n`);
    expect(await sessions('delete', id)).toMatchObject({ code: 2, err: has('add --yes') });
    expect(await typing('no\n', 'delete', id)).toMatchObject({ code: 1, err: has('Nothing was deleted') });
    expect(await typing('delete\n', 'delete', id)).toMatchObject({
      code: 0,
      out: `Deleted ${id} with 0 entries.\n`,
      err: has('A better title'),
    });
    expect((await sessions('show', id)).code).toBe(1);
  });

  describe('export', () => {
    test('writes a file that was not there, says what was taken out, and asks before secrets stay in it', async () => {
      const id = await begin('Exported', [{ kind: 'prompt', text: `The token is ${TOKEN}` }]);
      const file = path.join(temporary.folder, 'exported.html');
      expect(await sessions('export', id, '-o', file)).toMatchObject({
        code: 0,
        out: '',
        err: has('1 secret taken out'),
      });
      const html = fs.readFileSync(file, 'utf8');
      expect(html).toMatch(/^<!doctype html>/);
      expect(html).not.toContain(TOKEN);
      expect(fs.statSync(file).mode & 0o777).toBe(0o600);
      expect(await sessions('export', id, '-o', file)).toMatchObject({ code: 1, err: has('already') });
      const piped = await sessions('export', id);
      expect(piped.out).toMatch(/^# Exported\n/);
      expect(await typing('', 'export', id)).toMatchObject({ code: 2, err: has('--output') });
      expect(await sessions('export', id, '--json')).toMatchObject({ code: 2 });
      expect(await sessions('export', id, '--secrets')).toMatchObject({ code: 2, err: has('--yes') });
      const whole = path.join(temporary.folder, 'whole.md');
      expect(await typing('no\n', 'export', id, '--secrets', '-o', whole)).toMatchObject({ code: 1 });
      expect(fs.existsSync(whole)).toBe(false);
      const told = await sessions('export', id, '--secrets', '--yes', '-o', whole, '--json');
      expect(json(told.out)).toEqual({
        id,
        format: 'md',
        file: whole,
        entries: 1,
        redactions: 0,
        leftOut: 0,
        secrets: true,
      });
      expect(fs.readFileSync(whole, 'utf8')).toContain(TOKEN);
    });
  });

  describe('going on elsewhere', () => {
    const agent = (name: string) => {
      const folder = path.join(temporary.folder, `bin-${name}`);
      fs.mkdirSync(folder, { recursive: true });
      const said = path.join(folder, 'said');
      const program = `#!/usr/bin/env node\nrequire('fs').writeFileSync(${JSON.stringify(said)}, JSON.stringify([process.cwd(), ...process.argv.slice(2)]));process.exit(process.argv.length === 3 ? 0 : 3);\n`;
      fs.writeFileSync(path.join(folder, name), program, { mode: 0o755 });
      return {
        env: { PATH: `${folder}:${process.env['PATH'] ?? ''}` },
        said: () => json<string[]>(fs.readFileSync(said, 'utf8')),
      };
    };

    test('a hand-over is printed, within a limit', async () => {
      const id = await begin('Handed', [{ kind: 'prompt', text: `Add limits, with ${TOKEN}` }]);
      const { out, err } = await sessions('handover', id, '--max-tokens', '300');
      expect(out).toMatch(/^# Hand-over: Handed\n/);
      expect(out).not.toContain(TOKEN);
      expect(err).toMatch(/^About \d+ tokens; 0 entries not quoted, 2 secrets taken out\.\n$/);
      expect(await sessions('handover', id, '--max-tokens', '10')).toMatchObject({ code: 2 });
    });

    test('resume begins the agent with the hand-over as one argument, through no shell', async () => {
      const id = await begin('Resumed', [
        { kind: 'prompt', text: '$(touch owned) `touch owned` "; touch owned' },
      ]);
      const codex = agent('codex');
      expect(await sessions('resume', id)).toMatchObject({
        code: 2,
        err: has('--in claude-code or --in codex'),
      });
      const began = await run({ home, env: codex.env }, 'sessions', 'resume', id, '--in', 'codex');
      expect(began).toMatchObject({ code: 0, err: has('begins with a hand-over') });
      const [, prompt, ...more] = codex.said();
      expect(more).toEqual([]);
      expect(prompt).toContain('$(touch owned) `touch owned` "; touch owned');
      const printed = await sessions('resume', id, '--in', 'codex', '--print');
      expect(printed.out).toMatch(/^codex 'Go on with the work/);
      const missing = await run(
        { home, env: { PATH: temporary.folder } },
        'sessions',
        'resume',
        id,
        '--in',
        'claude-code',
      );
      expect(missing).toMatchObject({ code: 1, err: has('no command `claude`') });
    });

    test(
      "what an agent's log says is shown before it is read; then the agent opens its own",
      async () => {
        const source = '3f2a0b1c-1111-4222-8333-444455556666';
        const work = fs.realpathSync(temporary.folder);
        const root = path.join(temporary.folder, '.claude', 'projects');
        const log = path.join(root, '-work', `${source}.jsonl`);
        fs.mkdirSync(path.dirname(log), { recursive: true });
        const record = {
          type: 'user',
          uuid: 'a1',
          parentUuid: null,
          sessionId: source,
          cwd: work,
          version: '2.1.230',
          timestamp: new Date(daemon.clock.now()).toISOString(),
          isSidechain: false,
          userType: 'external',
          message: { role: 'user', content: 'Fix the login bug' },
        };
        fs.writeFileSync(log, `${JSON.stringify(record)}\n`);
        const listed = (await sessions('sources')).out
          .split('\n')
          .find((row) => row.startsWith('claude-code'));
        expect(listed?.split('\t')).toEqual(['claude-code', 'off', '1', String(fs.statSync(log).size), root]);
        expect(await sessions('enable', 'claude-code')).toMatchObject({ code: 2, err: has('add --yes') });
        expect(await sessions('enable', 'emacs')).toMatchObject({ code: 2 });
        const refused = await typing('no\n', 'enable', 'claude-code');
        expect(refused).toMatchObject({ code: 1, out: '', err: has('Nothing was read.') });
        expect(refused.err).toContain(
          `1 file, ${fs.statSync(log).size} bytes, in ${root}\n  -work/${source}.jsonl\n`,
        );
        const elsewhere = path.join(temporary.folder, 'elsewhere');
        expect(await typing('', 'enable', 'claude-code', '--root', elsewhere)).toMatchObject({
          code: 1,
          err: has(`there is no folder ${elsewhere}`),
        });
        expect((await sessions('list', '--agent', 'claude-code')).out).toBe('');
        expect(await typing('enable\n', 'enable', 'claude-code')).toMatchObject({
          code: 0,
          out: `Following Claude Code, in ${root}.\n`,
        });
        const id = await vi.waitFor(
          async () => {
            const [found = ''] = (await sessions('list', '--agent', 'claude-code')).out.split('\t');
            expect(found).toMatch(/^cs_/);
            return found;
          },
          { timeout: seconds(30) },
        );
        expect((await sessions('enable', 'claude-code', '--yes')).out).toContain('is followed already');
        expect(await sessions('enable', 'claude-code', '--yes', '--root', elsewhere)).toMatchObject({
          code: 2,
        });
        const claude = agent('claude');
        await vi.waitFor(async () =>
          expect((await sessions('resume', id, '--print')).out).toBe(
            `cd ${work} && claude --resume ${source}\n`,
          ),
        );
        // The agent ends with 3 where it has two arguments.
        expect(await run({ home, env: claude.env }, 'sessions', 'resume', id)).toMatchObject({ code: 1 });
        expect(claude.said()).toEqual([work, '--resume', source]);
        expect((await sessions('formats')).out).toMatch(/^claude-code\t2\.1\.230\tuser\tyes\t1\t/m);
        fs.appendFileSync(log, `${JSON.stringify(record).slice(0, 99)}\n{"type":"holo-deck"}\n`);
        const lost = '1 line could not be read';
        await vi.waitFor(
          async () => expect((await sessions('sources')).err).toContain(`Claude Code: ${lost}`),
          {
            timeout: seconds(30),
          },
        );
        expect((await sessions('list', '--agent', 'claude-code')).err).toContain(`${id}: ${lost}`);
        const unknown = '1 record of a kind that this version does not know';
        expect((await sessions('show', id)).out).toContain(`${lost} · ${unknown}`);
        expect((await sessions('formats')).err).toContain(`claude-code: ${lost}`);
        expect((await run({ home }, 'doctor')).out).toMatch(
          /^warning {2}Session logs: Claude Code: 1 line could not be read$/m,
        );
        expect((await sessions('disable', 'claude-code')).out).toContain('is not followed any more');
        expect((await sessions('show', id)).out).toContain('Fix the login bug');
      },
      seconds(60),
    );
  });

  test('what needs a link to a relay says how to make one', async () => {
    const id = await begin('Alone', [{ kind: 'prompt', text: 'x' }]);
    expect(await sessions('share', id)).toMatchObject({ code: 2, err: has('--yes') });
    expect(await sessions('share', id, '--yes', '--expires', '1y')).toMatchObject({
      code: 2,
      err: has('a span'),
    });
    expect(await sessions('share', id, '--yes', '--expires', '40d')).toMatchObject({ code: 2 });
    expect(await sessions('join', 'cs_x')).toMatchObject({ code: 2, err: has('whole link') });
    for (const args of [
      ['share', id, '--yes'],
      ['join', `https://relay.example.org/join/inv_01#secret~cs_${'0'.repeat(26)}`],
    ])
      expect([args, await sessions(...args)]).toEqual([
        args,
        expect.objectContaining({ code: 1, err: has('reverie link') }),
      ]);
    for (const args of [
      ['unshare', id, '--yes'],
      ['leave', id],
      ['remove', id, 'acc_1'],
      ['revoke', id, 'inv_1'],
    ])
      expect([args, (await sessions(...args)).code]).toEqual([args, 1]);
  });
});

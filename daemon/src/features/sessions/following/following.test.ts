import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import { listEvents } from '@reverie/shared/contract/events/events';
import { addFolder } from '@reverie/shared/contract/memories/folders';
import { listMemories } from '@reverie/shared/contract/memories/memories';
import { exportSession } from '@reverie/shared/contract/sessions/session-export';
import { listFormats, listSources, setSource } from '@reverie/shared/contract/sessions/session-sources';
import * as contract from '@reverie/shared/contract/sessions/sessions';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { seconds } from '@reverie/shared/testing/patience';
import {
  assistantLine,
  CLAUDE_FILE,
  CLAUDE_SESSION,
  claudeTime,
  resultLine,
  userLine,
} from '@reverie/session-logs/testing/claude-lines';
import { CODEX_FILE, legacyAnswer, legacyPrompt, metaLine } from '@reverie/session-logs/testing/codex-lines';
import { startTestDaemon, temporaryFolder, type TestDaemon } from '../../../testing.ts';
import { LONGEST_TURN, turnsOf } from '../../../testing/turns.ts';

let home: ReturnType<typeof temporaryFolder>;
let daemon: TestDaemon;
let log: string;

beforeEach(async () => {
  home = temporaryFolder();
  daemon = await startTestDaemon({ env: { HOME: home.folder } });
  log = path.join(home.folder, '.claude/projects', CLAUDE_FILE);
  fs.mkdirSync(path.dirname(log), { recursive: true });
});
afterEach(async () => {
  await daemon.stop();
  home.remove();
});

const line = (record: object) => `${JSON.stringify(record)}\n`;
const prompt = (n: number) => line(userLine(`u${n}`, `question ${n}`));
const enable = (agent: contract.SessionAgent = 'claude-code', enabled = true) =>
  daemon.call(setSource, { params: { agent }, body: { enabled } });
const source = async (agent: contract.SessionAgent = 'claude-code') => {
  const found = (await daemon.call(listSources, {})).sources.find((one) => one.agent === agent);
  if (!found) throw new Error('no such source');
  return found;
};
const sessions = async () =>
  (await daemon.call(contract.listSessions, { query: { subagents: 'true' } })).sessions;
const texts = async () => {
  const [session] = await sessions();
  if (!session) return [];
  const { entries } = await daemon.call(contract.listEntries, {
    params: { id: session.id },
    query: { limit: 500 },
  });
  return entries.map(({ text }) => text);
};
const soon = (run: () => Promise<void>) => vi.waitFor(run, { timeout: seconds(20), interval: 20 });
const say = (expected: string[]) => soon(async () => expect(await texts()).toEqual(expected));
const following = (agent: contract.SessionAgent = 'claude-code') =>
  soon(async () => expect((await source(agent)).state.kind).toBe('following'));

test('nothing is read before somebody agreed; what would be read is shown by its names', async () => {
  fs.writeFileSync(log, prompt(1));
  const before = await source();
  expect(before).toMatchObject({
    name: 'Claude Code',
    found: true,
    sessions: 1,
    enabled: false,
    enabled_at: null,
    root: path.join(home.folder, '.claude/projects'),
    sample: [CLAUDE_FILE],
    state: { kind: 'off' },
  });
  await daemon.restart();
  expect(await sessions()).toEqual([]);
  expect((await enable()).enabled).toBe(true);
  await say(['question 1']);
  await enable('claude-code', false);
  fs.appendFileSync(log, prompt(2));
  await daemon.restart();
  expect((await source()).state).toEqual({ kind: 'off' });
  expect(await texts()).toEqual(['question 1']);
});

test('what is appended is there soon, and told; old logs are taken in without a word', async () => {
  fs.writeFileSync(log, prompt(1));
  await enable();
  await following();
  const told = async () => (await daemon.call(listEvents, { query: { type: 'session.entry' } })).events;
  expect(await texts()).toEqual(['question 1']);
  expect(await told()).toEqual([]);
  // A line that is not whole yet is not read.
  const whole = prompt(2);
  fs.appendFileSync(log, whole.slice(0, 20));
  fs.appendFileSync(log, whole.slice(20));
  await say(['question 1', 'question 2']);
  await soon(async () => expect((await told()).map(({ data }) => data.after?.['entries'])).toEqual([1]));
  const { hits } = await daemon.call(contract.searchSessions, { query: { q: 'question 2' } });
  expect(hits.length).toBeGreaterThan(0);
});

test('a log that is rewritten, cut, replaced, moved or deleted ends in what it says, and nothing is lost', async () => {
  fs.writeFileSync(log, prompt(1) + prompt(2));
  await enable();
  await say(['question 1', 'question 2']);
  // Rewritten in place, longer than before.
  fs.writeFileSync(log, line({ type: 'mode', mode: 'plan' }) + prompt(1) + prompt(2) + prompt(3));
  await say(['question 1', 'question 2', 'question 3']);
  // Cut, and written on.
  fs.truncateSync(log, 0);
  fs.appendFileSync(log, prompt(4));
  await say(['question 1', 'question 2', 'question 3', 'question 4']);
  // Replaced by another file of its name.
  fs.writeFileSync(`${log}.new`, prompt(4) + prompt(5));
  fs.renameSync(`${log}.new`, log);
  await say(['question 1', 'question 2', 'question 3', 'question 4', 'question 5']);
  fs.rmSync(log);
  await daemon.restart();
  expect(await texts()).toHaveLength(5);
  const [session] = await sessions();
  expect(session?.entries).toBe(5);
});

test('what was written while nobody looked is read at the next start, each once', async () => {
  fs.writeFileSync(log, prompt(1));
  await enable();
  await say(['question 1']);
  fs.appendFileSync(log, prompt(2));
  await daemon.restart();
  await say(['question 1', 'question 2']);
  const [session] = await sessions();
  expect(session).toMatchObject({ entries: 2 });
});

test('a session that was deleted is not read again', async () => {
  fs.writeFileSync(log, prompt(1));
  await enable();
  await say(['question 1']);
  const [session] = await sessions();
  await daemon.call(contract.deleteSession, { params: { id: session?.id ?? '' } });
  fs.appendFileSync(log, prompt(2));
  const other = path.join(path.dirname(log), '11111111-8b1d-4c55-9a55-0d6c2f0e7a11.jsonl');
  fs.writeFileSync(
    other,
    line({ ...userLine('v1', 'another'), sessionId: '11111111-8b1d-4c55-9a55-0d6c2f0e7a11' }),
  );
  await say(['another']);
  expect(await sessions()).toHaveLength(1);
});

test('lines that are no records, and records that are not known, are counted; what is said in those is kept whole', async () => {
  const unknown = { type: 'holo-deck', sessionId: CLAUDE_SESSION, uuid: 'h1' };
  fs.writeFileSync(
    log,
    `${prompt(1)}{"half\n${line({ ...unknown, message: { role: 'user', content: 'Beam me up' } })}`,
  );
  await enable();
  await soon(async () => expect(await texts()).toHaveLength(2));
  const { formats, malformed } = await daemon.call(listFormats, {});
  expect(malformed).toEqual([{ agent: 'claude-code', lines: 1 }]);
  expect(formats[0]).toMatchObject({ record: 'holo-deck', known: false, count: 1 });
  const [session] = await sessions();
  expect(session).toMatchObject({ entries: 2, others: 1, unknown_records: 1 });
  fs.appendFileSync(log, line({ ...unknown, deck: 7 }).repeat(3) + prompt(2));
  await soon(async () => expect(await texts()).toHaveLength(3));
  const state = { entries: 3, others: 1, unknown_records: 4 };
  expect(await onlySession()).toMatchObject(state);
  await daemon.restart();
  await following();
  fs.appendFileSync(log, line({ ...unknown, deck: 8 }));
  await soon(async () => expect(await onlySession()).toMatchObject({ ...state, unknown_records: 5 }));
});

test('of the kinds of records that a log names 500 are told, the ones that are not known first', async () => {
  const kinds = Array.from({ length: 700 }, (_, n) => line({ type: `kind ${n}`, sessionId: CLAUDE_SESSION }));
  fs.writeFileSync(log, `${prompt(1)}${kinds.join('')}${prompt(2)}`);
  await enable();
  const told = async () => (await daemon.call(listFormats, {})).formats.map(({ record }) => record);
  await soon(async () => expect(await told()).toHaveLength(500));
  expect(await told()).not.toContain('user');
});

const onlySession = async () => (await sessions())[0];
const unread = async () => [(await onlySession())?.unread_lines, (await source()).unread_lines];

test('what could not be read is counted, the same in any pieces, after restarts, rewrites and moves', async () => {
  const cut = prompt(2).slice(0, 180);
  fs.writeFileSync(log, prompt(1) + cut);
  await enable();
  await say(['question 1']);
  await following();
  // A last line without its end may still be written.
  expect(await unread()).toEqual([0, 0]);
  fs.appendFileSync(log, prompt(3) + prompt(4).replace('\n', `${'\0'.repeat(9_000)}\n`));
  await say(['question 1', 'question 3', 'question 4']);
  expect(await unread()).toEqual([1, 1]);
  fs.appendFileSync(log, `${cut}\n${prompt(5).trim()}${prompt(6)}`);
  await say([1, 3, 4, 5, 6].map((n) => `question ${n}`));
  expect(await unread()).toEqual([2, 2]);
  await daemon.restart();
  await following();
  expect(await unread()).toEqual([2, 2]);
  // Another file of its name, which is as long but for one line.
  fs.writeFileSync(log, prompt(1) + cut + prompt(7));
  await soon(async () => expect(await texts()).toHaveLength(6));
  expect(await unread()).toEqual([1, 1]);
  // As Codex does with what it archives.
  const elsewhere = path.join(home.folder, '.claude/projects/-home-ana-moved', path.basename(log));
  fs.mkdirSync(path.dirname(elsewhere));
  fs.renameSync(log, elsewhere);
  fs.appendFileSync(elsewhere, prompt(8));
  await soon(async () => expect(await texts()).toHaveLength(7));
  expect(await unread()).toEqual([1, 1]);
  const { malformed } = await daemon.call(listFormats, {});
  expect(malformed).toEqual([{ agent: 'claude-code', lines: 1 }]);
});

test('entries stand in the order of the log, whatever its clock did, wherever the order is asked for', async () => {
  const at = (n: number, second: number, text = `said ${n}`) =>
    line(userLine(`u${n}`, text, { timestamp: claudeTime(second) }));
  const order = [1, 2, 3, 4, 5, 6].map((n) => `said ${n}`);
  // The clock is put right by an hour between the second and the third, and later stands still.
  fs.writeFileSync(log, at(1, 3_600) + at(2, 3_605) + at(3, 10));
  await enable();
  await say(order.slice(0, 3));
  fs.appendFileSync(log, at(4, 15) + at(5, 15) + at(6, 3_606, 'said 6'));
  await say(order);
  const id = (await onlySession())?.id ?? '';
  await daemon.call(contract.addEntries, {
    params: { id },
    body: { entries: [{ kind: 'note', text: 'a note' }] },
  });
  const page = (query: object) => daemon.call(contract.listEntries, { params: { id }, query });
  const { entries } = await page({});
  expect(entries.map(({ text }) => text)).toEqual([...order, 'a note']);
  expect(entries.map((entry) => entry.order)).toEqual(entries.map((entry) => entry.order).toSorted());
  expect(entries.slice(0, 3).map((entry) => entry.at)).toEqual([3_600, 3_605, 10].map(claudeTime));
  const first = await page({ limit: 3 });
  const second = await page({ limit: 3, after: first.after });
  expect([...first.entries, ...second.entries].map(({ text }) => text)).toEqual(order);
  expect((await page({ limit: 3, before: second.before })).entries).toEqual(first.entries);
  const around = await page({ around: entries[3]?.id, limit: 6 });
  expect(around.entries.map(({ text }) => text)).toEqual([...order.slice(1), 'a note']);
  const { markdown } = await daemon.call(contract.handOver, { params: { id }, query: {} });
  expect(markdown).toContain('Not answered yet: said 6');
  const exported = await daemon.call(exportSession, { params: { id }, query: { format: 'md' } });
  expect([...new Set(JSON.stringify(exported).match(/said \d/g))].slice(-6)).toEqual(order);
  // Read again from its beginning, all is where it was.
  await daemon.restart();
  fs.appendFileSync(log, line({ type: 'mode', mode: 'plan', sessionId: CLAUDE_SESSION }));
  await following();
  expect((await page({})).entries).toEqual(entries);
});

test('a time that cannot be is that of the record before it, or of the file', async () => {
  const at = (n: number, timestamp: unknown) => line(userLine(`u${n}`, `said ${n}`, { timestamp }));
  const now = daemon.clock.now();
  const minutes = (n: number) => new Date(now + n * 60_000).toISOString();
  fs.writeFileSync(
    log,
    at(1, '2198-05-01T00:00:00.000Z') + at(2, minutes(-90)) + at(3, '1999-12-31T23:59:59Z'),
  );
  fs.appendFileSync(
    log,
    at(4, minutes(5)) + at(5, minutes(60)) + at(6, 'soon') + at(7, 8.64e15) + at(8, minutes(-80)),
  );
  await enable();
  await soon(async () => expect(await texts()).toHaveLength(8));
  const session = await onlySession();
  const { entries } = await daemon.call(contract.listEntries, {
    params: { id: session?.id ?? '' },
    query: {},
  });
  expect(entries.map(({ text }) => text)).toEqual([1, 2, 3, 4, 5, 6, 7, 8].map((n) => `said ${n}`));
  const [born, ...times] = entries.map((entry) => entry.at);
  expect(Math.abs(Date.parse(born ?? '') - Date.now())).toBeLessThan(600_000);
  expect(times).toEqual([-90, -90, 5, 5, 5, 5, -80].map(minutes));
  expect(session?.updated_at).toBe(minutes(5));
});

test('a time of the year 2198 that a program writes is now', async () => {
  const { id } = await daemon.call(contract.createSession, { body: { agent: 'mine' } });
  const given = ['2198-05-01T00:00:00.000Z', '1970-01-01T00:00:00.000Z'];
  for (const at of given)
    await daemon.call(contract.addEntries, {
      params: { id },
      body: { entries: [{ kind: 'answer', text: at, at }] },
    });
  const { entries } = await daemon.call(contract.listEntries, { params: { id }, query: {} });
  for (const { at } of entries) expect(Math.abs(Date.parse(at) - daemon.clock.now())).toBeLessThan(600_000);
  const { started_at, updated_at } = await daemon.call(contract.getSession, { params: { id } });
  for (const at of [started_at, updated_at])
    expect(Math.abs(Date.parse(at) - daemon.clock.now())).toBeLessThan(600_000);
});

test('a subagent is a session of its own below the one that began it', async () => {
  fs.writeFileSync(
    log,
    prompt(1) +
      line(assistantLine('a1', { content: [{ type: 'text', text: 'On it.' }] })) +
      line(resultLine('r1', { call: 'toolu_01', content: 'done' })),
  );
  const below = path.join(log.replace('.jsonl', ''), 'subagents');
  fs.mkdirSync(below, { recursive: true });
  fs.writeFileSync(
    path.join(below, 'agent-7.jsonl'),
    line({ ...userLine('s1', 'look for it'), isSidechain: true, agentId: '7' }),
  );
  await enable();
  await soon(async () => expect(await sessions()).toHaveLength(2));
  await soon(async () => {
    const child = (await sessions()).find(({ parent }) => parent?.kind === 'subagent');
    const main = (await sessions()).find(({ parent }) => parent === null);
    expect(child?.parent?.id).toBe(main?.id);
  });
  expect((await daemon.call(contract.listSessions, { query: {} })).sessions).toHaveLength(1);
});

test('a session of which a log only says that it began is listed once something is said in it', async () => {
  const rollout = path.join(home.folder, '.codex', CODEX_FILE);
  fs.mkdirSync(path.dirname(rollout), { recursive: true });
  fs.writeFileSync(rollout, line(metaLine()));
  await enable('codex');
  await following('codex');
  expect((await daemon.call(listFormats, {})).formats).toMatchObject([{ record: 'session_meta' }]);
  expect(await sessions()).toEqual([]);
  fs.appendFileSync(rollout, legacyPrompt('Add rate limits').map(line).join(''));
  await say(['Add rate limits']);
});

test('a compressed log of Codex is read, and again once it grew, each entry once', async () => {
  const file = path.join(home.folder, '.codex', `${CODEX_FILE}.zst`);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  const lines = [metaLine(), ...legacyPrompt('compressed question'), ...legacyAnswer('compressed answer')];
  const write = (some: readonly object[]) =>
    fs.writeFileSync(file, zstdCompressSync(some.map(line).join('')));
  write(lines);
  await enable('codex');
  await say(['compressed question', 'compressed answer']);
  write([...lines, ...legacyPrompt('another', 9)]);
  await say(['compressed question', 'compressed answer', 'another']);
});

test('a folder that is not there is waited for, a link is not followed, and a wrong root is named', async () => {
  expect((await enable('codex')).state.kind).toBe('reading');
  await soon(async () => expect((await source('codex')).state.kind).toBe('absent'));
  const outside = temporaryFolder();
  fs.writeFileSync(path.join(outside.folder, `${CLAUDE_SESSION}.jsonl`), prompt(1));
  fs.symlinkSync(outside.folder, path.join(home.folder, '.claude/projects/linked'));
  await enable();
  await following();
  expect(await sessions()).toEqual([]);
  outside.remove();
  const refused = daemon.call(setSource, {
    params: { agent: 'claude-code' },
    body: { enabled: true, root: 'relative/folder' },
  });
  await expect(refused).rejects.toMatchObject({ code: 'invalid_request' });
  await expect(
    daemon.as(daemon.apiKey)(setSource, { params: { agent: 'codex' }, body: { enabled: true } }),
  ).rejects.toMatchObject({ code: 'forbidden_scope' });
});

test('the memory that an agent keeps itself is named, and read only as a folder that is followed', async () => {
  const project = path.join(home.folder, 'app');
  fs.mkdirSync(path.join(project, '.claude/rules'), { recursive: true });
  fs.mkdirSync(path.join(project, '.git'));
  fs.writeFileSync(path.join(project, '.git/HEAD'), 'ref: refs/heads/main\n');
  fs.writeFileSync(
    path.join(project, '.git/config'),
    '[remote "origin"]\n  url = git@github.com:ada/app.git\n',
  );
  fs.writeFileSync(path.join(project, 'CLAUDE.md'), '# Use tabs');
  const own = path.join(path.dirname(log), 'memory');
  fs.mkdirSync(own);
  fs.writeFileSync(log, line(userLine('u1', 'question', { cwd: project })));
  expect((await source()).memory).toEqual([
    {
      path: own,
      what: expect.any(String) as string,
      followed: false,
      follow: { path: own, format: 'claude-code', namespace: 'default' },
    },
  ]);
  await enable();
  await say(['question']);
  const follow = {
    path: fs.realpathSync(project),
    format: 'agent-files' as const,
    namespace: 'project/ada/app',
  };
  const named = (await source()).memory.map(({ what: _, ...place }) => place);
  expect(named).toEqual([
    { path: own, follow: { path: own, format: 'claude-code', namespace: 'default' }, followed: false },
    { path: path.join(project, 'CLAUDE.md'), follow, followed: false },
    { path: path.join(project, '.claude/rules'), follow, followed: false },
  ]);
  await daemon.call(addFolder, { body: follow });
  await soon(async () => {
    const { memories } = await daemon.call(listMemories, { body: { namespace: follow.namespace } });
    expect(memories.map(({ key, value }) => [key, value])).toEqual([['CLAUDE.md', '# Use tabs']]);
  });
  expect((await source()).memory.map(({ followed }) => followed)).toEqual([false, true, true]);
});

test('what a log says is stored in small turns, however much one record says', async () => {
  await enable();
  const isStored = (text: string) =>
    soon(async () => expect((await texts()).some((one) => one.startsWith(text))).toBe(true));
  const write = (text: string) => {
    fs.appendFileSync(log, line(userLine(text, `${text} ${'x'.repeat(Number(text.slice(1)) * 1e6)}`)));
    return turnsOf(() => isStored(text));
  };
  await write('m0');
  const small = await write('m1');
  // The calmer of two, for the daemon has work of its own.
  const large = [await write('m20'), await write('m21')].map(({ longest }) => longest);
  expect(Math.min(...large)).toBeLessThan(4 * small.longest);
  const [session] = await sessions();
  const last = await daemon.call(contract.listEntries, {
    params: { id: session?.id ?? '' },
    query: { since: 2, text: 'whole' },
  });
  expect(last.entries.map(({ text, bytes }) => [text.length, bytes])).toEqual([[1_000_000, 20_000_004]]);
  const calls = Array.from({ length: 2_000 }, (_, n) => ({
    type: 'tool_use',
    id: `t${n}`,
    name: 'Read',
    input: { file_path: `/p/${n}` },
  }));
  fs.appendFileSync(log, line(assistantLine('many', { id: 'msg_many', content: calls })));
  const many = await turnsOf(async () => {
    await soon(async () => expect((await sessions())[0]?.entries).toBe(2_004));
  });
  expect(many.longest).toBeLessThan(LONGEST_TURN);
});

test('names of a log that are none are left out, and files beyond what an entry may name', async () => {
  const cwd = `/${'a'.repeat(1_000_000)}`;
  const long = { cwd, gitBranch: cwd, version: cwd };
  const input = { file_path: cwd };
  fs.writeFileSync(
    log,
    line({ ...userLine('u1', 'question'), ...long }) +
      line({
        ...assistantLine('b1', { content: [{ type: 'tool_use', id: 't1', name: cwd, input }] }),
        ...long,
      }),
  );
  if (process.platform !== 'win32')
    execFileSync('mkfifo', [path.join(path.dirname(log), '22222222-8b1d-4c55-9a55-0d6c2f0e7a11.jsonl')]);
  await enable();
  await following();
  const [session] = await sessions();
  expect(session).toMatchObject({ folder: null, branch: null, entries: 2 });
  const { entries } = await daemon.call(contract.listEntries, {
    params: { id: session?.id ?? '' },
    query: {},
  });
  expect(entries.map(({ files }) => files)).toEqual([[], []]);
  expect(entries.map(({ tool }) => (tool?.name ?? '').length <= 256)).toEqual([true, true]);
});

import fs from 'node:fs';
import path from 'node:path';
import { resumeSession, type ResumingAgent } from '@reverie/shared/contract/sessions/session-export';
import { setSource } from '@reverie/shared/contract/sessions/session-sources';
import { addEntries, createSession, listSessions } from '@reverie/shared/contract/sessions/sessions';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { seconds } from '@reverie/shared/testing/patience';
import { startTestDaemon, temporaryFolder, type TestDaemon } from '../../../testing.ts';

const SESSION = '3f2a0b1c-1111-4222-8333-444455556666';

let daemon: TestDaemon;
let temporary: { folder: string; remove: () => void };
beforeEach(async () => {
  daemon = await startTestDaemon();
  temporary = temporaryFolder();
});
afterEach(async () => {
  await daemon.stop();
  temporary.remove();
});

const resume = (id: string, agent: ResumingAgent) =>
  daemon.call(resumeSession, { params: { id }, query: { in: agent } });

test('a session whose log is here is opened by its own agent, and handed over to another', async () => {
  const root = path.join(temporary.folder, 'projects');
  const log = path.join(root, '-work', `${SESSION}.jsonl`);
  fs.mkdirSync(path.dirname(log), { recursive: true });
  const record = {
    type: 'user',
    uuid: 'a1',
    parentUuid: null,
    sessionId: SESSION,
    cwd: temporary.folder,
    version: '2.1.230',
    timestamp: new Date(daemon.clock.now()).toISOString(),
    isSidechain: false,
    userType: 'external',
    message: { role: 'user', content: 'Fix the login bug' },
  };
  fs.writeFileSync(log, `${JSON.stringify(record)}\n`);
  await daemon.call(setSource, { params: { agent: 'claude-code' }, body: { enabled: true, root } });
  const id = await vi.waitFor(
    async () => {
      const { sessions } = await daemon.call(listSessions, { query: {} });
      expect(sessions).toHaveLength(1);
      return sessions[0]?.id ?? '';
    },
    { timeout: seconds(20) },
  );
  await vi.waitFor(async () =>
    expect(await resume(id, 'claude-code')).toEqual({
      how: 'own',
      agent: 'claude-code',
      folder: temporary.folder,
      redactions: 0,
      command: ['claude', '--resume', SESSION],
    }),
  );
  const other = await resume(id, 'codex');
  expect(other).toMatchObject({ how: 'handover', folder: temporary.folder });
  expect(other.command[0]).toBe('codex');
  expect(other.command[1]).toContain('Fix the login bug');
  fs.rmSync(log);
  expect((await resume(id, 'claude-code')).how).toBe('handover');
});

test('a session of elsewhere is handed over, and an id that could be an option is never one', async () => {
  for (const source of ['--dangerously-skip-permissions', SESSION]) {
    const { id } = await daemon.call(createSession, { body: { agent: 'codex', source_session: source } });
    const secret = `ghp_${'a1B2c3D4e5F6g7H8i9J0'.repeat(2).slice(0, 36)}`;
    const text = `$(touch /tmp/x) "; rm -rf ~ ${secret} \u0000`;
    await daemon.call(addEntries, { params: { id }, body: { entries: [{ kind: 'prompt', text }] } });
    const { how, command, redactions, folder } = await resume(id, 'codex');
    expect([how, folder, command.length]).toEqual(['handover', null, 2]);
    expect(command[1]).toMatch(/^Go on with the work/);
    expect(command[1]).not.toContain(secret);
    expect(command[1]).not.toContain('\u0000');
    expect(redactions).toBeGreaterThan(0);
  }
  await expect(resume('cs_none', 'codex')).rejects.toMatchObject({ code: 'session_not_found' });
});

test('Copilot and opencode open their own, and begin with a hand-over', async () => {
  const root = path.join(temporary.folder, '.copilot');
  const log = path.join(root, 'session-state', SESSION, 'events.jsonl');
  fs.mkdirSync(path.dirname(log), { recursive: true });
  const event = (id: string, type: string, data: object) =>
    JSON.stringify({ id, type, data, timestamp: new Date(daemon.clock.now()).toISOString() });
  fs.writeFileSync(
    log,
    `${event('1', 'session.start', { sessionId: SESSION, copilotVersion: '1.0.102', context: { cwd: temporary.folder } })}\n${event('2', 'user.message', { content: 'Fix the login bug' })}\n`,
  );
  await daemon.call(setSource, { params: { agent: 'copilot' }, body: { enabled: true, root } });
  const id = await vi.waitFor(
    async () =>
      (await daemon.call(listSessions, { query: {} })).sessions[0]?.id ?? Promise.reject(new Error('none')),
    { timeout: seconds(20) },
  );
  await vi.waitFor(
    async () => expect((await resume(id, 'copilot')).command).toEqual(['copilot', `--resume=${SESSION}`]),
    { timeout: seconds(20) },
  );
  const other = await resume(id, 'opencode');
  expect([other.how, other.command.slice(0, 2)]).toEqual(['handover', ['opencode', '--prompt']]);
  expect(other.command[2]).toContain('Fix the login bug');
  fs.rmSync(log);
  expect((await resume(id, 'copilot')).command.slice(0, 2)).toEqual(['copilot', '--interactive']);
});

const said = { type: 'user', id: 'm1', uuid: 'm1', content: 'Fix the login bug' };

test.each([
  {
    agent: 'gemini',
    file: `app/chats/session-2026-11-28T08-18-${SESSION.slice(0, 8)}.jsonl`,
    log: [{ sessionId: SESSION, projectHash: 'x' }, said],
    own: ['gemini', '--resume', SESSION],
    begin: ['gemini', '--prompt-interactive'],
  },
  {
    agent: 'qwen',
    file: `projects/-work/chats/${SESSION}.jsonl`,
    log: [{ ...said, sessionId: SESSION, message: { role: 'user', parts: [{ text: said.content }] } }],
    own: ['qwen', '--resume', SESSION],
    begin: ['qwen', '--prompt-interactive'],
  },
  {
    agent: 'pi',
    file: `--work--/2026-11-28T08-21-26-145Z_${SESSION}.jsonl`,
    log: [{ ...said, type: 'message', message: { role: 'user', content: said.content } }],
    own: ['pi', '--session', SESSION],
    begin: ['pi', '--'],
  },
  {
    agent: 'cline',
    file: `${SESSION}/${SESSION}.messages.json`,
    log: [{ messages: [{ ...said, role: 'user' }] }],
    own: ['cline', '--id', SESSION],
    begin: ['cline', '--tui'],
  },
] as const)('$agent opens its own, and begins with a hand-over', async ({ agent, file, log, own, begin }) => {
  const root = path.join(temporary.folder, agent);
  const at = path.join(root, file);
  fs.mkdirSync(path.dirname(at), { recursive: true });
  const timestamp = new Date(daemon.clock.now()).toISOString();
  fs.writeFileSync(at, `${log.map((line) => JSON.stringify({ ...line, timestamp })).join('\n')}\n`);
  await daemon.call(setSource, { params: { agent }, body: { enabled: true, root } });
  const id = await vi.waitFor(
    async () =>
      (await daemon.call(listSessions, { query: {} })).sessions[0]?.id ?? Promise.reject(new Error('none')),
    { timeout: seconds(20) },
  );
  await vi.waitFor(async () => expect((await resume(id, agent)).command).toEqual(own), {
    timeout: seconds(20),
  });
  fs.rmSync(at);
  expect((await resume(id, agent)).command.slice(0, -1)).toEqual(begin);
});

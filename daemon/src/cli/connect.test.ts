import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { callHook } from '@reverie/shared/contract/agents/hooks';
import { listKeys } from '@reverie/shared/contract/accounts/keys';
import { type AgentName, agentNames, agentOf } from '@reverie/agent-connect/agents';
import { temporaryFolder } from '../testing.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { carryOut, plan } from '../connect/connecting.ts';
import { startTestDaemon, type TestDaemon } from '../testing.ts';
import { type Ended, run } from './fake-terminal.ts';

const SERVERS = `{
    // Servers of mine.
    "KEY": {
        "github": { "command": "gh", "args": ["mcp"] }, // keep this
    },
    "theme":   "dark"
}`;
const HOOKS = '{\r\n\t"hooks": {\r\n\t\t"Stop": [ { "hooks": [] } ]\r\n\t}\r\n}\r\n';
const TOML = '# mine\nmodel   = "gpt-5.5"  # keep\n\n[mcp_servers.github]\ncommand = "gh"\n';

const YAML =
  '# mine\nmodel: fake   # keep\nmcp_servers:\n    # gh\n    github: {command: gh, args: [mcp]}\nplugins:\n- a\n';

/** Files of each agent as somebody had them before, below the folder of the user. */
const RECORDED: Readonly<Record<AgentName, Readonly<Record<string, string>>>> = {
  'claude-code': {
    '.claude.json': '{"numStartups":412,"mcpServers":{"a":{"command":"a"}},"projects":{}}',
    '.claude/settings.json': HOOKS,
  },
  'claude-desktop': { '.config/Claude/claude_desktop_config.json': '\ufeff{\n  "mcpServers": {}\n}' },
  codex: { '.codex/config.toml': TOML, '.codex/hooks.json': '{\n  "hooks": {}\n}\n' },
  cursor: { '.cursor/mcp.json': SERVERS.replace('KEY', 'mcpServers') },
  vscode: { '.config/Code/User/mcp.json': SERVERS.replace('KEY', 'servers') },
  copilot: { '.copilot/mcp-config.json': '' },
  antigravity: { '.gemini/antigravity-cli/mcp_config.json': '{ }\n' },
  opencode: {
    '.config/opencode/opencode.json': '{\n\t"$schema": "https://opencode.ai/config.json",\n\t"mcp": {}\n}\n',
  },
  gemini: { '.gemini/settings.json': SERVERS.replace('KEY', 'mcpServers') },
  qwen: { '.qwen/settings.json': HOOKS },
  pi: { '.pi/agent/mcp.json': '{"mcpServers": {}, "autoEnableCodemode": false}' },
  cline: { '.cline/data/settings/cline_mcp_settings.json': '{\n  "mcpServers": {}\n}' },
  kilo: { '.config/kilo/kilo.json': SERVERS.replace('KEY', 'mcp') },
  grok: { '.grok/config.toml': TOML },
  openclaw: {
    '.openclaw/openclaw.json': SERVERS.replace('"KEY": {', '"mcp": { "sessionIdleTtlMs": 0 },\n    "x": {'),
  },
  hermes: { '.hermes/config.yaml': YAML },
  zed: { '.config/zed/settings.json': SERVERS.replace('KEY', 'context_servers') },
  devin: {},
};

let daemon: TestDaemon;
let user: ReturnType<typeof temporaryFolder>;
beforeAll(async () => {
  daemon = await startTestDaemon();
});
afterAll(() => daemon.stop());
beforeEach(() => {
  user = temporaryFolder();
});
afterEach(() => user.remove());

const reverie = (...args: string[]): Promise<Ended> =>
  run(
    {
      home: daemon.home.folder,
      env: { HOME: user.folder, XDG_CONFIG_HOME: path.join(user.folder, '.config') },
    },
    ...args,
  );
const at = (file: string) => path.join(user.folder, file);
const keyFile = (name: string) => path.join(daemon.home.agentKeys, name);
const keys = async () =>
  (await daemon.call(listKeys, {})).keys.filter(({ revoked_at }) => revoked_at === null);

function record(name: AgentName): void {
  for (const [file, text] of Object.entries(RECORDED[name])) {
    fs.mkdirSync(path.dirname(at(file)), { recursive: true });
    fs.writeFileSync(at(file), text, { mode: 0o640 });
  }
}

/** Every file of the user, as its bytes. */
function files(): Record<string, string> {
  const all = fs
    .readdirSync(user.folder, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile());
  return Object.fromEntries(
    all.map((one) => {
      const file = path.join(one.parentPath, one.name);
      return [path.relative(user.folder, file), fs.readFileSync(file).toString('latin1')];
    }),
  );
}

describe.each(agentNames)('%s', (name) => {
  test('is connected, twice the same, and disconnected byte for byte', async () => {
    record(name);
    const before = files();
    expect((await reverie('connect', name, '--dry-run')).code).toBe(0);
    expect(files()).toEqual(before);

    const connected = await reverie('connect', name);
    expect([connected.err, connected.code]).toEqual([expect.any(String), 0]);
    const after = files();
    expect(after).not.toEqual(before);
    const key = fs.readFileSync(keyFile(name), 'utf8').trim();
    expect(fs.statSync(keyFile(name)).mode & 0o777).toBe(0o600);
    for (const text of [...Object.values(after), connected.out, connected.err])
      expect(text).not.toContain(key);
    for (const file of Object.keys(RECORDED[name])) expect(fs.statSync(at(file)).mode & 0o777).toBe(0o640);
    expect((await keys()).find((one) => one.name === name)).toMatchObject({
      scope: 'write',
      can: ['read', 'set', 'delete'],
    });

    expect((await reverie('connect', name)).out).toContain('connected already');
    expect(files()).toEqual(after);
    const gone = await reverie('disconnect', name);
    expect(gone.code).toBe(0);
    expect(files()).toEqual(before);
    expect(fs.existsSync(keyFile(name))).toBe(false);
    expect((await keys()).some((one) => one.name === name)).toBe(false);
    const copies = path.join(daemon.home.backups, 'agents');
    expect(fs.existsSync(copies) ? fs.readdirSync(copies) : []).toEqual([]);
  });

  test('gives back exactly ours where somebody else wrote in between', async () => {
    record(name);
    await reverie('connect', name);
    const [server] = agentOf(name).servers({
      home: user.folder,
      platform: process.platform,
      env: { XDG_CONFIG_HOME: at('.config') },
    });
    const file = fs.existsSync(server ?? '') ? (server ?? '') : at('.gemini/antigravity-cli/mcp_config.json');
    const text = fs.readFileSync(file, 'utf8');
    fs.writeFileSync(
      file,
      file.endsWith('.toml')
        ? `${text}\n[added]\nlater = true\n`
        : file.endsWith('.yaml')
          ? `${text}added: later\n`
          : text.replace('{', '{"added": "later",'),
    );
    expect((await reverie('disconnect', name)).out).toContain('what was put in is taken out');
    const left = fs.readFileSync(file, 'utf8');
    expect(left).toContain('later');
    expect(left).not.toContain('reverie');
  });
});

test('tools and hooks that stand in one file come and go together, or the tools alone', async () => {
  record('qwen');
  const before = files();
  const servers = /"mcpServers"[^]*"--agent",\s*"qwen"/;
  await reverie('connect', 'qwen', '--no-hooks');
  const [alone] = Object.values(files());
  expect(alone).toMatch(servers);
  expect(alone).not.toContain('SessionStart');
  await reverie('connect', 'qwen');
  const [both] = Object.values(files());
  expect(both).toMatch(servers);
  expect(both).toContain('hook start --agent qwen');
  expect((await reverie('disconnect', 'qwen')).code).toBe(0);
  expect(files()).toEqual(before);
});

test('a server of that name that somebody else put there is not touched, nor is a broken file', async () => {
  fs.mkdirSync(at('.cursor'));
  for (const [text, why] of [
    ['{"mcpServers": {"reverie": {"command": "mine"}}}', 'has mcpServers.reverie already'],
    ['{"mcpServers": {\n  "a" 1}}', 'in line 2, column 7'],
  ] as const) {
    fs.writeFileSync(at('.cursor/mcp.json'), text);
    const before = await keys();
    const refused = await reverie('connect', 'cursor');
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining(why)]);
    expect(fs.readFileSync(at('.cursor/mcp.json'), 'utf8')).toBe(text);
    expect(await keys()).toEqual(before);
  }
});

test('a server that the person had before, the same as ours, is theirs: it stays when all of ours goes', async () => {
  const file = at('.cursor/mcp.json');
  await reverie('connect', 'cursor', '--no-hooks');
  const { mcpServers } = JSON.parse(fs.readFileSync(file, 'utf8')) as { mcpServers: { reverie: object } };
  await reverie('disconnect', 'cursor');
  const mine = { mcpServers: { reverie: { ...mcpServers.reverie, env: { A: 'b' } } } };
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, JSON.stringify(mine));
  expect((await reverie('connect', 'cursor')).out).toContain('(there already, and stays)');
  expect((await reverie('connect', 'cursor')).out).toContain('connected already');
  const later = { ...mine, later: 1 };
  fs.writeFileSync(file, JSON.stringify(later));
  await reverie('connect', 'cursor', '--no-hooks');
  expect((await reverie('disconnect', 'cursor')).out).toContain('nothing of ours is in it');
  expect(JSON.parse(fs.readFileSync(file, 'utf8'))).toEqual(later);
});

// A folder in which nobody may make a file, not even root, who runs tests on some machines.
test.skipIf(process.platform !== 'linux')(
  'what is half done is undone: the second file cannot be written',
  async () => {
    record('claude-code');
    const before = files();
    fs.rmSync(at('.claude'), { recursive: true });
    fs.symlinkSync('/proc', at('.claude'));
    const refused = await reverie('connect', 'claude-code');
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('nothing was changed')]);
    expect(fs.readFileSync(at('.claude.json'), 'utf8')).toBe(before['.claude.json']);
    expect(fs.existsSync(keyFile('claude-code'))).toBe(false);
    expect((await keys()).some((one) => one.name === 'claude-code')).toBe(false);
    expect((await reverie('disconnect', 'claude-code')).err).toContain('is not connected');
  },
);

test('connected anew with other options it writes only what is wanted then, or stays as it was', async () => {
  record('claude-code');
  const before = files();
  await reverie('connect', 'claude-code');
  const connected = files();
  const shown = await reverie('connect', 'claude-code', '--no-hooks', '--dry-run');
  expect(shown.out).toContain('- what was put in before');
  expect(files()).toEqual(connected);
  await reverie('connect', 'claude-code', '--no-hooks');
  expect(files()).toEqual({ ...connected, '.claude/settings.json': before['.claude/settings.json'] });
  expect((await keys()).filter((one) => one.name === 'claude-code')).toHaveLength(1);

  fs.writeFileSync(at('.claude/settings.json'), '{ "hooks": 1 }');
  const half = files();
  expect((await reverie('connect', 'claude-code')).err).toContain('hooks is no object');
  expect(files()).toEqual(half);
  fs.writeFileSync(at('.claude/settings.json'), HOOKS);
  await reverie('disconnect', 'claude-code');
  expect(files()).toEqual(before);
});

test.skipIf(process.platform !== 'linux')(
  'connected anew where it cannot be written it stays connected',
  async () => {
    record('claude-code');
    fs.rmSync(at('.claude'), { recursive: true });
    await reverie('connect', 'claude-code', '--no-hooks');
    const connected = files();
    fs.symlinkSync('/proc', at('.claude'));
    expect((await reverie('connect', 'claude-code')).err).toContain('nothing was changed');
    expect(fs.readFileSync(at('.claude.json'), 'latin1')).toBe(connected['.claude.json']);
    expect((await reverie('connect', 'claude-code', '--no-hooks')).out).toContain('connected already');
    await reverie('disconnect', 'claude-code');
    expect(fs.readFileSync(at('.claude.json'), 'utf8')).toBe(RECORDED['claude-code']['.claude.json']);
  },
);

test.each([
  ['cursor', '.cursor/mcp.json', (deep: string) => `{"a":${deep}}`],
  ['codex', '.codex/config.toml', (deep: string) => `a = ${deep}\n`],
] as const)(
  'a file of %s that is nested beyond the stack is left, in a sentence',
  async (agent, file, of) => {
    const text = of(`${'['.repeat(20_000)}${']'.repeat(20_000)}`);
    fs.mkdirSync(path.dirname(at(file)), { recursive: true });
    fs.writeFileSync(at(file), text);
    const { code, err } = await reverie('connect', agent, '--no-hooks');
    expect([code, err]).toEqual([1, expect.stringMatching(/was not changed: it is nested too deeply/)]);
    expect(err).not.toContain('    at ');
    expect(fs.readFileSync(at(file), 'utf8')).toBe(text);
  },
);

test.skipIf(process.platform === 'win32')(
  'what is no regular file is left, and nobody waits for it',
  async () => {
    fs.mkdirSync(at('.cursor'));
    const file = at('.cursor/mcp.json');
    const kinds: (() => void)[] = [
      () => void spawnSync('mkfifo', [file]),
      () => fs.mkdirSync(file),
      () => fs.symlinkSync('/dev/zero', file),
      () => (spawnSync('mkfifo', [at('pipe')]), fs.symlinkSync(at('pipe'), file)),
    ];
    for (const make of kinds) {
      make();
      const { code, err } = await reverie('connect', 'cursor');
      expect([code, err]).toEqual([
        1,
        expect.stringContaining(`${file} is not a file, and was not changed.`),
      ]);
      fs.rmSync(file, { recursive: true });
    }
  },
);

test.skipIf(process.platform === 'win32')('only its user can read the lock of its list', async () => {
  const lock = path.join(daemon.home.folder, 'connections.json.lock.db');
  fs.rmSync(lock, { force: true });
  fs.writeFileSync(lock, '', { mode: 0o644 });
  for (const before of ['of an older program', 'none']) {
    await reverie('connect', 'zed', '--dry-run');
    expect([before, fs.statSync(lock).mode & 0o777]).toEqual([before, 0o600]);
    fs.rmSync(lock);
  }
  expect(fs.statSync(daemon.home.lock).mode & 0o777).toBe(0o600);
});

test('what is no text in UTF-8 is left, and so is what was written while one looked', async () => {
  fs.mkdirSync(at('.cursor'));
  fs.writeFileSync(at('.cursor/mcp.json'), Buffer.from([0x7b, 0xff, 0x7d]));
  expect((await reverie('connect', 'cursor')).err).toContain('no text in UTF-8');
  expect([...fs.readFileSync(at('.cursor/mcp.json'))]).toEqual([0x7b, 0xff, 0x7d]);

  const file = at('mcp.json');
  fs.writeFileSync(file, '{}');
  const entry = { kind: 'value', path: ['a'], value: 1 } as const;
  const planned = plan(undefined, new Map([[file, [entry]]]));
  fs.writeFileSync(file, '{"mine": 1}');
  const connection = { agent: 'cursor', project: null, key: null, at: '2031-05-14T12:00:00.000Z' } as const;
  expect(() => carryOut(daemon.home, planned, { known: undefined, connection })).toThrow(
    'by another program',
  );
  expect(fs.readFileSync(file, 'utf8')).toBe('{"mine": 1}');
});

test.skipIf(process.getuid?.() === 0)('a file that is read-only is left', async () => {
  record('devin');
  fs.mkdirSync(at('.codeium/windsurf'), { recursive: true });
  fs.writeFileSync(at('.codeium/windsurf/mcp_config.json'), '{}', { mode: 0o444 });
  expect((await reverie('connect', 'devin')).err).toContain('nothing was changed');
  expect(fs.readFileSync(at('.codeium/windsurf/mcp_config.json'), 'utf8')).toBe('{}');
});

test('a key that a repository’s connection uses as well outlives the user’s', async () => {
  await reverie('connect', 'devin');
  const ledger = path.join(daemon.home.folder, 'connections.json');
  const { version, connections } = JSON.parse(fs.readFileSync(ledger, 'utf8')) as {
    version: 1;
    connections: object[];
  };
  const other = { ...connections[0], project: '/somewhere', files: [] };
  fs.writeFileSync(ledger, JSON.stringify({ version, connections: [...connections, other] }));
  await reverie('disconnect', 'devin');
  expect(fs.existsSync(keyFile('devin'))).toBe(true);
  fs.writeFileSync(ledger, JSON.stringify({ version, connections: [{ ...other, project: null }] }));
  await reverie('disconnect', 'devin');
  expect(fs.existsSync(keyFile('devin'))).toBe(false);
});

test('a file of ours that somebody edited stays, and it is said', async () => {
  await reverie('connect', 'copilot');
  const hooks = at('.copilot/hooks/reverie.json');
  fs.appendFileSync(hooks, '\n');
  expect((await reverie('disconnect', 'copilot')).out).toContain(
    `${hooks}: you edited it since, so it stays`,
  );
  expect(fs.existsSync(hooks)).toBe(true);
});

test('what a key may is said when it is made, and not passed over later', async () => {
  await reverie('connect', 'zed', '-n', 'project/*');
  expect((await keys()).find(({ name }) => name === 'zed')).toMatchObject({ namespaces: ['project/*'] });
  const refused = await reverie('connect', 'zed', '-n', 'other');
  expect([refused.code, refused.err]).toEqual([2, expect.stringContaining('disconnect zed')]);
  await reverie('disconnect', 'zed');
});

test('those that are on this machine are listed', async () => {
  const found = async () =>
    (
      JSON.parse((await reverie('connect', '--json')).out) as { agents: { name: string; found: boolean }[] }
    ).agents
      .filter((one) => one.found)
      .map(({ name }) => name);
  expect(await found()).toEqual([]);
  record('claude-code');
  record('codex');
  expect(await found()).toEqual(['claude-code', 'codex']);
});

test('what a crash left is undone: one file was written, the other not yet', async () => {
  record('claude-code');
  const before = files();
  await reverie('connect', 'claude-code');
  fs.writeFileSync(at('.claude/settings.json'), HOOKS);
  expect((await reverie('disconnect', 'claude-code')).out).toContain('nothing of ours is in it');
  expect(files()).toEqual(before);
});

test('several at once are all kept, and each can be undone', async () => {
  const names = ['cursor', 'zed', 'devin', 'codex'] as const;
  names.forEach(record);
  const before = files();
  const ended = await Promise.all([...names, 'cursor'].map((name) => reverie('connect', name)));
  expect(ended.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0]);
  expect((await keys()).filter(({ name }) => names.some((one) => one === name))).toHaveLength(4);
  await Promise.all(names.map((name) => reverie('disconnect', name)));
  expect(files()).toEqual(before);
});

test('without a home it says what to do, and makes none', async () => {
  const home = at('none');
  const { code, err } = await run({ home, env: { HOME: user.folder } }, 'connect', 'cursor');
  expect([code, err]).toEqual([1, expect.stringContaining('reverie start')]);
  expect(fs.existsSync(home)).toBe(false);
  expect(files()).toEqual({});
});

test('links stay links, and a repository’s files name no folder of this machine', async () => {
  fs.mkdirSync(at('dotfiles'));
  fs.mkdirSync(at('.cursor'));
  fs.writeFileSync(at('dotfiles/mcp.json'), '{}');
  fs.symlinkSync(at('dotfiles/mcp.json'), at('.cursor/mcp.json'));
  await reverie('connect', 'cursor', '--no-hooks');
  expect(fs.lstatSync(at('.cursor/mcp.json')).isSymbolicLink()).toBe(true);
  expect(fs.readFileSync(at('dotfiles/mcp.json'), 'utf8')).toContain('reverie');
  expect(fs.existsSync(at('.cursor/hooks.json'))).toBe(false);
  await reverie('disconnect', 'cursor');
  expect(fs.readFileSync(at('dotfiles/mcp.json'), 'utf8')).toBe('{}');
});

describe('doctor agents', () => {
  const doctor = async () => {
    const { code, out } = await reverie('doctor', 'agents', '--json');
    return {
      code,
      findings: (JSON.parse(out) as { findings: { level: string; text: string; todo?: string }[] }).findings,
    };
  };
  afterEach(async () => {
    await reverie('disconnect', 'codex');
  });

  test('proves a round trip, says what was never called, was called twice, and what is missing', async () => {
    expect((await doctor()).findings).toMatchObject([{ level: 'warning', text: 'none is connected' }]);
    record('codex');
    await reverie('connect', 'codex');
    expect(await doctor()).toMatchObject({
      code: 0,
      findings: [
        { level: 'ok', text: expect.stringContaining('answers with 5 tools') as string },
        {
          level: 'warning',
          text: 'its hooks were never called',
          todo: expect.stringContaining('/hooks') as string,
        },
      ],
    });
    const body = { agent: 'codex', event: 'start', input: JSON.stringify({ session_id: 's' }) } as const;
    await daemon.call(callHook, { body });
    expect((await doctor()).findings[1]).toMatchObject({
      level: 'ok',
      text: 'its hooks were called 1 time',
    });
    const log = path.join(daemon.home.folder, 'logs/hooks.log');
    fs.mkdirSync(path.dirname(log), { recursive: true });
    const lines = ['start codex: the input is not JSON', 'prompt cursor: nothing to say'];
    fs.writeFileSync(log, lines.map((line) => `2031-05-14T12:00:00.000Z ${line}\n`).join(''));
    expect((await doctor()).findings[2]).toMatchObject({
      level: 'warning',
      text: 'the last call of its hooks could not be read: the input is not JSON (2031-05-14T12:00:00.000Z)',
    });
    fs.appendFileSync(log, '2031-05-14T12:01:00.000Z prompt codex: nothing to say\n');
    expect((await doctor()).findings).toHaveLength(2);
    await daemon.call(callHook, { body });
    expect((await doctor()).findings[1]).toMatchObject({ level: 'warning' });
    // One of many is a session that was resumed twice.
    for (const session_id of ['t', 'u', 'v', 'w'])
      await daemon.call(callHook, { body: { ...body, input: JSON.stringify({ session_id }) } });
    expect((await doctor()).findings[1]).toMatchObject({ level: 'ok' });
    for (const reason of ['exit', 'exit'])
      await daemon.call(callHook, {
        body: { ...body, event: 'end', input: JSON.stringify({ session_id: 'w', reason }) },
      });
    expect((await doctor()).findings[1]).toMatchObject({ level: 'ok' });
    fs.writeFileSync(at('.codex/config.toml'), TOML);
    expect(await doctor()).toMatchObject({
      code: 1,
      findings: [{ level: 'problem', todo: 'Run `reverie connect codex` again.' }],
    });
  });
});

describe('the status line of Claude Code', () => {
  const settings = () => fs.readFileSync(at('.claude/settings.json'), 'utf8');
  const statusLine = () =>
    (JSON.parse(settings()) as { statusLine?: { type: string; command: string } }).statusLine;

  test('is set where it is asked for, stays when it is connected again, and goes byte for byte', async () => {
    record('claude-code');
    const before = files();
    await reverie('connect', 'claude-code');
    expect(settings()).not.toContain('statusLine');
    expect((await reverie('connect', 'claude-code', '--statusline')).out).toContain('+ statusLine: ');
    expect(statusLine()).toEqual({
      type: 'command',
      command: expect.stringMatching(/ statusline( |$)/u) as string,
    });
    expect((await reverie('connect', 'claude-code', '--no-hooks')).code).toBe(0);
    expect(statusLine()).toBeDefined();
    expect(settings()).not.toContain('hook start');
    await reverie('disconnect', 'claude-code');
    expect(files()).toEqual(before);
  });

  test('of the person is never replaced', async () => {
    const own = '{ "statusLine": { "type": "command", "command": "~/mine.sh" } }';
    fs.mkdirSync(at('.claude'));
    fs.writeFileSync(at('.claude/settings.json'), own);
    const refused = await reverie('connect', 'claude-code', '--statusline');
    expect(refused.code).not.toBe(0);
    expect(refused.err).toContain('leave --statusline out');
    expect(settings()).toBe(own);
    expect((await reverie('connect', 'claude-code')).code).toBe(0);
    expect(statusLine()).toEqual({ type: 'command', command: '~/mine.sh' });
    await reverie('disconnect', 'claude-code');
    expect(settings()).toBe(own);
  });

  test.each([
    [['disconnect', 'claude-code']],
    [['connect', 'claude-code']],
    [['connect', 'claude-code', '--no-hooks']],
  ])('that they set in place of ours stays: %j', async (again) => {
    record('claude-code');
    await reverie('connect', 'claude-code', '--statusline');
    const theirs = { type: 'command', command: '~/mine.sh' };
    const changed = { ...(JSON.parse(settings()) as object), statusLine: theirs };
    fs.writeFileSync(at('.claude/settings.json'), JSON.stringify(changed));
    expect(await reverie(...again)).toMatchObject({ code: 0 });
    expect(statusLine()).toEqual(theirs);
    expect(settings().includes('hook start')).toBe(again.join(' ') === 'connect claude-code');
    if (again[0] === 'connect') await reverie('disconnect', 'claude-code');
    expect(JSON.parse(settings())).toEqual({ ...(JSON.parse(HOOKS) as object), statusLine: theirs });
  });

  test('is refused to an agent that has none', async () => {
    const refused = await reverie('connect', 'codex', '--statusline');
    expect(refused.err).toContain('Codex has no status line that a command fills');
    expect(files()).toEqual({});
  });
});

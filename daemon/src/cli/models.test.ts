import { createHmac } from 'node:crypto';
import fs from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  type Examination,
  findModels,
  type ModelPull,
  modelsState,
  type ModelUse,
} from '@reverie/shared/contract/system/models';
import type { Reply } from '@reverie/shared/contract/route';
import {
  type Handler,
  type ProtocolServer,
  sendJson,
  startProtocolServer,
} from '../models/testing/protocol-server.ts';
import { type Home, homeAt, prepareHome, writePrivateFile } from '../platform/home/home.ts';
import { writeDaemonFile } from '../platform/home/daemon-file.ts';
import { temporaryFolder } from '../testing.ts';
import { has, run } from './fake-terminal.ts';

const OWNER_KEY = 'a-key-of-the-owner';
const AT = '2031-05-14T12:00:00.000Z';
const OLLAMA = 'http://127.0.0.1:11434';

const spent = { tokens_today: 0, tokens_month: 0, calls_month: 0, failed_month: 0, by: [] };
const unused = (part: ModelUse['part']): ModelUse => ({
  part,
  server: null,
  name: null,
  consent: null,
  state: 'off',
  since: null,
  error: null,
  timeout_ms: 20_000,
  reach: null,
  tokens_per_day: null,
  tokens_per_month: null,
  spent,
  settings_from: 'default',
});
const used: ModelUse = {
  ...unused('ask'),
  server: OLLAMA,
  name: 'qwen3.5:4b',
  state: 'down',
  since: AT,
  error: 'it\u001b[31m hangs',
  tokens_per_day: 50_000,
  spent: { tokens_today: 1234, tokens_month: 56_789, calls_month: 31, failed_month: 2, by: [] },
};
const pulling: ModelPull = {
  server: OLLAMA,
  name: 'qwen3.5:4b',
  status: 'running',
  bytes_done: 0,
  bytes_total: null,
  error: null,
  started_at: AT,
  ended_at: null,
};
const examining: Examination = {
  server: OLLAMA,
  name: 'qwen3.5:4b',
  status: 'running',
  done: 0,
  total: 30,
  right: 0,
  wrong: 0,
  declined_rightly: 0,
  seconds_median: null,
  tokens: 0,
  fit_for: [],
  verdict: null,
  error: null,
  started_at: AT,
  ended_at: null,
};
const examined: Examination = {
  ...examining,
  status: 'done',
  done: 30,
  right: 28,
  wrong: 2,
  declined_rightly: 8,
  seconds_median: 1.25,
  tokens: 30_000,
  fit_for: ['dreams'],
  verdict: 'answers well, too slow while you wait: use it for dreams',
  ended_at: AT,
};

/** A daemon that answers by the contract what a test lays out. */
let state: Reply<typeof modelsState>;
let found: Reply<typeof findModels>;
/** What becomes of the state each time somebody looks. */
let looked: () => void;
let daemon: ProtocolServer;
let home: Home;
let remove: () => void;

beforeEach(async () => {
  state = { uses: [unused('ask'), unused('dreams'), unused('vectors')], pull: null, examination: null };
  found = {
    servers: [
      {
        kind: 'ollama',
        url: OLLAMA,
        version: '0.35.1',
        needs_key: false,
        consent: null,
        models: [
          { name: 'qwen3.5:4b', bytes: 3_389_983_735, context: 262_144, can: ['chat', 'schema', 'tools'] },
          { name: 'embeddinggemma:latest', bytes: 621_875_917, context: null, can: ['vectors'] },
        ],
      },
    ],
    offered: [
      {
        name: 'phi4-mini',
        title: 'Phi',
        bytes: 2_491_876_774,
        licence: 'MIT',
        for: ['ask'],
        about: 'Small.',
      },
    ],
    install: null,
  };
  looked = () => undefined;
  const sayState: Handler = (_, response) => sendJson(response, 200, state);
  const routes: Record<string, Handler> = {
    'GET /v1/identity': ({ query }, response) =>
      sendJson(response, 200, {
        proof: createHmac('sha256', OWNER_KEY)
          .update(`nonce.${query.get('challenge')}`)
          .digest('hex'),
      }),
    'GET /v1/models'(asked, response) {
      looked();
      void sayState(asked, response);
    },
    'GET /v1/models/found': (_, response) => sendJson(response, 200, found),
    'POST /v1/models/pull'(_, response) {
      state.pull = pulling;
      sendJson(response, 202, pulling);
    },
    'DELETE /v1/models/pull'(_, response) {
      state.pull = { ...pulling, status: 'stopped', bytes_done: 450, bytes_total: 1000, ended_at: AT };
      sendJson(response, 200, state.pull);
    },
    'POST /v1/models/examine'(_, response) {
      state.examination = examining;
      sendJson(response, 202, examining);
    },
    'DELETE /v1/models/examine'(_, response) {
      state.examination = { ...examining, status: 'stopped' };
      sendJson(response, 200, state.examination);
    },
    'POST /v1/models/use': sayState,
    'DELETE /v1/models/use': sayState,
  };
  daemon = await startProtocolServer({ routes });
  const temporary = temporaryFolder();
  remove = temporary.remove;
  home = homeAt(`${temporary.folder}/home`);
  prepareHome(home);
  writePrivateFile(home.ownerKey, OWNER_KEY);
  writeDaemonFile(home, { pid: 1, origin: daemon.url, nonce: 'nonce', started_at: AT, version: '0' });
});
afterEach(async () => {
  await daemon.stop();
  remove();
});

/** What browsers and databases of this process's other tests do at Ctrl-C, which ends the process. */
const ofOthers = process.listeners('SIGINT');
/** Ctrl-C, for the command alone. */
function pressCtrlC(): void {
  for (const listener of process.listeners('SIGINT')) if (!ofOthers.includes(listener)) listener('SIGINT');
}

const reverie = (...args: string[]) => run({ home: home.folder }, 'models', ...args);
const person = (typed: string, ...args: string[]) => run({ home: home.folder, typed }, 'models', ...args);
const sent = (method: string, path: string) =>
  daemon.asked.filter((one) => one.method === method && one.path === `/v1/models${path}`);

describe('reverie models', () => {
  test('says what each part uses and spent, what was found and what can be got', async () => {
    state.uses[0] = used;
    state.pull = { ...pulling, status: 'stopped', bytes_done: 450, bytes_total: 1000 };
    const { code, out, err } = await reverie();
    expect(code).toBe(0);
    expect(out).toMatch(
      /^Ask: {5}qwen3\.5:4b at http:\/\/127\.0\.0\.1:11434, it is down since \S+ \S+: it␛\[31m hangs; 1,234 of 50,000 tokens today, 56,789 this month in 31 calls, 2 failed$/m,
    );
    expect(out).toMatch(/^Dreams: {2}no model; rules alone$/m);
    expect(out).toMatch(/^Vectors: what comes with Reverie$/m);
    expect(out).toMatch(/^qwen3\.5:4b\tOllama\t\S+\t3\.2 GiB\t262,144 tokens\tchat, schema, tools$/m);
    expect(out).toMatch(/^phi4-mini\t2\.3 GiB\tMIT\task\tSmall\.$/m);
    expect(err).toContain('stopped at 45 % (450 bytes of 1,000 bytes)');
    const json = JSON.parse((await reverie('--json')).out) as object;
    expect(json).toMatchObject({ uses: [{ part: 'ask', spent: { calls_month: 31 } }, {}, {}], found });
  });

  test('where nothing runs it says what to install', async () => {
    found = {
      ...found,
      servers: [],
      install: { text: 'Install it. Then come back.', url: 'https://x.test/' },
    };
    const { out, err } = await person('');
    expect(err).toContain(
      'No model server runs on this machine.\nInstall it. Then come back.\nhttps://x.test/',
    );
    expect(out).toMatch(/Ollama can get \(`reverie models get NAME`\):\nName +Size/);
    const asked = await reverie('get', 'phi4-mini');
    expect(asked).toMatchObject({ code: 1, err: has('No Ollama answers on this machine. Install it.') });
    expect(sent('POST', '/pull')).toEqual([]);
  });
});

describe('reverie models get', () => {
  test('shows how far it is until Ollama has it', async () => {
    let looks = 0;
    looked = () => {
      looks += 1;
      state.pull =
        looks < 3
          ? { ...pulling, bytes_done: looks, bytes_total: 2048 }
          : { ...pulling, status: 'done', bytes_done: 2048, bytes_total: 2048 };
    };
    const { code, out, err } = await person('', 'get', 'phi4-mini');
    expect([code, out]).toEqual([0, 'Ollama has phi4-mini now (2.0 KiB).\n']);
    expect(err).toContain('`reverie models use phi4-mini`');
    expect(sent('POST', '/pull').map(({ body }) => body)).toEqual([{ server: OLLAMA, name: 'phi4-mini' }]);
    expect(JSON.parse((await reverie('get', 'phi4-mini', '--json')).out)).toMatchObject({ status: 'done' });
  });

  test('Ctrl-C stops it and says how to go on', async () => {
    looked = pressCtrlC;
    const { code, out, err } = await person('', 'get', 'phi4-mini', '--server', 'http://127.0.0.1:99');
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain(
      'Stopped at 45 % (450 bytes of 1,000 bytes). `reverie models get phi4-mini` goes on',
    );
    expect(sent('DELETE', '/pull')).toHaveLength(1);
    expect(process.listeners('SIGINT')).toEqual(ofOthers);
  });

  test('what failed is said, and exits 1', async () => {
    looked = () => {
      state.pull = { ...pulling, status: 'failed', error: 'Ollama knows no model x.' };
    };
    expect(await reverie('get', 'x')).toMatchObject({
      code: 1,
      out: '',
      err: has('Ollama knows no model x. `reverie models get x` goes on'),
    });
  });
});

describe('reverie models use', () => {
  beforeEach(() => {
    looked = () => {
      if (state.examination?.status === 'running') state.examination = examined;
    };
  });

  test('examines, shows how it did, asks, and uses it', async () => {
    const { code, out, err } = await person('yes\n', 'use', 'qwen3.5:4b');
    expect(code).toBe(0);
    expect(out).toContain('qwen3.5:4b: answers well, too slow while you wait: use it for dreams\n');
    expect(out).toContain(
      '28 of 30 right (8 of them declined as they should be), 1.3 s a question, 30,000 tokens\n',
    );
    expect(err).toContain('The examination does not find it fit for ask.\nType "yes" to go on');
    const at = { server: OLLAMA, name: 'qwen3.5:4b', beyond_this_machine: false };
    expect(sent('POST', '/examine').map(({ body }) => body)).toEqual([at]);
    expect(sent('POST', '/use').map(({ body }) => body)).toEqual([{ ...at, for: ['ask', 'dreams'] }]);
  });

  test('nothing is used where the answer is no, nobody is there, or the examination failed', async () => {
    expect(await person('no\n', 'use', 'qwen3.5:4b')).toMatchObject({
      code: 1,
      err: has('Nothing was changed.'),
    });
    expect(await reverie('use', 'qwen3.5:4b')).toMatchObject({ code: 2, err: has('--yes') });
    looked = () => {
      state.examination = { ...examining, status: 'failed', error: 'the server hangs' };
    };
    expect(await reverie('use', 'qwen3.5:4b', '--yes')).toMatchObject({
      code: 1,
      out: '',
      err: has('The examination failed. the server hangs'),
    });
    looked = pressCtrlC;
    expect(await reverie('use', 'qwen3.5:4b', '--yes')).toMatchObject({ code: 1, err: has('was stopped') });
    expect(sent('POST', '/use')).toEqual([]);
  });

  test('--yes, --for, --server and --json', async () => {
    const json = await reverie(
      ...['use', 'big', '--server', 'http://10.0.0.1:8000', '--beyond-this-machine'],
      ...['--for', 'dreams,ask', '--yes', '--json'],
    );
    expect(JSON.parse(json.out)).toMatchObject({ examination: { status: 'done' } });
    expect(sent('POST', '/use')[0]?.body).toEqual({
      server: 'http://10.0.0.1:8000',
      name: 'big',
      beyond_this_machine: true,
      for: ['dreams', 'ask'],
    });
    // One that embeds is used for vectors, under the name that its server has for it.
    expect((await reverie('use', 'embeddinggemma', '-y')).code).toBe(0);
    expect(sent('POST', '/use')[1]?.body).toMatchObject({ name: 'embeddinggemma:latest', for: ['vectors'] });
    expect(await reverie('use', 'x', '--for', 'ask,all', '-y')).toMatchObject({
      code: 2,
      err: has('ask, dreams, vectors'),
    });
    expect(await reverie('use', 'nobody', '-y')).toMatchObject({
      code: 1,
      err: has('No server on this machine has nobody.'),
    });
    expect(await reverie('use', 'phi4-mini', '-y')).toMatchObject({
      code: 1,
      err: has('`reverie models get phi4-mini`'),
    });
  });

  test('examine alone uses nothing', async () => {
    expect(await reverie('examine', 'qwen3.5:4b')).toMatchObject({ code: 0, out: has('answers well') });
    expect(JSON.parse((await reverie('examine', 'qwen3.5:4b', '--json')).out)).toEqual(examined);
    expect(sent('POST', '/use')).toEqual([]);
  });
});

describe('a coding agent', () => {
  const vendor = 'Anthropic';
  const text = 'Notes are sent to Anthropic. You can turn it off.';
  beforeEach(() => {
    found.servers.unshift({
      kind: 'claude-code',
      url: 'agent:claude-code',
      version: '2.1.332',
      needs_key: false,
      models: [{ name: 'default', bytes: null, context: null, can: ['chat', 'schema'] }],
      consent: { vendor, text, given_at: null },
    });
  });

  test('is listed first, and named where it is used', async () => {
    state.uses[0] = { ...used, server: 'agent:claude-code', name: 'default', error: null, state: 'ok' };
    state.uses[1] = { ...used, part: 'dreams', server: 'agent:codex', name: 'gpt-5.5' };
    const { out } = await reverie();
    expect(out).toMatch(/^Ask: {5}Claude Code, it is well/mu);
    expect(out).toMatch(/^Dreams: {2}gpt-5\.5 of Codex, it is down/mu);
    expect(out).toMatch(/^claude-code\tClaude Code\t2\.1\.332\tAnthropic\tno\nqwen3\.5:4b\tOllama/mu);
  });

  test('is used after what is sent to whom was agreed to, without an examination', async () => {
    const { code, err } = await person('yes\n', 'use', 'claude-code');
    expect(code).toBe(0);
    expect(err).toContain(`${text}\nagent:claude-code is used for ask, dreams from then on.\nType "yes"`);
    expect((await reverie('use', 'opus', '--server', 'agent:claude-code', '--for', 'ask', '-y')).code).toBe(
      0,
    );
    const at = { server: 'agent:claude-code', consent: true };
    expect(sent('POST', '/use').map(({ body }) => body)).toEqual([
      { ...at, name: 'default', for: ['ask', 'dreams'] },
      { ...at, name: 'opus', for: ['ask'] },
    ]);
    expect(sent('POST', '/examine')).toEqual([]);
  });

  test('is left alone where the answer is no, nobody is there, or it is not installed', async () => {
    expect(await person('no\n', 'use', 'claude-code')).toMatchObject({
      code: 1,
      err: has('Nothing was changed.'),
    });
    expect(await reverie('use', 'claude-code')).toMatchObject({ code: 2, err: has('--yes') });
    expect(await reverie('use', 'codex', '-y')).toMatchObject({
      code: 1,
      err: has('The command of codex is not found on this machine'),
    });
    expect(await reverie('examine', 'claude-code')).toMatchObject({ code: 2, err: has('pays for') });
    expect(await person('no\n', 'examine', 'claude-code')).toMatchObject({
      code: 1,
      err: has('Nothing was asked.'),
    });
    expect([...sent('POST', '/use'), ...sent('POST', '/examine')]).toEqual([]);
  });

  test('is examined where a person agrees', async () => {
    looked = () => {
      if (state.examination?.status === 'running') state.examination = examined;
    };
    expect((await person('yes\n', 'examine', 'claude-code')).code).toBe(0);
    expect(sent('POST', '/examine')[0]?.body).toEqual({
      server: 'agent:claude-code',
      name: 'default',
      consent: true,
      beyond_this_machine: false,
    });
  });
});

test('off, for all parts or for some', async () => {
  expect(await reverie('off')).toMatchObject({ code: 0, out: has('Ask:     no model; answers are quoted') });
  expect(JSON.parse((await reverie('off', '--for', 'ask,vectors', '--json')).out)).toEqual(state);
  expect(sent('DELETE', '/use').map(({ query }) => query.get('for'))).toEqual([null, 'ask', 'vectors']);
});

test('the owner key goes to the daemon that proved itself, and nowhere else', async () => {
  await reverie();
  const [identity, ...others] = daemon.asked;
  expect([identity?.path, identity?.headers.authorization]).toEqual(['/v1/identity', undefined]);
  expect(others.every(({ headers }) => headers.authorization === `Bearer ${OWNER_KEY}`)).toBe(true);
  expect(fs.readFileSync(home.ownerKey, 'utf8').trim()).toBe(OWNER_KEY);
});

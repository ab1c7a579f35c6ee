import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { readAnchors, nameFolder } from '@reverie/shared/contract/memories/anchors';
import { askMemory } from '@reverie/shared/contract/search/ask';
import { acceptInsight, proposeInsights } from '@reverie/shared/contract/dreams/dreams';
import { callHook } from '@reverie/shared/contract/agents/hooks';
import { createKey } from '@reverie/shared/contract/accounts/keys';
import { getMemory, setMemory, storeBatch } from '@reverie/shared/contract/memories/memories';
import { searchMemories } from '@reverie/shared/contract/search/search';
import { seconds } from '@reverie/shared/testing/patience';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { run } from '../../cli/fake-terminal.ts';
import { PROJECT_HEADER } from '../../mcp/scope.ts';
import { signUp } from '../../testing/sign-up.ts';
import { startTestDaemon, temporaryFolder, type TestDaemon } from '../../testing.ts';

let daemon: TestDaemon;
let root: string;
const namespace = 'project/acme/shop';
const RETRY = 'export function retry(times: number) {\n  wait(times);\n  return times > 3;\n}\n';

const git = (...args: string[]) =>
  execFileSync('git', ['-C', root, '-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args], {
    encoding: 'utf8',
  }).trim();
const write = (name: string, text: string) => {
  fs.mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
  fs.writeFileSync(path.join(root, name), text);
};
const commit = () => {
  git('add', '-A');
  git('commit', '-q', '-m', 'x');
  return git('rev-parse', 'HEAD');
};

const newFolder = () => {
  const { folder, remove } = temporaryFolder();
  onTestFinished(remove);
  return fs.realpathSync(folder);
};

beforeAll(async () => {
  daemon = await startTestDaemon();
});
afterAll(() => daemon.stop());
beforeEach(() => {
  root = newFolder();
  git('init', '-q', '-b', 'main');
  git('remote', 'add', 'origin', 'https://github.com/acme/shop.git');
  write('src/retry.ts', `import a;\n\n${RETRY}`);
  write('.env', 'PASSWORD=swordfish\n');
  write('.gitignore', '.env\n');
  commit();
});

const read = (places: string[], more: { value?: string; folder?: string } = {}) =>
  daemon.call(readAnchors, { body: { namespace, folder: root, places, ...more } });
/** Stores a memory that is anchored to places. */
async function stored(key: string, places: string[], value = `What ${key} says of the retries.`) {
  const { anchors } = await read(places);
  await daemon.call(setMemory, { body: { namespace, key, value, metadata: { anchors } } });
}
const stateOf = async (key: string) =>
  (await daemon.call(getMemory, { body: { namespace, key } })).anchors?.map(({ path: _, ...now }) => now);

const hook = async (event: 'start' | 'prompt', session: string, prompt = '') => {
  const input = JSON.stringify({ session_id: session, cwd: root, prompt });
  return (await daemon.call(callHook, { body: { agent: 'claude-code', event, input } })).output;
};

/** A hook waits a short time for the disk: where that was too short, another session is told. */
let sessions = 0;
const says = (event: 'start' | 'prompt', text: string) =>
  vi.waitFor(
    async () => {
      const session = `session ${(sessions += 1)}`;
      expect(await hook(event, session, 'How often does the wyvern retry?')).toContain(text);
    },
    { timeout: seconds(10), interval: 50 },
  );

describe('what the code says', () => {
  test('lines, a symbol and a file, with the blob and the commit', async () => {
    const blob = git('hash-object', 'src/retry.ts');
    const { anchors } = await read(['src/retry.ts:3-6', 'src/retry.ts#retry', 'src/retry.ts']);
    const from = { path: 'src/retry.ts', blob, commit: git('rev-parse', 'HEAD').slice(0, 12) };
    expect(anchors).toMatchObject([
      { ...from, lines: '3-6' },
      { ...from, lines: '3-6', symbol: 'retry' },
      from,
    ]);
    expect(anchors[0]?.hash).toBe(anchors[1]?.hash);
  });

  test('paths from the working folder, from the root, and whole', async () => {
    const folder = path.join(root, 'src');
    const { anchors } = await read(
      ['retry.ts#retry', 'src/retry.ts#retry', `${path.join(root, 'src/retry.ts')}#retry`],
      { folder },
    );
    expect(new Set(anchors.map((anchor) => JSON.stringify(anchor))).size).toBe(1);
  });

  test('what stands there twice is widened until it does not', async () => {
    write('src/twice.ts', 'a();\nsame();\nb();\nc();\nsame();\nd();\n');
    const { anchors } = await read(['src/twice.ts:5']);
    expect(anchors).toMatchObject([{ lines: '4-6' }]);
    write('src/all.ts', 'same();\n'.repeat(40));
    await expect(read(['src/all.ts:20'])).rejects.toThrow(/more than once/);
  });

  test('what a text names: symbols of files, else that they are there, and nothing that is not', async () => {
    write('src/other.ts', 'export const other = 1;\n');
    commit();
    const value =
      'In `src/retry.ts` the function `retry` waits; src/other.ts knows nothing of it, nor src/no.ts.';
    expect((await read([], { value })).anchors).toMatchObject([
      { path: 'src/retry.ts', lines: '3-6', symbol: 'retry' },
      { path: 'src/other.ts' },
    ]);
    expect((await read([], { value })).anchors[1]).not.toHaveProperty('hash');
  });
});

describe('what is refused says why', () => {
  test.each([
    ['../x', /is no place in the repository/],
    ['/etc/passwd', /is no place in the repository/],
    ['.git/config', /is no place in the repository/],
    ['.git/config:1-2', /is no place in the repository/],
    ['src/no.ts', /there is no file "src\/no.ts"/],
    ['src', /there is no file "src"/],
    ['src/retry.ts:5-90', /has the lines 1-7, and not 5-90/],
    ['src/retry.ts:2', /says nothing there/],
    ['src/retry.ts#nothing', /defines no "nothing"/],
    ['.env:1', /Git ignores ".env"/],
    // Nor how many lines it has, or what it defines.
    ['.env:90', /Git ignores ".env"/],
    ['.env#nothing', /Git ignores ".env"/],
  ])('%s', async (place, why) => {
    await expect(read([place])).rejects.toThrow(why);
  });

  test('links out of the repository, into .git, pipes and large files', async () => {
    const outside = newFolder();
    fs.writeFileSync(path.join(outside, 'secret.txt'), 'swordfish');
    fs.symlinkSync(outside, path.join(root, 'out'));
    fs.symlinkSync(path.join(outside, 'secret.txt'), path.join(root, 'link.txt'));
    fs.symlinkSync('.git', path.join(root, 'inside'));
    fs.symlinkSync('src/retry.ts', path.join(root, 'fine.ts'));
    execFileSync('mkfifo', [path.join(root, 'pipe')]);
    write('large.ts', 'x'.repeat(1024 * 1024 + 1));
    for (const place of ['out/secret.txt', 'link.txt', 'inside/config', 'pipe'])
      await expect(read([place])).rejects.toThrow(/there is no file/);
    await expect(read(['large.ts'])).rejects.toThrow(/more than 1 MiB/);
    expect((await read(['fine.ts#retry'])).anchors).toMatchObject([{ lines: '3-6' }]);
  });

  test('links to what Git ignores, and names that it quotes', async () => {
    write('.gitignore', '.env\nhidden/\n');
    write('hidden/ü "quoted".ts', 'swordfish\n');
    fs.symlinkSync('.env', path.join(root, 'shown.txt'));
    fs.symlinkSync('hidden', path.join(root, 'linked'));
    for (const place of ['shown.txt', 'linked/ü "quoted".ts', 'hidden/ü "quoted".ts'])
      await expect(read([place])).rejects.toThrow(/Git ignores/);
    expect((await read([], { value: 'See shown.txt and `linked/x.ts`.' })).anchors).toEqual([]);
  });

  test('a file that the file system keeps from us, and a memory that names it is saved', async () => {
    write('src/kept.ts', 'kept();\n');
    const real = fs.realpathSync.native;
    const denied = (code: string) => Object.assign(new Error(code), { code, syscall: 'realpath' });
    for (const code of ['EACCES', 'EPERM', 'EIO', 'EMFILE']) {
      vi.spyOn(fs.realpathSync, 'native').mockImplementation((name: fs.PathLike) => {
        if (String(name).endsWith('kept.ts')) throw denied(code);
        return real(name);
      });
      const value = 'See src/kept.ts and src/retry.ts.';
      expect((await read([], { value })).anchors).toMatchObject([{ path: 'src/retry.ts' }]);
      await expect(read(['src/kept.ts'])).rejects.toThrow(
        code === 'EMFILE' ? /Something went wrong/ : /may not be read/,
      );
      vi.restoreAllMocks();
    }
    const open = fs.promises.open;
    onTestFinished(() => void vi.restoreAllMocks());
    for (const code of ['EACCES', 'EMFILE']) {
      vi.spyOn(fs.promises, 'open').mockImplementation(async (name, ...args) => {
        if (String(name).endsWith('kept.ts')) throw denied(code);
        return open(name, ...args);
      });
      const value = 'See src/kept.ts and src/retry.ts.';
      expect((await read([], { value })).anchors).toMatchObject([{ path: 'src/retry.ts' }]);
      vi.restoreAllMocks();
    }
  });

  test('a namespace whose repository is another one, or none that is known', async () => {
    const other = { namespace: 'default', folder: root, places: ['src/retry.ts'] };
    await expect(daemon.call(readAnchors, { body: other })).rejects.toThrow(
      /namespace \\?"project\/acme\/shop/,
    );
    const unknown = { namespace: 'project/acme/unknown', places: ['src/retry.ts'] };
    await expect(daemon.call(readAnchors, { body: unknown })).rejects.toThrow(/no repository of .* is known/);
  });

  test('metadata with anchors of another shape', async () => {
    const body = { namespace, key: 'k', value: 'v', metadata: { anchors: [{ path: '../x' }] } };
    await expect(daemon.call(setMemory, { body })).rejects.toMatchObject({
      errors: [{ path: 'metadata.anchors.0.path' }],
    });
    await expect(
      daemon.call(setMemory, { body: { ...body, metadata: { anchors: 'src/x.ts' } } }),
    ).rejects.toMatchObject({ errors: [{ path: 'metadata.anchors' }] });
    const items = [{ value: 'v' }, { value: 'v', metadata: { anchors: [{}] } }];
    await expect(daemon.call(storeBatch, { body: { items } })).rejects.toMatchObject({
      errors: [{ path: 'items.1.metadata.anchors.0.path' }],
    });
  });

  test('other accounts and narrower keys name no folder of this machine', async () => {
    const { reply } = await signUp(daemon, 'a@example.org');
    expect(await daemon.as(reply.api_key)(nameFolder, { body: { folder: root } })).toEqual({
      namespace: null,
    });
    const { key } = await daemon.call(createKey, {
      body: { name: 'of another', scope: 'write', namespaces: ['project/acme/web'] },
    });
    expect(await daemon.as(key)(nameFolder, { body: { folder: root } })).toEqual({ namespace: null });
    await expect(
      daemon.as(key)(readAnchors, { body: { namespace, folder: root, places: ['src/retry.ts'] } }),
    ).rejects.toMatchObject({ status: 403 });
  });
});

describe('what became of it', () => {
  test('same, moved, changed with its commit, renamed, gone', async () => {
    await stored('all', ['src/retry.ts#retry', 'src/retry.ts']);
    const [lines, symbol] = ['3-6', 'retry'];
    expect(await stateOf('all')).toEqual([{ lines, symbol, state: 'same' }, { state: 'same' }]);
    write('src/retry.ts', `import a;\n\nconst b = 1;\n${RETRY.replaceAll('  ', '\t')}`);
    expect(await stateOf('all')).toEqual([
      { lines, symbol, state: 'moved', lines_now: '4-7' },
      { state: 'changed' },
    ]);
    write('src/retry.ts', `import a;\n\n${RETRY.replace('3', '5')}`);
    const changed = commit();
    daemon.clock.advance(60_000);
    const now = await stateOf('all');
    expect(now).toMatchObject([{ state: 'changed', lines_now: '3-6' }, { state: 'changed' }]);
    expect(now?.every((one) => one.commit !== undefined && changed.startsWith(one.commit))).toBe(true);
    git('checkout', '-q', 'HEAD~1', '--', 'src/retry.ts');
    git('mv', 'src/retry.ts', 'src/again.ts');
    daemon.clock.advance(60_000);
    expect(await stateOf('all')).toMatchObject([
      { state: 'moved', path_now: 'src/again.ts' },
      { state: 'moved', path_now: 'src/again.ts' },
    ]);
    git('rm', '-q', '-f', 'src/again.ts');
    daemon.clock.advance(60_000);
    expect(await stateOf('all')).toMatchObject([{ state: 'gone' }, { state: 'gone' }]);
  });

  test('a file that is only named is told when it is gone, and not when it changes', async () => {
    const { anchors } = await read([], { value: 'See src/retry.ts.' });
    await daemon.call(setMemory, {
      body: { namespace, key: 'named', value: 'See src/retry.ts.', metadata: { anchors } },
    });
    write('src/retry.ts', 'nothing of that\n');
    expect(await stateOf('named')).toEqual([{ state: 'same' }]);
    fs.rmSync(path.join(root, 'src/retry.ts'));
    expect(await stateOf('named')).toEqual([{ state: 'gone' }]);
  });

  test('of what Git ignores by now it is not told whether it is as a hash says', async () => {
    await stored('kept', ['src/retry.ts#retry']);
    git('rm', '-q', '--cached', 'src/retry.ts');
    write('.gitignore', 'src/\n');
    daemon.clock.advance(600_000);
    expect(await stateOf('kept')).toMatchObject([{ state: 'unchecked' }]);
  });

  test('search and ask tell it, and a memory without anchors has none', async () => {
    await stored('told', ['src/retry.ts#retry'], 'The basilisk waits thrice before each retry.');
    write('src/retry.ts', RETRY.replace('3', '5'));
    const { results } = await daemon.call(searchMemories, { body: { namespace, query: 'basilisk waits' } });
    expect(results.find(({ key }) => key === 'told')?.anchors).toMatchObject([{ state: 'changed' }]);
    const question = 'How often does the basilisk wait?';
    const { citations } = await daemon.call(askMemory, { body: { namespace, question } });
    expect(citations.find(({ key }) => key === 'told')?.anchors).toMatchObject([{ state: 'changed' }]);
    await daemon.call(setMemory, { body: { namespace, key: 'plain', value: 'A plain one.' } });
    expect(await stateOf('plain')).toBeUndefined();
  });

  test('where the repository is not known, or is another one by now, it is not checked', async () => {
    await stored('kept', ['src/retry.ts#retry']);
    git('remote', 'set-url', 'origin', 'https://github.com/acme/other.git');
    expect(await stateOf('kept')).toMatchObject([{ state: 'unchecked' }]);
    git('remote', 'set-url', 'origin', 'https://github.com/acme/shop.git');
    fs.rmSync(root, { recursive: true });
    expect(await stateOf('kept')).toMatchObject([{ state: 'unchecked' }]);
  });
});

describe('hooks tell it', () => {
  test('at the start and at a prompt, in the repository of the working folder', async () => {
    await daemon.call(nameFolder, { body: { folder: root } });
    await stored('wyvern', ['src/retry.ts#retry'], 'The wyvern retries thrice, and never again.');
    expect(await hook('start', 'one')).toMatch(/\[wyvern\] The wyvern retries thrice, and never again\.\\n/);
    write('src/retry.ts', RETRY.replace('3', '5'));
    await says('start', 'never again. (the code has changed since: src/retry.ts:3-6 (retry), see lines 1-4)');
    await says('prompt', '[wyvern] The wyvern retries thrice, and never again. (the code has changed since');
    fs.rmSync(path.join(root, 'src/retry.ts'));
    await says('start', '(the file is gone since, or renamed: src/retry.ts:3-6 (retry))');
  });
});

describe('tools of MCP tell it', () => {
  const told = async (name: string, args: Record<string, unknown>) => {
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
    const headers = { Authorization: `Bearer ${daemon.apiKey}`, [PROJECT_HEADER]: namespace };
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`${daemon.origin}/mcp`), { requestInit: { headers } }),
    );
    onTestFinished(() => client.close());
    const [first] = (await client.callTool({ name, arguments: args })).content;
    return first?.type === 'text' ? first.text : '';
  };

  test('what is stored with places, or names files, is anchored, and told in search, ask and get', async () => {
    await daemon.call(nameFolder, { body: { folder: root } });
    const value = 'The manticore of `src/retry.ts` waits thrice, see `retry`.';
    expect(await told('memory_set', { key: 'manticore', value })).toContain('Anchored to src/retry.ts:3-6.');
    const placed = { key: 'placed', value: 'A line of the manticore.', anchors: ['src/retry.ts:4'] };
    expect(await told('memory_set', placed)).toContain('Anchored to src/retry.ts:4.');
    const refused = await told('memory_set', { ...placed, anchors: ['src/retry.ts#nothing'] });
    expect(refused).toMatch(/Not done.*defines no "nothing"/);
    expect(await told('memory_get', { key: 'manticore' })).toContain(
      ' code="src/retry.ts:3-6 (retry) is as it was"',
    );
    expect(await told('memory_search', { query: 'manticore waits' })).not.toContain(' code=');
    write('src/retry.ts', RETRY.replace('3', '5'));
    const code = ' code="the code has changed since: src/retry.ts:3-6 (retry), see lines 1-4"';
    expect(await told('memory_search', { query: 'manticore waits' })).toContain(code);
    expect(await told('memory_ask', { question: 'How often does the manticore wait?' })).toContain(code);
    expect(await told('memory_get', { key: 'manticore' })).toContain(code);
  });

  test('what something else took the place of is told behind that', async () => {
    const set = (key: string, value: string) => daemon.call(setMemory, { body: { namespace, key, value } });
    await set('old', 'The kraken sleeps at nine.');
    daemon.clock.advance(1_000);
    await set('new', 'The kraken sleeps at ten.');
    const { findings } = await daemon.call(proposeInsights, {
      body: {
        namespace,
        findings: [
          {
            kind: 'disagree',
            evidence: [
              { key: 'old', quote: 'The kraken sleeps at nine.' },
              { key: 'new', quote: 'The kraken sleeps at ten.' },
            ],
            title: 'When the kraken sleeps',
            why: 'The later one holds.',
          },
        ],
      },
    });
    const [finding] = findings;
    await daemon.call(acceptInsight, { params: { id: finding?.id ?? '' }, body: {} });
    const text = await told('memory_get', { key: 'old' });
    expect(text.indexOf('at ten')).toBeGreaterThan(0);
    expect(text.indexOf('at ten')).toBeLessThan(text.indexOf('at nine'));
    for (const reply of [
      await told('memory_search', { query: 'kraken sleeps at nine' }),
      await told('memory_ask', { question: 'When does the kraken sleep?' }),
      await hook('start', 'kraken'),
      await hook('prompt', 'kraken', 'When does the kraken sleep at nine?'),
    ]) {
      expect(reply).not.toContain('at nine.');
    }
    expect(await hook('start', 'kraken again')).toContain('The kraken sleeps at ten.');
    const { out, err } = await run({ home: daemon.home.folder }, 'get', 'old', '-n', namespace);
    expect([out, err]).toEqual(['The kraken sleeps at nine.', 'Superseded by new.\n']);
  });
});

test('the command line anchors, and warns of what changed', async () => {
  const reverie = (...args: string[]) => run({ home: daemon.home.folder }, ...args, '-n', namespace);
  vi.spyOn(process, 'cwd').mockReturnValue(path.join(root, 'src'));
  onTestFinished(() => void vi.restoreAllMocks());
  const set = ['set', 'basilisk', 'The hippogriff waits thrice.', '--anchor', 'retry.ts#retry'];
  expect((await reverie(...set)).code).toBe(0);
  const [key] = (await reverie('add', 'Of a griffin', '--anchor', 'retry.ts:4')).out.split('\n');
  expect((await reverie('get', 'basilisk')).err).toBe('');
  write('src/retry.ts', RETRY.replace('3', '5').replace('times);', 'time);'));
  expect(await reverie('get', 'basilisk')).toMatchObject({
    out: 'The hippogriff waits thrice.',
    err: 'Code: the code has changed since: src/retry.ts:3-6 (retry), see lines 1-4\n',
  });
  expect((await reverie('get', key ?? '')).err).toContain('src/retry.ts:4');
  expect((await reverie('search', 'hippogriff')).out).toContain('Code: the code has changed since');
  const wrong = await reverie(...set.slice(0, 3), '--anchor', 'no.ts');
  expect([wrong.code, wrong.err]).toEqual([expect.any(Number), expect.stringContaining('no file "no.ts"')]);
  expect(wrong.code).not.toBe(0);
});

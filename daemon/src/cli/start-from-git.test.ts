import { callHook } from '@reverie/shared/contract/agents/hooks';
import { listMemories, setMemory } from '@reverie/shared/contract/memories/memories';
import { listTrash } from '@reverie/shared/contract/memories/trash';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { said, startFakeModelServer } from '../models/testing/fake-model-server.ts';
import { makeRepository, type MadeRepository } from '../portable/repository/testing.ts';
import { startTestDaemon, type TestDaemon } from '../testing.ts';
import { type Given, run } from './fake-terminal.ts';

let daemon: TestDaemon;
let shop: MadeRepository;
let namespace: string;
let made = 0;

beforeAll(async () => {
  daemon = await startTestDaemon();
});
beforeEach(() => {
  shop = makeRepository();
  made += 1;
  shop.git('remote', 'set-url', 'origin', `https://github.com/acme/shop-${made}.git`);
  namespace = `project/acme/shop-${made}`;
  shop.commit('Begin', {
    'README.md': '# Shop\n\nA shop that sells tea to people who like it, by the gram.\n',
    'CONTRIBUTING.md': '# C\n\n## Style\n\n- Say `const` wherever it is possible\n',
    'package.json': '{"scripts":{"test":"vitest run"}}',
  });
});
afterAll(() => daemon.stop());

const start = (given: Partial<Given>, ...args: string[]) =>
  run({ home: daemon.home.folder, ...given }, 'start-from-git', shop.folder, ...args);
const stored = async () =>
  (await daemon.call(listMemories, { body: { namespace, limit: 100 } })).memories.sort((a, b) =>
    a.key < b.key ? -1 : 1,
  );

test('what was found is shown with where it is from, and only what is chosen is stored', async () => {
  const { out, err, code } = await start({ typed: 'perhaps\n2-9\n2 3\n' });
  expect(code).toBe(0);
  expect(out).toContain(
    ' 1  project-about\n    What this is: A shop that sells tea to people who like it, by the gram.\n    from README.md\n',
  );
  expect(err.match(/It must be all, none, or numbers from 1 to 4\./gu)).toHaveLength(2);
  expect(out).toContain(`Stored 2 memories in ${namespace}.`);
  expect((await stored()).map(({ key, metadata }) => [key, metadata])).toEqual([
    ['command-package-json', { source: 'package.json', tags: ['command', 'instructions', 'from-git'] }],
    ['project-papers', { source: 'git ls-tree', tags: ['project', 'from-git'] }],
  ]);
});

test('nothing is stored where nobody answers, or says none', async () => {
  expect((await start({})).out).toContain('Nothing was stored: --yes stores all of it.');
  expect((await start({ typed: 'none\n' })).out).toContain('Nothing was stored.');
  expect((await start({ typed: '' })).out).toContain('Nothing was stored.');
  const printed = JSON.parse((await start({}, '--json')).out) as { proposals: unknown[]; stored: number };
  expect([printed.proposals.length, printed.stored]).toEqual([4, 0]);
  expect(await stored()).toEqual([]);
});

test('a second run proposes what is new or changed, and leaves what a person edited or deleted', async () => {
  await start({}, '--yes');
  expect((await start({}, '--yes')).out).toBe(`Nothing new for ${namespace}.\n`);
  await daemon.call(setMemory, { body: { namespace, key: 'project-about', value: 'We sell tea.' } });
  await run({ home: daemon.home.folder }, 'delete', 'command-package-json', '-n', namespace);
  shop.commit('More', {
    'README.md': '# Shop\n\nA shop that sells coffee to people who like it, by the gram.\n',
    'CONTRIBUTING.md': '# C\n\n## Style\n\n- Never say `var`\n\n## Tests\n\n- Run `npm test`\n',
    'package.json': '{"scripts":{"test":"vitest"}}',
  });
  const { out, err } = await start({}, '--yes');
  expect(out).toContain('convention-style (changed)\n    Style:\n    - Never say `var`');
  expect(out).toContain('convention-tests\n');
  expect(out).toContain(`Stored 2 memories in ${namespace}.`);
  expect(err).toContain('1 you have in your own words, 1 you deleted');
  const about = (await stored()).find(({ key }) => key === 'project-about');
  expect(about?.value).toBe('We sell tea.');
});

test('a memory of a person under such a key is never overwritten', async () => {
  await daemon.call(setMemory, { body: { namespace, key: 'convention-style', value: 'Mine.' } });
  await start({}, '--yes');
  expect((await stored()).find(({ key }) => key === 'convention-style')?.value).toBe('Mine.');
});

test('undo moves all of it to the trash, but what was edited', async () => {
  await start({}, '--yes');
  await daemon.call(setMemory, { body: { namespace, key: 'project-about', value: 'We sell tea.' } });
  const { out, err } = await start({}, '--undo');
  expect(out).toBe(`Moved 3 memories of ${namespace} to the trash.\n`);
  expect(err).toContain('project-about');
  expect((await stored()).map(({ key }) => key)).toEqual(['project-about']);
  expect((await daemon.call(listTrash, { query: { namespace } })).total).toBe(3);
  expect((await start({}, '--yes')).out).toContain('Stored 3 memories');
});

test('undo of a namespace leaves what came into one below it', async () => {
  await start({}, '--yes', '-n', `${namespace}/below`);
  await start({}, '--yes');
  expect((await start({}, '--undo')).out).toBe(`Moved 4 memories of ${namespace} to the trash.\n`);
  const { total } = await daemon.call(listMemories, { body: { namespace: `${namespace}/below` } });
  expect(total).toBe(4);
});

test('what was stored is told at the start of a session in that folder', async () => {
  await start({}, '--yes');
  const input = JSON.stringify({ cwd: shop.folder, session_id: 'first' });
  const body = { agent: 'claude-code', event: 'start', input } as const;
  const { output } = await daemon.call(callHook, { body });
  expect(output).toContain('Say `const` wherever it is possible');
  expect(output).toContain('npm run test');
  expect(output.indexOf('[command-package-json]')).toBeLessThan(output.indexOf('[convention-style]'));
});

test('a folder that is none says what to name', async () => {
  const { err, code } = await run({ home: daemon.home.folder }, 'start-from-git', '/');
  expect([err, code]).toEqual([
    '/ is no working folder of a Git repository: name the namespace with -n.\n',
    2,
  ]);
  const named = await run({ home: daemon.home.folder }, 'start-from-git', '/', '-n', 'x');
  expect([named.err, named.code]).toEqual([
    expect.stringContaining('/ is in no Git repository: name one'),
    1,
  ]);
});

test('with a model what it finds is proposed beside the rest, once; without one the rest is', async () => {
  expect((await start({}, '--with-model')).err).toContain('No model has read it: no language model is set');
  const found = [{ text: 1, say: 'It sells tea by the gram.', quote: 'people who like it, by the gram' }];
  const fake = await startFakeModelServer(() => said(JSON.stringify({ found })));
  const env = { REVERIE_LLM_BASE_URL: fake.baseUrl, REVERIE_LLM_MODEL: 'small' };
  const asking = await startTestDaemon({ env });
  const run = () => start({ home: asking.home.folder }, '--with-model', '--yes');
  try {
    expect((await run()).out).toContain(
      'gist-people-who-like-it-by-the\n    It sells tea by the gram.\n    from README.md',
    );
    expect((await run()).out).toBe(`Nothing new for ${namespace}.\n`);
  } finally {
    await asking.stop();
    await fake.stop();
  }
});

import fs from 'node:fs';
import path from 'node:path';
import type { AnchorNow } from '@reverie/shared/contract/memories/anchor-now';
import type { Anchor } from '@reverie/shared/contract/memories/anchors';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { temporaryFolder } from '../../testing.ts';
import { LONGEST_TURN, turnsOf } from '../../testing/turns.ts';
import { createAnchorCheck } from './checking.ts';
import { codeText, hashOf } from './lines.ts';
import type { RepositoryHistory } from './repository.ts';

let root: string;
beforeEach(() => {
  const { folder, remove } = temporaryFolder();
  onTestFinished(remove);
  root = fs.realpathSync(folder);
});

/** A repository without a history. */
const plain: Omit<RepositoryHistory, 'head' | 'ignored'> = {
  ignoredLately: async () => new Set(),
  renamed: async () => undefined,
  added: async () => [],
  lastChange: async () => undefined,
};
const log = {
  warn(it: unknown) {
    throw it;
  },
};

/** Looks at anchors; answers what is told of each by then. */
async function look(
  anchors: readonly Anchor[],
  {
    history = plain,
    late = new AbortController(),
    check = createAnchorCheck({ history, log }),
  }: { history?: typeof plain; late?: AbortController; check?: ReturnType<typeof createAnchorCheck> } = {},
) {
  const told = new Map<Anchor, AnchorNow>();
  const tell = (anchor: Anchor, now: AnchorNow) => void told.set(anchor, now);
  const placed = anchors.map((anchor) => ({ root, anchor }));
  await check(placed, { late: late.signal, forCommits: false, tell });
  return told;
}

/** As many anchors to the lines of a text as are wanted, each to fewer of them: they seem to stand there, and each has to be compared. */
function forged(name: string, text: string, count: number): Anchor[] {
  const code = codeText(text);
  return Array.from({ length: count }, (_, at) => {
    const to = code.lines.length - 1 - at;
    const hash = hashOf(code, { from: 1, to })?.replace(/[0-9a-f]{32}$/, '0'.repeat(32));
    return { path: name, lines: `1-${to}`, ...(hash !== undefined && { hash }), symbol: 'a.b.c' };
  });
}

const MIB = 1024 * 1024;
const HOSTILE: [string, string][] = [
  ['lines of one letter', 'a\n'.repeat(MIB / 2)],
  ['brackets', '(\n'.repeat(MIB / 2)],
  ['blank lines', `a\n${'\n'.repeat(MIB - 3)}`],
];

describe('anchors that are made to cost much', () => {
  test.each(HOSTILE)('let others have their turn: %s', async (_, text) => {
    const anchors = forged('large.ts', text, 6);
    fs.writeFileSync(path.join(root, 'large.ts'), text);
    const { longest } = await turnsOf(() => look(anchors));
    expect(longest).toBeLessThan(LONGEST_TURN);
  });

  test('are compared up to a bound in a reply, and what is left out is looked at the next time', async () => {
    const text = 'a\n'.repeat(MIB / 2);
    fs.writeFileSync(path.join(root, 'large.ts'), text);
    // Long ago enough that what is found is kept.
    const check = createAnchorCheck({ history: plain, log });
    const anchors = forged('large.ts', text, 16);
    fs.utimesSync(path.join(root, 'large.ts'), 1, 1);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 });
    onTestFinished(() => void vi.useRealTimers());
    const first = await look(anchors, { check });
    expect(first.size).toBeGreaterThanOrEqual(2);
    expect(first.size).toBeLessThan(12);
    expect([...first.values()].every(({ state }) => state === 'changed')).toBe(true);
    const second = await look(anchors, { check });
    expect(second.size).toBeGreaterThan(first.size);
  });

  test('end once it is late', async () => {
    // Few enough that all would be told else.
    const text = 'a\n'.repeat(MIB / 16);
    const anchors = forged('', text, 8).map((anchor, at) => ({ ...anchor, path: `${at}.ts` }));
    for (const { path: name } of anchors) fs.writeFileSync(path.join(root, name), text);
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), 1);
    onTestFinished(() => clearTimeout(timer));
    const told = await look(anchors, { late });
    expect(late.signal.aborted).toBe(true);
    expect(told.size).toBeLessThan(8);
    expect((await look(anchors)).size).toBe(8);
  });
});

test('some files are read at a time, each once for all of its anchors', async () => {
  const names = Array.from({ length: 40 }, (_, at) => `${at}.ts`);
  const hash = hashOf(codeText('b'), { from: 1, to: 1 }) ?? '';
  for (const name of names) fs.writeFileSync(path.join(root, name), 'a\nb\n');
  let [open, most, all] = [0, 0, 0];
  const openFile = fs.promises.open;
  vi.spyOn(fs.promises, 'open').mockImplementation(async (...args) => {
    const handle = await openFile(...args);
    most = Math.max(most, (open += 1));
    all += 1;
    const close = handle.close.bind(handle);
    handle.close = async () => {
      await close();
      open -= 1;
    };
    return handle;
  });
  onTestFinished(() => void vi.restoreAllMocks());
  const told = await look(
    names.flatMap((name) => ['1', '2', '3'].map((lines) => ({ path: name, lines, hash }))),
  );
  expect(told.size).toBe(120);
  expect([...told].every(([{ lines }, { state }]) => state === (lines === '2' ? 'same' : 'moved'))).toBe(
    true,
  );
  expect([all, open]).toEqual([40, 0]);
  expect(most).toBeGreaterThan(1);
  expect(most).toBeLessThanOrEqual(4);
});

describe('of what Git ignores nothing is told', () => {
  const PATHS = ['.env', 'link.ts', 'linked/.env', 'gone.ts'];
  test.each([
    ['and says so', async () => new Set(['.env', 'hidden/.env']), 1],
    ['as far as it says nothing', async () => undefined, 0],
  ])('%s', async (_, ignoredLately, count) => {
    const hash = hashOf(codeText('PASSWORD=swordfish'), { from: 1, to: 1 }) ?? '';
    fs.mkdirSync(path.join(root, 'hidden'));
    for (const name of ['.env', 'hidden/.env', 'src.ts'])
      fs.writeFileSync(path.join(root, name), 'PASSWORD=swordfish');
    fs.symlinkSync('.env', path.join(root, 'link.ts'));
    fs.symlinkSync('hidden', path.join(root, 'linked'));
    const anchors = [...PATHS, 'src.ts'].map((name) => ({ path: name, hash }));
    // A file of the same text, by a link that nobody put under Git's eyes.
    const history = { ...plain, ignoredLately, added: async () => ['link.ts'] };
    const told = await look(anchors, { history });
    const known = [...told.values()].filter(({ state }) => state !== 'gone');
    expect(known).toHaveLength(count);
    expect(known.every((one) => one.path === 'src.ts' && one.state === 'same')).toBe(true);
    expect(told.get(anchors[3] as Anchor)).toEqual({ path: 'gone.ts', state: 'gone' });
  });
});

test('for a file that could not be looked at the others are told all the same', async () => {
  for (const name of ['a.ts', 'b.ts']) fs.writeFileSync(path.join(root, name), 'a');
  const hash = hashOf(codeText('a'), { from: 1, to: 1 }) ?? '';
  const openFile = fs.promises.open;
  vi.spyOn(fs.promises, 'open').mockImplementation(async (name, ...args) => {
    if (String(name).endsWith('a.ts'))
      throw Object.assign(new Error('EMFILE'), { code: 'EMFILE', syscall: 'open' });
    return openFile(name, ...args);
  });
  onTestFinished(() => void vi.restoreAllMocks());
  const warn = vi.fn();
  const check = createAnchorCheck({ history: plain, log: { warn } });
  const told = await look(
    [
      { path: 'a.ts', hash },
      { path: 'b.ts', hash },
    ],
    { check },
  );
  expect([...told.values()]).toEqual([{ path: 'b.ts', state: 'same' }]);
  expect(warn).toHaveBeenCalledOnce();
});

import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { setTimeout as pause } from 'node:timers/promises';
import pino from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '@reverie/shared/contract/fields';
import { createFakeClock } from '@reverie/shared/testing/fake-clock';
import type { Author } from '../../db/change.ts';
import { loadMigrations } from '../../db/migrations.ts';
import { openStore, type Store } from '../../db/open-store.ts';
import { createKnowledge, type KnowledgePart } from '../../compose/knowledge.ts';
import { temporaryFolder } from '../../testing.ts';
import { insertAccount } from '../accounts/accounts.store.ts';
import { storeBatch } from '../memories/memories.service.ts';
import { unfollowed } from '../memories/unfollowed.ts';
import {
  createBackgroundExtractor,
  type ExtractorLimits,
  ExtractorNotLoaded,
} from './background-extractor.ts';
import { factsOf, knowledge } from './knowledge.store.ts';

const script = (name: string) => new URL(`./testing/${name}-process.ts`, import.meta.url);
const source = (value: string) => ({ key: 'k', value, metadata: {}, observedAt: 0 });

it('a batch has its time from when the process is loaded, which takes longer than that here', async () => {
  const extractor = createBackgroundExtractor({ batchMs: 3_000, script: script('slow') });
  expect(await extractor.extract([])).toEqual([]);
  expect(await extractor.extract([])).toEqual([]);
  extractor.rest();
});

it.each(['unloadable', 'missing'])('a process that is %s is not the fault of a text', async (name) => {
  const extractor = createBackgroundExtractor({ loadingMs: 3_000, script: script(name) });
  await expect(extractor.extract([source('Bruno lives in Porto.')])).rejects.toBeInstanceOf(
    ExtractorNotLoaded,
  );
  extractor.rest();
});

it.each(['HANGS', 'ENDS', 'BREAKS', 'FILLS its memory at once', 'SWELLS until its memory is full'])(
  'a text on which it %s is given up, and the next is read',
  async (what) => {
    const batchMs = what === 'HANGS' ? 3_000 : 600_000;
    const extractor = createBackgroundExtractor({ batchMs, heapMb: 96, script: script('poisoned') });
    const broken = extractor.extract([source(what)]);
    await expect(broken).rejects.toThrow();
    await expect(broken).rejects.not.toBeInstanceOf(ExtractorNotLoaded);
    const [facts] = await extractor.extract([source('Bruno lives in Porto.')]);
    expect(facts).toMatchObject([{ subject: 'Bruno', object: 'Porto' }]);
    extractor.rest();
  },
);

it('a process that hangs ends by itself when nobody waits for it any more', async () => {
  const child = fork(fileURLToPath(script('poisoned')), ['500'], {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const ended = once(child, 'exit');
  await once(child, 'message');
  child.send({ id: 1, sources: [source('HANGS')] });
  child.disconnect();
  // Broken off by its own limit, not by a signal.
  expect(await ended).toEqual([1, null]);
});

it('signals that reach the daemon and all it started leave its end to the daemon', async () => {
  const child = fork(fileURLToPath(script('poisoned')), ['600000'], {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  await once(child, 'message');
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) child.kill(signal);
  const answered = once(child, 'message');
  child.send({ id: 1, sources: [source('Bruno lives in Porto.')] });
  expect(await answered).toMatchObject([{ id: 1 }, undefined]);
  const ended = once(child, 'exit');
  child.disconnect();
  expect(await ended).toEqual([0, null]);
});

describe('finding facts in the background', () => {
  const NOTHING = (): void => undefined;
  let store: Store;
  let knowing: KnowledgePart;
  let author: Author;
  let stop = NOTHING;
  let lines: string[];
  const clock = createFakeClock();

  function start(limits: ExtractorLimits): void {
    const log = pino({ level: 'warn' }, { write: (line) => void lines.push(line) });
    knowing = createKnowledge({ store, clock, log, background: createBackgroundExtractor(limits) });
    stop = knowing.start();
  }
  beforeEach(() => {
    lines = [];
    store = openStore({ file: ':memory:', migrations: loadMigrations() });
    const account = store.write((db) =>
      insertAccount(db, { public_id: 'acc', kind: 'machine', tier: 'machine', created_at: clock.now() }),
    );
    author = { account, actor: { kind: 'system', id: 'test' }, origin: 'local' };
  });
  afterEach(() => {
    stop();
    store.close();
  });

  function write(values: readonly string[], metadata: JsonObject = {}): void {
    const deps = unfollowed({ store, clock, facts: knowing });
    storeBatch(
      deps,
      author,
      values.map((value, at) => ({ key: `note ${at}`, value, metadata, namespace: 'default' })),
    );
  }
  const until = async (isSo: () => boolean) => {
    while (!isSo()) await pause(2);
  };
  const objects = () =>
    store
      .read((db) => [
        ...factsOf(
          db,
          knowledge({ account: author.account, namespace: 'default' }, { asOf: undefined, now: clock.now() }),
        ),
      ])
      .map(({ object }) => object)
      .sort();

  it('skips the memories on which it hangs or breaks, names them, and reads the others', async () => {
    start({ batchMs: 3_000, heapMb: 96, script: script('poisoned') });
    write([
      'Bruno lives in Porto.',
      'The secret HANGS.',
      'Anna lives in Rome.',
      'The secret ENDS.',
      'The secret FAILS.',
      'The secret FILLS it.',
      'Clara lives in Kiel.',
    ]);
    await until(() => knowing.pending() === 0);
    expect(objects()).toEqual(['Kiel', 'Porto', 'Rome']);
    const { skipped, ...state } = knowing.state();
    expect(state).toMatchObject({ state: 'ok', error: null });
    expect(knowing.skipped(author.account).map(({ key }) => key)).toEqual([
      'note 1',
      'note 3',
      'note 4',
      'note 5',
    ]);
    const log = lines.join('');
    for (const { id } of skipped) expect(log).toContain(`"memory":${id},`);
    expect(log).not.toContain('secret');
    write(['x', 'Dora lives in Bonn.']);
    await until(() => knowing.pending() === 0);
    expect(objects()).toContain('Bonn');
    expect(knowing.skipped(author.account).map(({ key }) => key)).toEqual(['note 3', 'note 4', 'note 5']);
  });

  it('reads a memory alone again where the process was ended once: that was not its fault', async () => {
    const { folder, remove } = temporaryFolder();
    start({ script: script('poisoned') });
    write(['Bruno lives in Porto.'], { once: path.join(folder, 'was') });
    await until(() => knowing.pending() === 0);
    expect(objects()).toContain('Porto');
    expect(knowing.state().skipped).toEqual([]);
    remove();
  });

  it('keeps the memories while the process does not load, and reads them when it does', async () => {
    start({ script: script('missing') });
    write(['Bruno lives in Porto.']);
    await until(() => knowing.state().state === 'down');
    expect(knowing.state()).toMatchObject({ error: 'the parsers cannot be loaded', skipped: [] });
    expect(knowing.pending()).toBe(1);
    stop();
    start({});
    await until(() => knowing.pending() === 0);
    expect(objects()).toEqual(['Porto']);
    expect(knowing.state().state).toBe('ok');
  });

  it('is tried again after a while, and not with each write', async () => {
    let tries = 0;
    const log = pino({ level: 'silent' });
    const real = createBackgroundExtractor();
    const background = {
      rest: () => real.rest(),
      extract: (sources: Parameters<typeof real.extract>[0]) =>
        (tries += 1) === 1 ? Promise.reject(new ExtractorNotLoaded('not there')) : real.extract(sources),
    };
    knowing = createKnowledge({ store, clock, log, background });
    stop = knowing.start();
    write(['Bruno lives in Porto.']);
    await until(() => knowing.state().state === 'down');
    const since = knowing.state().since;
    write(['Bruno lives in Porto.', 'Anna lives in Rome.']);
    await new Promise((resolve) => setImmediate(resolve));
    expect(tries).toBe(1);
    clock.advance(120_000);
    await until(() => knowing.pending() === 0);
    expect(objects()).toEqual(['Porto', 'Rome']);
    expect(knowing.state()).toMatchObject({ state: 'ok', error: null });
    expect(knowing.state().since).toBeGreaterThan(since);
  });
});

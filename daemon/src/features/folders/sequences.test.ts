import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { runs } from '@reverie/shared/testing/depth';
import { addFolder } from '@reverie/shared/contract/memories/folders';
import * as contract from '@reverie/shared/contract/memories/memories';
import { renameMemory, tagMemories } from '@reverie/shared/contract/memories/naming';
import { importMemories, pruneImported } from '@reverie/shared/contract/memories/portable';
import { emptyTrash, listTrash, restoreTrash, trashMemories } from '@reverie/shared/contract/memories/trash';
import { seconds } from '@reverie/shared/testing/patience';
import { verifyDatabase } from '../../db/backup/verify.ts';
import { startTestDaemon, temporaryFolder, type TestDaemon } from '../../testing.ts';
import { listSources } from './folders.store.ts';
import { createModel, type Model, NOTES, SPACES } from './testing/model.ts';

/** Keys of memories, names of files in the followed folder, and what imports bring: all mean the same addresses. */
const NAMES = ['a.md', 'b.md', 'c.md'];
const name = fc.constantFrom(...NAMES);
const namespace = fc.constantFrom(...SPACES);
const value = fc.constantFrom('one', 'two', 'three');
const kind = <const K extends string>(...all: K[]) => fc.constantFrom<K>(...all);
const item = fc.record({ name, value });
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: kind('set'), key: name, namespace, value }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: kind('rename'),
      key: name,
      namespace,
      to: fc.record({ namespace, key: name }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: kind('tag'), key: name, namespace, tag: fc.constantFrom('t', 'u') }),
  },
  { weight: 6, arbitrary: fc.record({ kind: kind('trash', 'restore', 'delete'), key: name, namespace }) },
  { weight: 1, arbitrary: fc.record({ kind: kind('clear', 'empty'), namespace }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: kind('import'),
      items: fc.uniqueArray(item, { minLength: 1, selector: (one) => one.name }),
      restore: fc.boolean(),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: kind('prune'), names: fc.uniqueArray(name, { minLength: 1 }) }) },
  { weight: 5, arbitrary: fc.record({ kind: kind('file written'), name, value }) },
  { weight: 3, arbitrary: fc.record({ kind: kind('file renamed'), name, to: name }) },
  { weight: 3, arbitrary: fc.record({ kind: kind('file removed'), name }) },
  { weight: 1, arbitrary: fc.record({ kind: kind('restart') }) },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

interface World {
  daemon: TestDaemon;
  root: string;
  folderId: string;
  model: Model;
}

/** Does one thing here and in the model, and holds their answers against each other. */
async function run({ daemon, root, model }: World, one: Step): Promise<void> {
  daemon.clock.advance(10);
  const post = async (route: { path: string }, body: unknown) =>
    (await daemon.ask({ path: `/v1${route.path}`, body })).status;
  switch (one.kind) {
    case 'set': {
      const { kind: _, ...body } = one;
      await daemon.call(contract.setMemory, { body });
      return void model.write(one, one.value);
    }
    case 'rename': {
      const { kind: _, ...body } = one;
      return expect(await post(renameMemory, body)).toBe(model.rename(one, one.to));
    }
    case 'tag': {
      const { key, namespace: space, tag } = one;
      const status = await post(tagMemories, { items: [{ key, namespace: space }], add: [tag] });
      return expect(status).toBe(model.tag(one, tag));
    }
    case 'trash':
    case 'restore':
    case 'delete': {
      const { kind: deed, ...at } = one;
      if (deed === 'delete') return expect(await post(contract.deleteMemory, at)).toBe(model.delete(one));
      const route = deed === 'trash' ? trashMemories : restoreTrash;
      return expect(await post(route, { items: [at] })).toBe(model[deed](one));
    }
    case 'clear':
    case 'empty': {
      const route = one.kind === 'clear' ? contract.clearNamespace : emptyTrash;
      await daemon.call(route, { body: { namespace: one.namespace } });
      return model[one.kind](one.namespace);
    }
    case 'import': {
      const items = one.items.map((brought) => ({
        key: brought.name,
        namespace: NOTES,
        value: brought.value,
        source: { id: `import/${brought.name}`, hash: brought.value },
      }));
      const { outcomes } = await daemon.call(importMemories, { body: { items, restore: one.restore } });
      const modelled = one.items.map((brought) => model.bring({ by: 'import', ...brought }, one.restore));
      return expect(outcomes).toEqual(modelled);
    }
    case 'prune': {
      const sources = one.names.map((gone) => `import/${gone}`);
      const reply = await daemon.call(pruneImported, { body: { sources } });
      const keys = (all: { key: string }[]) => all.map(({ key }) => key);
      return expect({ pruned: keys(reply.pruned), kept: keys(reply.kept) }).toEqual(model.prune(one.names));
    }
    case 'file written':
      fs.writeFileSync(path.join(root, one.name), one.value);
      return void model.files.set(one.name, one.value);
    case 'file renamed': {
      const text = model.files.get(one.name);
      if (text === undefined || one.name === one.to) return;
      fs.renameSync(path.join(root, one.name), path.join(root, one.to));
      model.files.delete(one.name);
      return void model.files.set(one.to, text);
    }
    case 'file removed':
      fs.rmSync(path.join(root, one.name), { force: true });
      return void model.files.delete(one.name);
    case 'restart':
      return daemon.restart();
  }
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** What is here, what is in the trash, and on which text of each file was agreed. */
async function shown({ daemon, folderId }: World): Promise<unknown> {
  const here = await Promise.all(
    SPACES.map(async (space) => {
      const { memories } = await daemon.call(contract.listMemories, { body: { namespace: space } });
      return memories.map((one) => [space, one.key, one.value, one.metadata]);
    }),
  );
  const { memories } = await daemon.call(listTrash, { query: {} });
  const files = daemon.withStore((store) => store.read((db) => listSources(db, folderId)));
  return {
    here: here.flat().sort(),
    trash: memories.map((one) => [one.namespace, one.key, one.value, one.metadata]).sort(),
    agreed: files.map((one) => [one.path, one.hash]).sort(),
  };
}

async function expectModelled(steps: readonly Step[]): Promise<void> {
  const temporary = temporaryFolder();
  const root = path.join(fs.realpathSync(temporary.folder), 'notes');
  const daemon = await startTestDaemon();
  try {
    fs.mkdirSync(root);
    // A folder without any file is taken for one whose disk is away.
    fs.writeFileSync(path.join(root, 'stays.md'), 'stays');
    const body = { path: root, namespace: NOTES, format: 'markdown' } as const;
    const { id: folderId } = await daemon.call(addFolder, { body });
    const world: World = { daemon, root, folderId, model: createModel() };
    world.model.files.set('stays.md', 'stays');
    const untilEqual = (after: string) =>
      vi.waitFor(
        async () => {
          // A look at the whole folder, as each minute: what was kept or left out is asked for once more.
          daemon.clock.advance(60_000);
          expect(await shown(world), after).toEqual(world.model.shown(sha256));
        },
        { timeout: seconds(10), interval: 40 },
      );
    world.model.look();
    await untilEqual('the start');
    for (const [at, one] of steps.entries()) {
      await run(world, one);
      world.model.look();
      await untilEqual(`step ${at}: ${JSON.stringify(one)}`);
    }
    expect(verifyDatabase(daemon.home.database).problems).toEqual([]);
  } finally {
    await daemon.stop();
    temporary.remove();
  }
}

test('any sequence of writes, imports, files and restarts equals a model in memory', async () => {
  const seed = process.env['REVERIE_TEST_SEED'];
  await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), expectModelled), {
    numRuns: runs(4, 40),
    // Each step waits for the folder: the seed and the sequence that are named are worth more than a shorter one.
    endOnFailure: true,
    ...(seed !== undefined && { seed: Number(seed) }),
  });
});

import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runs } from '@reverie/shared/testing/depth';
import * as contract from '@reverie/shared/contract/memories/memories';
import { renameMemory } from '@reverie/shared/contract/memories/naming';
import { importMemories, listImportSources, pruneImported } from '@reverie/shared/contract/memories/portable';
import { emptyTrash, listTrash, restoreTrash, trashMemories } from '@reverie/shared/contract/memories/trash';
import { verifyDatabase } from '../../../db/backup/verify.ts';
import { startTestDaemon, type TestDaemon } from '../../../testing.ts';

const namespace = 'sequences';
/** Each is the key of a memory, and the name of a source that brings one. */
const NAMES = ['a', 'b', 'c', 'd'];
const VALUES = ['one', 'two', 'three'];
const idOf = (name: string) => `f/${name}`;

interface Modelled {
  key: string;
  value: string;
  version: number;
  state: 'here' | 'in the trash';
}
/** What a source brought, as it said and in which version then. */
interface Brought {
  memory: Modelled;
  said: string;
  version: number;
  isGone: boolean;
}
interface Model {
  here: Map<string, Modelled>;
  /** The last one first. */
  trash: Modelled[];
  brought: Map<string, Brought>;
  deleted: Set<string>;
}

type Step =
  | { kind: 'set'; key: string; value: string }
  | { kind: 'import'; items: { name: string; value: string }[]; restore: boolean }
  | { kind: 'prune'; names: string[] }
  | { kind: 'delete' | 'trash' | 'untrash'; key: string }
  | { kind: 'rename'; key: string; to: string }
  | { kind: 'empty' | 'clear' | 'restart' };

const name = fc.constantFrom(...NAMES);
const value = fc.constantFrom(...VALUES);
const kinds = <const K extends string>(...all: K[]) => fc.constantFrom<K>(...all);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: kinds('set'), key: name, value }) },
  {
    weight: 10,
    arbitrary: fc.record({
      kind: kinds('import'),
      items: fc.uniqueArray(fc.record({ name, value }), { minLength: 1, selector: (item) => item.name }),
      restore: fc.boolean(),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({ kind: kinds('prune'), names: fc.uniqueArray(name, { minLength: 1 }) }),
  },
  { weight: 8, arbitrary: fc.record({ kind: kinds('delete', 'trash', 'untrash'), key: name }) },
  { weight: 3, arbitrary: fc.record({ kind: kinds('rename'), key: name, to: name }) },
  { weight: 2, arbitrary: fc.record({ kind: kinds('empty', 'clear', 'restart') }) },
);

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startTestDaemon();
});
afterAll(() => daemon.stop());

function write(model: Model, key: string, said: string): Modelled {
  const there = model.here.get(key);
  if (there?.value === said) return there;
  const memory: Modelled = there ?? { key, value: said, version: 0, state: 'here' };
  memory.value = said;
  memory.version += 1;
  model.here.set(key, memory);
  return memory;
}

/** What an import of one item does: the rules of decision 0035. */
function bring(model: Model, item: { name: string; value: string }, restore: boolean): string {
  const before = model.brought.get(item.name);
  const known = (memory: Modelled) => {
    model.deleted.delete(item.name);
    model.brought.set(item.name, { memory, said: item.value, version: memory.version, isGone: false });
  };
  if (before?.memory.state === 'here') {
    const { memory } = before;
    if (before.said === item.value) {
      before.isGone = false;
      return 'unchanged';
    }
    if (memory.value !== item.value && before.version !== memory.version) return 'kept';
    const outcome = memory.value === item.value ? 'unchanged' : 'updated';
    known(write(model, memory.key, item.value));
    return outcome;
  }
  const other = model.here.get(item.name);
  if (other) {
    if (other.value !== item.value) return 'kept';
    known(other);
    return 'unchanged';
  }
  if (before) {
    const { memory } = before;
    if (!restore && !before.isGone) return 'deleted_here';
    if (model.here.has(memory.key)) return 'kept';
    takeBack(model, memory);
    known(write(model, memory.key, item.value));
    return 'restored';
  }
  if (model.deleted.has(item.name) && !restore) return 'deleted_here';
  const outcome = model.deleted.has(item.name) ? 'restored' : 'created';
  known(write(model, item.name, item.value));
  return outcome;
}

function takeBack(model: Model, memory: Modelled): void {
  model.trash.splice(model.trash.indexOf(memory), 1);
  memory.state = 'here';
  model.here.set(memory.key, memory);
}

function throwAway(model: Model, memory: Modelled): void {
  model.here.delete(memory.key);
  memory.state = 'in the trash';
  model.trash.unshift(memory);
}

/** A memory is deleted for good: what brought it and is not gone does not bring it again. */
function forget(model: Model, memory: Modelled): void {
  for (const [source, { memory: one, isGone }] of model.brought) {
    if (one !== memory) continue;
    model.brought.delete(source);
    if (!isGone) model.deleted.add(source);
  }
}

function prune(model: Model, names: readonly string[]): { pruned: string[]; kept: string[] } {
  const done = { pruned: [] as string[], kept: [] as string[] };
  const isHere = (source: string) => {
    const brought = model.brought.get(source);
    return brought?.memory.state === 'here' && !brought.isGone ? [brought.memory] : [];
  };
  for (const memory of new Set(names.flatMap(isHere))) {
    const all = [...model.brought].filter(([, one]) => one.memory === memory);
    const isElsewhere = all.some(([source, { isGone }]) => !isGone && !names.includes(source));
    const isAsBrought = all.some(
      ([source, { version }]) => source === memory.key && version === memory.version,
    );
    if (!isElsewhere && !isAsBrought) {
      done.kept.push(memory.key);
      continue;
    }
    for (const [source, one] of all) if (names.includes(source)) one.isGone = true;
    if (isElsewhere) continue;
    done.pruned.push(memory.key);
    throwAway(model, memory);
  }
  return done;
}

async function run(model: Model, one: Step): Promise<void> {
  daemon.clock.advance(10);
  const at = (key: string) => ({ items: [{ key, namespace }] });
  switch (one.kind) {
    case 'set':
      await daemon.call(contract.setMemory, { body: { key: one.key, value: one.value, namespace } });
      return void write(model, one.key, one.value);
    case 'import': {
      const items = one.items.map((item) => ({
        key: item.name,
        value: item.value,
        namespace,
        source: { id: idOf(item.name), hash: item.value },
      }));
      const planned = await daemon.call(importMemories, {
        body: { items, restore: one.restore, dry_run: true },
      });
      const { outcomes } = await daemon.call(importMemories, { body: { items, restore: one.restore } });
      expect(outcomes).toEqual(one.items.map((item) => bring(model, item, one.restore)));
      // Each item for itself: a plan sees none of what the items before it do.
      if (items.length === 1) expect(planned.outcomes).toEqual(outcomes);
      return;
    }
    case 'prune': {
      const body = { sources: one.names.map(idOf) };
      const planned = await daemon.call(pruneImported, { body: { ...body, dry_run: true } });
      const reply = await daemon.call(pruneImported, { body });
      expect(planned).toEqual(reply);
      const { pruned, kept } = prune(model, one.names);
      expect(reply.pruned.map(({ key }) => key)).toEqual(pruned);
      return expect(reply.kept.map(({ key }) => key)).toEqual(kept);
    }
    case 'delete':
    case 'trash': {
      const memory = model.here.get(one.key);
      const { status } = await daemon.ask(
        one.kind === 'delete'
          ? { path: '/v1/memory-delete', body: { key: one.key, namespace } }
          : { path: `/v1${trashMemories.path}`, body: at(one.key) },
      );
      expect(status).toBe(memory ? 200 : 404);
      if (!memory) return;
      if (one.kind === 'trash') return throwAway(model, memory);
      model.here.delete(one.key);
      return forget(model, memory);
    }
    case 'untrash': {
      const memory = model.trash.find(({ key }) => key === one.key);
      const { status } = await daemon.ask({ path: `/v1${restoreTrash.path}`, body: at(one.key) });
      expect(status).toBe(!memory ? 404 : model.here.has(one.key) ? 409 : 200);
      if (status === 200 && memory) takeBack(model, memory);
      return;
    }
    case 'rename': {
      const body = { key: one.key, namespace, to: { key: one.to } };
      const { status } = await daemon.ask({ path: `/v1${renameMemory.path}`, body });
      const memory = model.here.get(one.key);
      expect(status).toBe(!memory ? 404 : one.key !== one.to && model.here.has(one.to) ? 409 : 200);
      if (status !== 200 || !memory) return;
      model.here.delete(one.key);
      memory.key = one.to;
      return void model.here.set(one.to, memory);
    }
    case 'empty':
    case 'clear': {
      const route = one.kind === 'empty' ? emptyTrash : contract.clearNamespace;
      await daemon.call(route, { body: { namespace } });
      for (const memory of model.trash) forget(model, memory);
      model.trash = [];
      if (one.kind === 'empty') return;
      for (const memory of model.here.values()) forget(model, memory);
      return model.here.clear();
    }
    case 'restart':
      return daemon.restart();
  }
}

async function expectEqual(model: Model): Promise<void> {
  const { memories } = await daemon.call(contract.listMemories, { body: { namespace } });
  expect(new Map(memories.map((one) => [one.key, one.value]))).toEqual(
    new Map([...model.here.values()].map((one) => [one.key, one.value])),
  );
  const trash = await daemon.call(listTrash, { query: { namespace } });
  const said = (one: { key: string; value: string }) => `${one.key}: ${one.value}`;
  expect(trash.memories.map(said).sort()).toEqual(model.trash.map(said).sort());
  const { sources } = await daemon.call(listImportSources, { query: { root: 'f' } });
  const there = [...model.brought].filter(([, one]) => one.memory.state === 'here' && !one.isGone);
  expect(sources).toEqual(there.map(([source]) => idOf(source)).sort());
  expect(verifyDatabase(daemon.home.database).problems).toEqual([]);
}

/** So that a run begins with nothing: what was deleted by the one before is brought back, pruned and deleted for good. */
async function begin(): Promise<void> {
  await daemon.call(contract.clearNamespace, { body: { namespace } });
  const items = NAMES.map((key) => ({
    key,
    namespace,
    value: 'x',
    source: { id: idOf(key), hash: 'x' },
  }));
  await daemon.call(importMemories, { body: { items, restore: true } });
  await daemon.call(pruneImported, { body: { sources: NAMES.map(idOf) } });
  await daemon.call(emptyTrash, { body: { namespace } });
}

describe('any sequence of imports, and of what is done here between them', () => {
  test('equals a model in memory', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 30 }), async (steps) => {
        const model: Model = { here: new Map(), trash: [], brought: new Map(), deleted: new Set() };
        await begin();
        for (const one of steps) await run(model, one);
        await expectEqual(model);
      }),
      { numRuns: runs(12, 40) },
    );
  });
});

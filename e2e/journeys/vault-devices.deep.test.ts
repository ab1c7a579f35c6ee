import fs from 'node:fs';
import path from 'node:path';
import { addFolder, listFolders, removeFolder } from '@reverie/shared/contract/memories/folders';
import { memoryHistory } from '@reverie/shared/contract/memories/history';
import { listMemories, setMemory } from '@reverie/shared/contract/memories/memories';
import { renameMemory, tagMemories } from '@reverie/shared/contract/memories/naming';
import { listTrash, trashMemories } from '@reverie/shared/contract/memories/trash';
import { seconds } from '@reverie/shared/testing/patience';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { linkAll, startSyncWorld, type SyncWorld, type TestDevice } from '../devices.ts';

// A vault that is followed both ways on one device, its memories, and a second device: all say the same, whoever writes.
let world: SyncWorld;
let a: TestDevice;
let b: TestDevice;
let count = 0;
beforeAll(async () => {
  world = await startSyncWorld();
  [a, b] = await Promise.all([world.device(), world.device()]);
  await linkAll([a, b], world.relay);
}, seconds(30));
afterAll(() => world.stop());

const NAMES = ['a.md', 'b.md', 'deep/c.md'];
const name = fc.constantFrom(...NAMES);
const where = fc.constantFrom('file', 'here', 'there');
const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('write'), where, name }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('rename'), where, name, to: name }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('remove'), where, name }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('tag'), where, name, tag: fc.constantFrom('t', 'u') }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

interface Note {
  text: string;
  tags: ReadonlySet<string>;
}

/** What is in the vault, by key, as it has to be once all is quiet. */
type Model = Map<string, Note>;

interface Vault {
  namespace: string;
  root: string;
}

/** Does one thing in one place; answers what was written, where something was. The others are to learn of it. */
async function deed({ namespace, root }: Vault, model: Model, one: Step): Promise<string | undefined> {
  const device = one.where === 'there' ? b : a;
  const file = (key: string) => path.join(root, key);
  const at = { key: one.name, namespace };
  const note = model.get(one.name);
  if ('to' in one) {
    if (!note || model.has(one.to)) return undefined;
    if (one.where === 'file') {
      fs.mkdirSync(path.dirname(file(one.to)), { recursive: true });
      fs.renameSync(file(one.name), file(one.to));
    } else await device.call(renameMemory, { body: { ...at, to: { key: one.to } } });
    model.delete(one.name);
    model.set(one.to, note);
    return undefined;
  }
  if ('tag' in one) {
    // In a file a tag is text, which "write" does.
    if (!note || one.where === 'file') return undefined;
    await device.call(tagMemories, { body: { items: [at], add: [one.tag] } });
    model.set(one.name, { ...note, tags: note.tags.union(new Set([one.tag])) });
    return undefined;
  }
  if (one.kind === 'remove') {
    if (!note) return undefined;
    if (one.where === 'file') fs.rmSync(file(one.name));
    else await device.call(trashMemories, { body: { items: [at] } });
    model.delete(one.name);
    return undefined;
  }
  const text = `Written as number ${(count += 1)}\n`;
  if (one.where === 'file') {
    fs.mkdirSync(path.dirname(file(one.name)), { recursive: true });
    fs.writeFileSync(file(one.name), text);
  } else await device.call(setMemory, { body: { ...at, value: text } });
  // The tags stand in the front matter of the file and in the metadata: both were written without them.
  model.set(one.name, { text, tags: new Set() });
  return text;
}

const TAG_LINES = /^---\n(?:tags: .*\n|tags:\n(?: +- .*\n)+)---\n/u;

/** The tags in the front matter of a text. */
const tagsInText = (value: string): string[] => (TAG_LINES.exec(value)?.[0].match(/\b[tu]\b/gu) ?? []).sort();

async function saidBy(device: TestDevice, namespace: string) {
  const { memories } = await device.call(listMemories, { body: { namespace, limit: 1000 } });
  return Object.fromEntries(memories.map(({ key, value = '', metadata }) => [key, { value, metadata }]));
}

function filesOf({ root }: Vault): Record<string, string> {
  const files = NAMES.filter((key) => fs.existsSync(path.join(root, key)));
  return Object.fromEntries(files.map((key) => [key, fs.readFileSync(path.join(root, key), 'utf8')]));
}

/** Waits until file, memory and second device say the same, and answers it. */
function quiet(vault: Vault, holds: (said: Awaited<ReturnType<typeof saidBy>>) => void, after: string) {
  return vi.waitFor(
    async () => {
      const [here, there] = await Promise.all([saidBy(a, vault.namespace), saidBy(b, vault.namespace)]);
      const values = (said: typeof here) =>
        Object.fromEntries(
          Object.entries(said).flatMap(([key, { value }]) => (key === 'stays.md' ? [] : [[key, value]])),
        );
      expect(values(there), `${after}: the second device`).toEqual(values(here));
      expect(values(here), `${after}: the files`).toEqual(filesOf(vault));
      const { state } = (await a.call(listFolders, {})).folders.find(
        ({ namespace }) => namespace === vault.namespace,
      ) ?? { state: undefined };
      expect(state).toEqual({ kind: 'watching' });
      const tags = (said: typeof here) =>
        Object.entries(said).map(([key, { metadata }]) => [key, tagsOf(metadata).sort()]);
      expect(tags(there), `${after}: tags on the second device`).toEqual(tags(here));
      holds(here);
    },
    { timeout: seconds(10), interval: 60 },
  );
}

const tagsOf = (metadata: unknown): string[] => [...((metadata as { tags?: string[] } | null)?.tags ?? [])];

async function withVault(run: (vault: Vault) => Promise<void>): Promise<void> {
  const namespace = `vault-${(count += 1)}`;
  const root = fs.realpathSync(fs.mkdtempSync(path.join(a.folder, '..', 'vault-')));
  // A folder without any file is taken for one whose disk is away.
  fs.writeFileSync(path.join(root, 'stays.md'), 'stays');
  const { id } = await a.call(addFolder, {
    body: { path: root, namespace, format: 'markdown', sync: 'both' },
  });
  try {
    await run({ namespace, root });
  } finally {
    await a.call(removeFolder, { params: { id } });
  }
}

test(
  'any sequence of what is done to files, here and on another device equals a model',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 12 }), (steps) =>
        withVault(async (vault) => {
          const model: Model = new Map();
          for (const [at, one] of steps.entries()) {
            await deed(vault, model, one);
            await quiet(
              vault,
              (said) => {
                const { 'stays.md': _, ...notes } = said;
                // A tag that its file is still to have is an edit to come, which would bring back what is deleted now.
                for (const { value, metadata } of Object.values(notes))
                  expect(tagsInText(value)).toEqual(tagsOf(metadata).sort());
                const shown = Object.entries(notes).map(([key, { value, metadata }]) => [
                  key,
                  value.replace(TAG_LINES, ''),
                  tagsOf(metadata).sort(),
                ]);
                expect(shown.sort()).toEqual(
                  [...model].map(([key, { text, tags }]) => [key, text, [...tags].sort()]).sort(),
                );
              },
              `step ${at} of ${JSON.stringify(steps)}`,
            );
          }
        }),
      ),
      { numRuns: Number(process.env['REVERIE_TEST_RUNS'] ?? 10), endOnFailure: true },
    );
  },
  seconds(300),
);

/** Does all without waiting; answers what was written and has to be somewhere afterwards. */
async function allAtOnce(vault: Vault, steps: readonly Step[]): Promise<string[]> {
  const model: Model = new Map();
  const written: string[] = [];
  // What is deleted for good or renamed over takes its history with it.
  const leaves = new Set(
    steps.flatMap((one) => ('to' in one ? [one.name, one.to] : one.kind === 'remove' ? [one.name] : [])),
  );
  for (const one of steps) {
    const text = await deed(vault, model, one).catch(allowMissing);
    // Of a file that is written twice in a moment nobody saw what stood in between.
    if (text !== undefined && one.where !== 'file' && !leaves.has(one.name)) written.push(text);
  }
  return written;
}

/** What is written about is moved or gone elsewhere, and nobody here has heard of it yet. */
function allowMissing(cause: unknown): undefined {
  const { code } = cause as { code?: unknown };
  if (!['memory_not_found', 'conflict', 'ENOENT'].includes(String(code))) throw cause;
}

/** Every text that a device has of the notes of a namespace: current, in their histories and in the trash. */
async function allTexts(device: TestDevice, namespace: string): Promise<string[]> {
  const said = await saidBy(device, namespace);
  const { memories: trashed } = await device.call(listTrash, { query: { namespace } });
  const histories = await Promise.all(
    Object.keys(said).map(async (key) => {
      const { versions } = await device.call(memoryHistory, { query: { key, namespace } });
      return versions.map(({ value }) => value ?? '');
    }),
  );
  return [
    ...Object.values(said).map(({ value }) => value),
    ...trashed.map(({ value }) => value),
    ...histories.flat(),
  ];
}

test(
  'done at once in all three places: they end the same, and what was written is there, in a history or in the trash',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 20 }), (steps) =>
        withVault(async (vault) => {
          const written = await allAtOnce(vault, steps);
          await quiet(vault, () => undefined, JSON.stringify(steps));
          const kept = (await Promise.all([a, b].map((device) => allTexts(device, vault.namespace)))).flat();
          const lost = written.filter((text) => !kept.some((one) => one.includes(text)));
          expect(lost, JSON.stringify(kept)).toEqual([]);
        }),
      ),
      { numRuns: Number(process.env['REVERIE_TEST_RUNS'] ?? 10), endOnFailure: true },
    );
  },
  seconds(300),
);

import { createYielding } from '../../../platform/yielding.ts';
import { type SourceReader, type SkipReason } from '@reverie/memory-formats/reader';
import { type FolderRow, listSources, type FollowedFileRow } from '../folders.store.ts';
import type { Ignoring } from './ignoring.ts';
import type { FileMemory } from '../landing.ts';
import type { Pass, PassWorld } from './pass.ts';
import { type FileNow, type FileStep, isFull, takeSteps } from './taking.ts';

/** What is left out for these reasons hides nothing: a record that is not met then is gone. */
const HARMLESS: ReadonlySet<SkipReason> = new Set([
  ...(['empty', 'link', 'bookkeeping', 'deleted', 'expired', 'duplicate', 'no_note'] as const),
]);

/**
 * Takes over a folder in a format whose records are known only from all of its files together: all is read each time, and what is unchanged
 * is left alone. While some of it cannot be read, no memory is removed.
 */
export function createRecordsPass(
  world: PassWorld,
  folder: FolderRow,
  { reader, ignoring }: { reader: SourceReader; ignoring: Ignoring },
): Pass {
  const { deps, issues, missing, holding } = world;
  return async () => {
    const known = new Map(deps.store.read((db) => listSources(db, folder.id)).map((row) => [row.path, row]));
    const met = new Set<string>();
    const fresh: FileNow[] = [];
    const turn = createYielding();
    let steps: FileStep[] = [];
    let isReadable = true;
    let added = 0;
    const renamed = new Set<string>();
    const take = async () => {
      const batch = steps;
      steps = [];
      for (const issue of takeSteps(deps, folder, batch)) issues.set(issue.path, issue);
      await deps.landing.settled(folder.account);
    };
    const add = async (step: FileStep) => {
      steps.push(step);
      if (step.kind === 'put' && !step.known) added += 1;
      if (step.kind === 'rename') renamed.add(step.from.path);
      if (isFull(steps)) await take();
      await turn();
    };
    for (const [name, { reason }] of issues)
      if (reason !== 'kept' && reason !== 'conflict') issues.delete(name);
    const options = { namespace: folder.namespace, ignores: ignoring.ignores };
    for await (const found of reader.read(folder.path, options)) {
      if (world.isStopped()) return;
      if (found.kind === 'skipped') {
        const { path, reason, detail } = found.skipped;
        if (reason !== 'deleted' && reason !== 'bookkeeping') issues.set(path, { path, reason, detail });
        isReadable &&= HARMLESS.has(reason);
        continue;
      }
      const { source } = found.memory;
      if (!source) continue;
      const memory: FileMemory = { ...found.memory, source };
      const file = { path: source.id, hash: source.hash, memory };
      met.add(file.path);
      world.progress(met.size, Math.max(known.size, met.size));
      const row = known.get(file.path);
      if (row?.hash === file.hash && row.key === memory.key) continue;
      issues.delete(file.path);
      if (row || known.size === 0) await add({ kind: 'put', file, known: row });
      else fresh.push(file);
    }
    const gone = new Map([...known].filter(([path]) => !met.has(path)));
    if (!isReadable) gone.clear();
    const removed = missing.look(new Set(gone.keys()), (path) => met.has(path));
    for (const file of fresh) {
      if (world.isStopped()) return;
      const from = nameBefore(file, gone);
      if (from) gone.delete(from.path);
      await add(from ? { kind: 'rename', file, from } : { kind: 'put', file, known: undefined });
    }
    const released = folder.prune
      ? holding.release({
          missing: gone.keys(),
          ripe: removed,
          known,
          fresh: added,
          isThere: (name) => met.has(name) || renamed.has(name),
        })
      : new Set<string>();
    for (const path of released) {
      const from = gone.get(path);
      if (world.isStopped()) return;
      if (from) await add({ kind: 'remove', from });
    }
    await take();
  };
}

/** The source that something new was before: of the same key, else with the same text. */
function nameBefore(
  { hash, memory }: FileNow,
  gone: ReadonlyMap<string, FollowedFileRow>,
): FollowedFileRow | undefined {
  const all = [...gone.values()];
  return all.find(({ key }) => key === memory.key) ?? all.find((one) => one.hash === hash);
}

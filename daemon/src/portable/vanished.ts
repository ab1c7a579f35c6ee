import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { listImportSources, pruneImported } from '@reverie/shared/contract/memories/portable';
import type { Client } from '@reverie/shared/client';
import { batchLimits, type BroughtMemory } from './import-all.ts';
import type { Skipped, SkipReason, SourcePlace } from '@reverie/memory-formats/reader';

/** What was imported from a place before this run, as the daemon knew it before anything was read. */
export interface KnownPlace {
  place: SourcePlace;
  sources: string[];
}

/**
 * Asks the daemon what came from each place. Called before anything is read, so
 * that this run never takes what another import brings meanwhile for gone.
 */
export async function knownOf(client: Client, places: readonly SourcePlace[]): Promise<KnownPlace[]> {
  const known: KnownPlace[] = [];
  for (const place of places) {
    const sources: string[] = [];
    for (let after: string | null | undefined; after !== null;) {
      const query = { root: place.root, limit: 10_000, ...(after !== undefined && { after }) };
      const page = await client(listImportSources, { query });
      sources.push(...page.sources);
      after = page.next;
    }
    known.push({ place, sources });
  }
  return known;
}

/** What a run found: the ids of sources that are there, and what it could not take. */
export interface SeenSources {
  sources: ReadonlySet<string>;
  skipped: readonly Skipped[];
}

/** The ids of sources that are gone, and the files of records of which nobody can tell. */
export interface Vanished {
  vanished: string[];
  unsure: string[];
}

/**
 * Finds the sources that are gone: they came from these places once, were not found now, and their file is gone too, or was read and no
 * longer has them. What could not be read is not taken for gone.
 */
export async function vanishedOf(known: readonly KnownPlace[], seen: SeenSources): Promise<Vanished> {
  const vanished: string[] = [];
  const unsure: string[] = [];
  for (const { place, sources } of known) {
    const missing = sources.filter((id) => !seen.sources.has(id));
    if (place.kind === 'records') {
      if (wasReadWhole(place.file, seen)) vanished.push(...missing);
      else if (missing.length > 0) unsure.push(place.file);
    } else for (const id of missing) if (await isGone(id, place, seen)) vanished.push(id);
  }
  return { vanished, unsure };
}

/** Reasons that say what a record was; behind the others any record may be. */
const TOLD: readonly SkipReason[] = ['empty', 'deleted', 'expired', 'duplicate'];

function wasReadWhole(file: string, { skipped }: SeenSources): boolean {
  return !skipped.some(
    ({ path, reason }) => (path === file || path.startsWith(`${file}:`)) && !TOLD.includes(reason),
  );
}

async function isGone(
  id: string,
  { root, folder }: Extract<SourcePlace, { kind: 'files' }>,
  { sources, skipped }: SeenSources,
): Promise<boolean> {
  // The file was read: it is in parts now.
  if (sources.has(`${id}#1`)) return true;
  const below = id.slice(root.length).replace(/^\//u, '');
  if (await isThere(join(folder, below))) return false;
  const whole = below.replace(/#\d+$/u, '');
  const file = id.slice(0, id.length - (below.length - whole.length));
  // A part of a file that was read: it has fewer parts now, or is whole.
  if (sources.has(file) || sources.has(`${file}#1`)) return true;
  // Its name on the disk may be written in other bytes than in the id. A link that is not followed is no file of the source any more.
  if (skipped.some(({ path, reason }) => path === whole && reason !== 'link')) return false;
  return !(await isThere(join(folder, whole)));
}

/** Whether a file is there, and nothing else in its place, or nobody can tell. */
async function isThere(path: string): Promise<boolean> {
  try {
    return (await lstat(path)).isFile();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code !== 'ENOENT' && code !== 'ENOTDIR';
  }
}

/** What was, or would be, moved to the trash, and what stays since it was edited here. */
export interface PruneReport {
  pruned: BroughtMemory[];
  kept: BroughtMemory[];
}

/** Has the memories of sources that are gone moved to the trash, in batches, until the signal ends it. */
export async function prune(
  client: Client,
  sources: readonly string[],
  { dryRun, signal }: { dryRun: boolean; signal: AbortSignal },
): Promise<PruneReport> {
  const report: PruneReport = { pruned: [], kept: [] };
  for (let from = 0; from < sources.length && !signal.aborted; from += batchLimits.items) {
    const some = sources.slice(from, from + batchLimits.items);
    const reply = await client(pruneImported, { body: { sources: some, dry_run: dryRun } });
    report.pruned.push(...reply.pruned);
    report.kept.push(...reply.kept);
  }
  return report;
}

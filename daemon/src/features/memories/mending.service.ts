import { objectIn } from '../../db/json-column.ts';
import type { Author } from '../../db/change.ts';
import type { WriteDb } from '../../db/open-store.ts';
import { linksInstead, mendedText, namesFor } from '../../language/notes/mend-links.ts';
import { type NoteLink, noteLinks } from '../../language/notes/note-links.ts';
import {
  type FindNamed,
  isNamedByFile,
  type NamedNote,
  resolveLink,
} from '../../language/notes/note-names.ts';
import type { MemoryDeps } from './deps.ts';
import { findVersion } from './history.store.ts';
import { notFound, writeMemory } from './memories.service.ts';
import { followUpkeep } from './imports/imports.store.ts';
import { findMemoriesById, findMemory, type MemoryRow } from './memories.store.ts';
import { renameMemory } from './renaming.service.ts';

interface Address {
  namespace: string;
  key: string;
}

/**
 * Renames a memory and mends the links of those that named it, and its own, in one transaction; answers how many memories were mended. One
 * that goes into another namespace leaves links behind that lead nowhere. Renaming it back brings every text back as it was. Throws as
 * `renameMemory` does.
 */
export function renameAndMend(
  deps: MemoryDeps,
  author: Author,
  { from, to }: { from: Address; to: Address },
): number {
  return deps.store.write((db) => {
    const { account } = author;
    const renamed = findMemory(db, { account, ...from });
    if (!renamed) throw notFound(from);
    const isMoved = from.namespace === to.namespace && from.key !== to.key && renamed.hidden === null;
    const within = { account, namespaceId: renamed.namespace_id };
    const before = isMoved ? leadingBefore(db, deps, { within, renamed }) : [];
    renameMemory(deps, author, { from, to });
    const now = { named: deps.links.named(db, within), author, renamed, key: to.key };
    return before.filter((memory) => mend(db, deps, { memory, now })).length;
  });
}

/** Where each link of a memory led before. */
interface Led {
  readonly id: number;
  readonly to: readonly (NamedNote | undefined)[];
}

function leadingBefore(
  db: WriteDb,
  deps: MemoryDeps,
  { within, renamed }: { within: { account: Author['account']; namespaceId: number }; renamed: MemoryRow },
): Led[] {
  const named = deps.links.named(db, within);
  const ids = [renamed.id, ...deps.links.linkingTo(db, { ...within, id: renamed.id })];
  return ids.flatMap((id): Led[] => {
    const [row] = findMemoriesById(db, within.account, [id]);
    return row ? [{ id, to: noteLinks(row.value).map((link) => resolveLink(link, row.key, named)) }] : [];
  });
}

interface Now {
  readonly named: FindNamed;
  readonly author: Author;
  /** The memory as it was before. */
  readonly renamed: MemoryRow;
  /** Its key now. */
  readonly key: string;
}

/** Mends the links of one memory that lead elsewhere now; answers whether there were any. */
function mend(db: WriteDb, deps: MemoryDeps, { memory, now }: { memory: Led; now: Now }): boolean {
  const [row] = findMemoriesById(db, now.author.account, [memory.id]);
  if (!row) return false;
  const old = row.id === now.renamed.id ? now.renamed.key : row.key;
  const leads = (link: Pick<NoteLink, 'form' | 'target' | 'part'>) => resolveLink(link, row.key, now.named);
  let at = 0;
  const text = mendedText(row.value, (link) => {
    const to = memory.to[at++];
    // A memory is mended where one that it named is called otherwise, or it lies elsewhere itself.
    if (!to || (to.id !== now.renamed.id && row.id !== now.renamed.id)) return undefined;
    // In an editor of notes a link that named the file is dead where only the title is still the same.
    const leadsThere = (target: string) => {
      const found = leads({ ...link, target });
      return found?.id === to.id && (isNamedByFile(found, target) || !isNamedByFile(to, link.target));
    };
    if (leadsThere(link.target)) return undefined;
    const target = { old: to.key, now: to.id === now.renamed.id ? now.key : to.key };
    const names = namesFor(link, row.value, { from: { old, now: row.key }, to: target });
    return names.find((name) => leadsThere(name.target))?.written;
  });
  if (text === row.value) return false;
  const value = beforeRenaming(db, row, (link, index) => leads(link)?.id === memory.to[index]?.id) ?? text;
  const { namespace, key, metadata, expires_at } = row;
  const item = {
    namespace,
    key,
    value,
    metadata: objectIn(metadata),
    ...(expires_at !== null && { expires_at: new Date(expires_at).toISOString() }),
  };
  // Nobody asked for this change of its own: it costs no store.
  const { version } = writeMemory(db, deps, { author: { ...now.author, origin: 'upkeep' }, item });
  followUpkeep(db, { memoryId: row.id, from: row.version, to: version });
  return true;
}

/** What a memory said before its links were written anew, where that differs in nothing but the names of links that lead as they are to again. */
function beforeRenaming(
  db: WriteDb,
  row: MemoryRow,
  leadsAsItShould: (link: NoteLink, index: number) => boolean,
): string | undefined {
  const before = findVersion(db, row.id, row.version - 1)?.value;
  const links = before === undefined ? undefined : linksInstead(row.value, before);
  return links?.every(leadsAsItShould) === true ? before : undefined;
}

import type { MemoryClass } from '@reverie/shared/contract/memories/memories';
import type { WriteDb } from '../../db/open-store.ts';
import type { SessionPlace } from './reading/session.ts';

/** Where a memory stands, and what follows from its key. */
export interface NewAddress {
  namespaceId: number;
  key: string;
  class: MemoryClass;
  noted_at: number | null;
  place: SessionPlace | undefined;
}

/** Gives a memory another address; nothing else of its row changes, and its tags and properties go along. */
export function saveAddress(db: WriteDb, id: number, to: NewAddress): void {
  const { place } = to;
  db.prepare<unknown[]>(
    'UPDATE memories SET namespace_id = ?, key = ?, class = ?, noted_at = ?, session = ?, session_time = ?, session_key = ? WHERE id = ?',
  ).run(
    to.namespaceId,
    to.key,
    to.class,
    to.noted_at,
    place?.session ?? null,
    place?.time ?? null,
    place?.key ?? null,
    id,
  );
  for (const table of ['memory_tags', 'memory_properties'])
    db.prepare<[number, number]>(`UPDATE ${table} SET namespace_id = ? WHERE memory_id = ?`).run(
      to.namespaceId,
      id,
    );
}

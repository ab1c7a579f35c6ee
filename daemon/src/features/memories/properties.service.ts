import type { JsonObject } from '@reverie/shared/contract/fields';
import { limits, Metadata, Value } from '@reverie/shared/contract/fields';
import { Problem } from '@reverie/shared/contract/problems';
import { objectIn } from '../../db/json-column.ts';
import type { Author } from '../../db/change.ts';
import { foldLine } from '../../language/words/words.ts';
import { type GivenValue, type PropertyChange, withProperty } from '../../language/notes/property-lines.ts';
import type { MemoryDeps } from './deps.ts';
import { notFound, refuseStale, writeMemory } from './memories.service.ts';
import { findMemory } from './memories.store.ts';

interface Given {
  namespace: string;
  key: string;
  name: string;
  /** Null takes it away. */
  value: GivenValue | null;
  if_updated_at?: string | undefined;
}

/**
 * Gives a property of a memory another value where its text says it, or takes it away; answers when the memory was changed last. Throws
 * `memory_not_found`, `conflict`, and `invalid_request` where the text is of a form in which that cannot be done.
 */
export function setProperty(deps: MemoryDeps, author: Author, { name, ...given }: Given): string {
  const { namespace, key } = given;
  return deps.store.write((db) => {
    const at = { account: author.account, namespace, key };
    const row = findMemory(db, at);
    if (!row) throw notFound(at);
    if (given.if_updated_at !== undefined) refuseStale(row, at, given.if_updated_at);
    const change = { name, value: given.value ?? undefined };
    const value = withProperty(row.value, change);
    if (value === undefined)
      throw refused(
        'name',
        `${JSON.stringify(name)} cannot be written into the front matter of ${key} alone, for it is damaged or of a form that is not plain; edit the text`,
      );
    const metadata = metadataWith(objectIn(row.metadata), change);
    const parsed = { value: Value.safeParse(value), metadata: Metadata.safeParse(metadata) };
    if (!parsed.value.success)
      throw refused(
        'value',
        `the text of ${key} would be larger than ${limits.valueBytes} bytes with it, or empty without it`,
      );
    if (!parsed.metadata.success)
      throw refused('value', `the metadata of ${key} would be more than is allowed`);
    writeMemory(db, deps, {
      author,
      item: {
        key,
        namespace,
        value,
        metadata,
        ...(row.expires_at !== null && { expires_at: new Date(row.expires_at).toISOString() }),
      },
    });
    return new Date(findMemory(db, at)?.updated_at ?? row.updated_at).toISOString();
  });
}

/** What an import of the text would say now: of a note out of a file all, of others only what stood there already. */
function metadataWith(metadata: JsonObject, { name, value }: PropertyChange): JsonObject {
  const { imported } = metadata;
  const isNote = typeof imported === 'object' && imported !== null && 'path' in imported;
  const had = Object.keys(metadata).find((one) => foldLine(one) === foldLine(name));
  if (had === undefined && !isNote) return metadata;
  const { [had ?? name]: _, ...others } = metadata;
  // The title of a note is its file's where it names none, and is read again with the file.
  if (value === undefined) return had === 'title' ? metadata : others;
  return { ...metadata, [had ?? name]: typeof value === 'object' ? [...value] : value };
}

function refused(path: string, message: string): Problem {
  return new Problem('invalid_request', message, { errors: [{ path, message }] });
}

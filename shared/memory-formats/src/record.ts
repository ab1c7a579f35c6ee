import { Namespace, type JsonObject } from '@reverie/shared/contract/fields';
import type { ImportDraft } from './draft.ts';
import { sha256, tagsOf } from './fit.ts';
import { isObject } from './json/plain-json.ts';
import { timeFields, timeOf, timesIn } from './days/times.ts';

/** Names of the field that holds a text, those first that are asked first. */
export const VALUES: readonly string[] = ['value', 'content', 'text', 'memory', 'body', 'note'];
const IDS = ['id', '_id', 'uuid'];

/** The place of a record: `file` names what it is read from, without its ending; `id` begins its source id. */
export interface RecordAt {
  path: string;
  file: string;
  id: string;
  namespace: string | undefined;
}

/**
 * A record of another program as a draft: the text from `value`, `content`, `text` or `memory`, the key from
 * `key`, else made of the file's name and `id`, else of what the record holds. All other fields become metadata.
 */
export function draftOfRecord(record: JsonObject, at: RecordAt): ImportDraft | { problem: string } {
  const valueName = VALUES.find((name) => typeof record[name] === 'string');
  if (valueName === undefined)
    return { problem: `has no text under ${VALUES.map((name) => `"${name}"`).join(', ')}` };
  const used = new Set([valueName]);
  const key = keyIn(record, at, used);
  const named = Namespace.safeParse(record['namespace']);
  if (named.success) used.add('namespace');
  const times = timesIn(record, 'utc');
  const expires = timeOf(record['expires_at'], 'utc');
  if (expires !== undefined) used.add('expires_at');
  const draft = {
    path: at.path,
    namespace: at.namespace ?? (named.success ? named.data : 'default'),
    value: String(record[valueName]),
    metadata: metadataIn(record, used),
    created_at: times.created,
    updated_at: times.updated ?? times.created,
    expires_at: expires,
    metadataAlsoIn: 'nowhere',
  } as const;
  // Without an id the text is the identity: rows that move keep their memory, edited ones become new.
  const identity = key ?? `${at.file}/${sha256(draft.value).slice(0, 16)}`;
  return { ...draft, key: identity, source: { id: `${at.id}#${identity}` } };
}

function keyIn(record: JsonObject, at: RecordAt, used: Set<string>): string | undefined {
  const key = record['key'];
  if (typeof key === 'string' && key !== '') {
    used.add('key');
    return key;
  }
  for (const name of IDS) {
    const id = record[name];
    if ((typeof id === 'string' && id !== '') || typeof id === 'number') {
      used.add(name);
      return `${at.file}/${id}`;
    }
  }
  return undefined;
}

function metadataIn(record: JsonObject, used: ReadonlySet<string>): JsonObject {
  const inner = record['metadata'];
  const metadata: JsonObject = isObject(inner) ? { ...inner } : {};
  for (const [name, value] of Object.entries(record)) {
    if (used.has(name) || (name === 'metadata' && isObject(inner))) continue;
    // A time that was understood is the memory's own; one that was not is kept as it stands.
    if (timeFields.has(name) && timeOf(value, 'utc') !== undefined) continue;
    if (value !== null && value !== '' && !Object.hasOwn(metadata, name)) metadata[name] = value;
  }
  const tags = tagsOf(metadata['tags']);
  return tags.length > 0 ? { ...metadata, tags } : metadata;
}

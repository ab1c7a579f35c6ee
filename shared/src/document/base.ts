import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import type * as Yjs from 'yjs';
import { MAP } from './bucket-document.ts';
import type { Hlc } from './clock.ts';
import { hlcOfText, type Slots } from './patch.ts';
import { compareVersions, readSlot, type Version } from './register.ts';

const require = createRequire(import.meta.url);
const yjs = (): typeof Yjs => require('yjs') as typeof Yjs;

/**
 * The document that a bucket begins an epoch with: what the log said until then, without what was overwritten, deleted or cleared; where only
 * what there is now goes on (`present`), also without what is in the trash, and what lost against another version. The same
 * slots make the same bytes on every device, so that nobody has to send it; other slots make another client id, so that devices which do
 * not agree never mistake the structs of one for those of the other.
 */
export function baseOf(
  document: Slots,
  { epoch, clearedBefore, present = false }: { epoch: number; clearedBefore: Hlc; present?: boolean },
): Uint8Array {
  const alive = [...document.slots()].filter(([, text]) => (hlcOfText(text) ?? Infinity) > clearedBefore);
  const slots = (present ? presentOf(alive).map(withoutLineage) : alive).sort(([a], [b]) => (a < b ? -1 : 1));
  const Y = yjs();
  const doc = new Y.Doc();
  const digest = createHash('sha256')
    .update(JSON.stringify([epoch, slots]))
    .digest();
  doc.clientID = 1 + (digest.readUInt32BE(0) % (2 ** 32 - 1));
  const map = doc.getMap<string>(MAP);
  doc.transact(() => {
    for (const [slot, text] of slots) map.set(slot, text);
  });
  return Y.encodeStateAsUpdate(doc);
}

/** A slot that does not say which versions stood there before its own, nor what the memory was called. */
function withoutLineage([slot, text]: readonly [slot: string, text: string]): readonly [string, string] {
  const version = readSlot(slot, text);
  if (!version?.origin?.over?.length && version?.content.was === undefined) return [slot, text];
  const [hlc, ...parts] = JSON.parse(text) as unknown[];
  const { over: _, was: __, ...more } = parts.pop() as { over?: unknown; was?: unknown };
  return [slot, JSON.stringify([hlc, ...parts, ...(Object.keys(more).length > 0 ? [more] : [])])];
}

/** The slot of each memory that is there, neither in the trash nor overruled by another one. */
export function presentOf(
  slots: readonly (readonly [slot: string, text: string])[],
): (readonly [slot: string, text: string])[] {
  const newest = new Map<string, { version: Version; slot: readonly [string, string] }>();
  for (const slot of slots) {
    const version = readSlot(...slot);
    const other = version && newest.get(version.key);
    if (version && (!other || compareVersions(version, other.version) > 0))
      newest.set(version.key, { version, slot });
  }
  return [...newest.values()].flatMap(({ version, slot }) =>
    version.content.trashed === undefined ? [slot] : [],
  );
}

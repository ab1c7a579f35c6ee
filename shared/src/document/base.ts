import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import type * as Yjs from 'yjs';
import { MAP } from './bucket-document.ts';
import type { Hlc } from './clock.ts';
import { hlcOfText, type Slots } from './patch.ts';

const require = createRequire(import.meta.url);
const yjs = (): typeof Yjs => require('yjs') as typeof Yjs;

/**
 * The document that a bucket begins an epoch with: what the log said until then, without what was overwritten, deleted or cleared. The same
 * slots make the same bytes on every device, so that nobody has to send it; other slots make another client id, so that devices which do
 * not agree never mistake the structs of one for those of the other.
 */
export function baseOf(
  document: Slots,
  { epoch, clearedBefore }: { epoch: number; clearedBefore: Hlc },
): Uint8Array {
  const slots = [...document.slots()]
    .filter(([, text]) => (hlcOfText(text) ?? Infinity) > clearedBefore)
    .sort(([a], [b]) => (a < b ? -1 : 1));
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

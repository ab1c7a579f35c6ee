import { createRequire } from 'node:module';
import * as encoding from 'lib0/encoding';
import type * as Yjs from 'yjs';

const require = createRequire(import.meta.url);
const yjs = (): typeof Yjs => require('yjs') as typeof Yjs;

/** Bytes of one entry: merging one keeps everything else waiting, and the wire takes 8 MiB, of which a value alone may need most. */
export const MOST_BODY = 1024 * 1024;

type Struct = ReturnType<typeof Yjs.decodeUpdate>['structs'][number];

/**
 * An update as several of at most about `most` bytes, which say the same when all of them are merged, in any order. A part is
 * longer only where one value alone is. What is deleted stands in the last one.
 */
export function splitUpdate(update: Uint8Array, most: number): Uint8Array[] {
  if (update.length <= most) return [update];
  const { structs, ds } = yjs().decodeUpdate(update);
  const parts: Struct[][] = [[]];
  let bytes = 0;
  for (const struct of structs) {
    // One update holds a client's structs without a gap.
    if (struct.constructor.name === 'Skip') {
      bytes = Infinity;
      continue;
    }
    const size = bytesOf([struct]).length;
    if (bytes > 0 && bytes + size > most) {
      if (parts.at(-1)?.length) parts.push([]);
      bytes = 0;
    }
    parts.at(-1)?.push(struct);
    bytes += size;
  }
  return parts.map((part, index) => bytesOf(part, index === parts.length - 1 ? ds.clients : undefined));
}

/** Structs, in their order, as an update of version 1. */
function bytesOf(
  structs: readonly Struct[],
  deleted: ReadonlyMap<number, readonly { clock: number; len: number }[]> = new Map(),
): Uint8Array {
  const to = new (yjs().UpdateEncoderV1)();
  const rest = to.restEncoder;
  const runs: Struct[][] = [];
  for (const struct of structs) {
    const last = runs.at(-1)?.at(-1);
    const goesOn = last?.id.client === struct.id.client && last.id.clock + last.length === struct.id.clock;
    if (goesOn) runs.at(-1)?.push(struct);
    else runs.push([struct]);
  }
  encoding.writeVarUint(rest, runs.length);
  for (const run of runs) {
    const [first] = run;
    if (!first) continue;
    encoding.writeVarUint(rest, run.length);
    to.writeClient(first.id.client);
    encoding.writeVarUint(rest, first.id.clock);
    for (const struct of run) struct.write(to, 0);
  }
  encoding.writeVarUint(rest, deleted.size);
  for (const [client, items] of deleted) {
    encoding.writeVarUint(rest, client);
    encoding.writeVarUint(rest, items.length);
    for (const { clock, len } of items) {
      to.writeDsClock(clock);
      to.writeDsLen(len);
    }
  }
  return to.toUint8Array();
}

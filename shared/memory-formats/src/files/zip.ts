import { createReadStream } from 'node:fs';
import { Unzip, UnzipInflate, type UnzipFile } from 'fflate';
import { openRegular } from '@reverie/shared/files/regular-file';
import { ImportError, messageOf, type ReadOptions } from '../reader.ts';

/** A file inside of an archive; `chunks` has to be read before the next file is asked for. */
interface ArchivedFile {
  name: string;
  path: string;
  chunks: AsyncIterable<Uint8Array>;
}

/** What one file may unpack to: no export is larger, and a bomb ends here. */
const MAX_UNPACKED = 4 * 1024 * 1024 * 1024;

/** The ways of packing that every program knows. */
const STORED = 0;
const DEFLATED = 8;

type Step =
  { kind: 'file'; name: string; path: string } | { kind: 'bytes'; bytes: Uint8Array } | { kind: 'end' };

/**
 * The files of a zip archive that `includes` takes by base name and path, in the archive's order, unpacked as they are read.
 * Names are only compared: nothing is ever written to where they lead.
 */
export async function* filesInZip(
  path: string,
  includes: (name: string, path: string) => boolean,
  options: Pick<ReadOptions, 'onBytes'>,
): AsyncGenerator<ArchivedFile> {
  const steps = stepsOf(path, includes, options);
  try {
    for (let step = await steps.next(); !step.done; step = await steps.next()) {
      if (step.value.kind !== 'file') continue;
      const chunks = chunksOf(steps);
      yield { name: step.value.name, path: step.value.path, chunks };
      // What the reader left over still stands between here and the next file.
      for await (const _ of chunks);
    }
  } finally {
    await steps.return(undefined);
  }
}

async function* chunksOf(steps: AsyncGenerator<Step>): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for (let step = await steps.next(); !step.done && step.value.kind !== 'end'; step = await steps.next()) {
    if (step.value.kind !== 'bytes') continue;
    bytes += step.value.bytes.length;
    if (bytes > MAX_UNPACKED)
      throw new ImportError(`A file of the archive unpacks to more than ${MAX_UNPACKED} bytes`);
    yield step.value.bytes;
  }
}

async function* stepsOf(
  path: string,
  includes: (name: string, path: string) => boolean,
  { onBytes }: Pick<ReadOptions, 'onBytes'>,
): AsyncGenerator<Step> {
  const steps: Step[] = [];
  let open = 0;
  let failed: Error | undefined;
  const unzip = new Unzip((file: UnzipFile) => {
    const name = file.name.split(/[\\/]/).at(-1) ?? '';
    const path = file.name.replaceAll('\\', '/');
    if (!includes(name, path)) return;
    if (file.compression !== STORED && file.compression !== DEFLATED)
      throw new Error(
        `${name} is packed in a way that is not supported; unpack the archive and name its folder`,
      );
    file.ondata = (error, bytes, final) => {
      if (error) failed ??= error;
      if (bytes && bytes.length > 0) steps.push({ kind: 'bytes', bytes });
      if (final) {
        open--;
        steps.push({ kind: 'end' });
      }
    };
    open++;
    steps.push({ kind: 'file', name, path });
    file.start();
  });
  unzip.register(UnzipInflate);
  try {
    // Small pieces: one of them unpacks to a thousand times its size at most.
    for await (const chunk of createReadStream(path, {
      fd: openRegular(path),
      highWaterMark: 16 * 1024,
    })) {
      const bytes = chunk as Buffer;
      onBytes?.(bytes.length);
      unzip.push(new Uint8Array(bytes));
      if (failed) throw failed;
      yield* steps.splice(0);
    }
    unzip.push(new Uint8Array(0), true);
  } catch (error) {
    if (error instanceof ImportError) throw error;
    throw new ImportError(`The archive cannot be read: ${messageOf(error)}`, error);
  }
  yield* steps.splice(0);
  if (open > 0) throw new ImportError('The archive ends in the middle of a file');
}

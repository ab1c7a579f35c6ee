import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

/** What gets smaller by it; fonts are compressed by themselves. */
const TEXTS = /\.(?:js|css|html|svg)$/;
/** Above as many bytes Brotli takes half a minute at its best, and a tenth of it for a tenth more. */
const LARGE = 1_000_000;
/** Below as many bytes a packet is sent anyway. */
const SMALL = 1_000;

/** Writes each text of the built page a second and third time, as Brotli and gzip: made once, at their best, and not at each request. */
export function compressed(): Plugin {
  let folder = '';
  return {
    name: 'compressed',
    apply: 'build',
    configResolved: ({ root, build }) => {
      folder = resolve(root, build.outDir);
    },
    closeBundle: () => {
      for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
        if (!entry.isFile() || !TEXTS.test(entry.name)) continue;
        const path = join(entry.parentPath, entry.name);
        const text = readFileSync(path);
        if (text.length < SMALL) continue;
        writeFileSync(`${path}.gz`, gzipSync(text, { level: 9 }));
        writeFileSync(
          `${path}.br`,
          brotliCompressSync(text, {
            params: {
              [constants.BROTLI_PARAM_SIZE_HINT]: text.length,
              [constants.BROTLI_PARAM_QUALITY]: text.length > LARGE ? 9 : constants.BROTLI_MAX_QUALITY,
            },
          }),
        );
      }
    },
  };
}

import fs from 'node:fs';
import { loadExtractor } from '../extract.ts';
import { serveExtractor } from '../extraction-host.ts';

// The process as it is, but for texts that make it hang, break, end or fill its memory, as a rule with a mistake would.
serveExtractor(async () => {
  const extract = await loadExtractor();
  return (source) => {
    if (source.value.includes('HANGS')) for (;;);
    if (source.value.includes('ENDS')) process.exit(3);
    // As where somebody ends it once: not again where the folder is there.
    const folder = source.metadata['once'];
    if (typeof folder === 'string' && fs.mkdirSync(folder, { recursive: true }) !== undefined)
      process.exit(3);
    if (source.value.includes('BREAKS')) process.kill(process.pid, 'SIGKILL');
    // More than there is, in one piece: V8 ends the whole process then, whichever thread asks.
    if (source.value.includes('FILLS')) new Array<object>(100_000_000).fill({});
    // Bit by bit, as a rule that does not end would.
    if (source.value.includes('SWELLS')) for (const all: object[] = []; ; all.push({ size: all.length }));
    if (source.value.includes('FAILS')) throw new Error('failed on purpose');
    return extract(source);
  };
});

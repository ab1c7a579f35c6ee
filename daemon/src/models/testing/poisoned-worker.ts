import fs from 'node:fs';
import { answerQuestions } from '@reverie/shared/threads/thread';
import type { WeightedText } from '../embedder.ts';

// A thread whose vectors are of two numbers, and which hangs on some texts, or ends.
answerQuestions((texts: readonly (readonly WeightedText[])[]) =>
  texts.map(([own]) => {
    if (!own) return { data: new Int8Array(2), scale: 0 };
    if (own.text.includes('HANGS')) for (;;);
    // As where all of it stood still for a while: not again where the folder is there.
    const [, folder] = /^ONCE (.+)$/.exec(own.text) ?? [];
    if (folder !== undefined && fs.mkdirSync(folder, { recursive: true }) !== undefined) for (;;);
    if (own.text.includes('ENDS')) process.exit(3);
    return { data: Int8Array.from([127, 0]), scale: 1 / 127 };
  }),
);

import { answerQuestions } from '@reverie/shared/threads/thread';
import { encodeMixed, quantise, type WeightedText } from './embedder.ts';
import { loadStaticTable } from './static-table.ts';

// A thread of its own: a text of 1 MiB takes a second, during which requests are answered.
const table = loadStaticTable();
answerQuestions((texts: readonly (readonly WeightedText[])[]) =>
  texts.map((parts) => quantise(encodeMixed(table, parts))),
);

import { isPassedOver, type Lexicon, loadLexicon } from '../../../language/words/lexicon.ts';
import { stem } from '../../../language/words/porter.ts';
import { hashOf, STOP_WORDS } from '../../../language/words/words.ts';
import type { StaticTable } from '../../../models/static-table.ts';
import { createCutTexts, type CutTexts } from '../index/cut-texts.ts';
import { type KnownWords, createKnownWords, type KnownWord } from './known-words.ts';

/** What words mean: the table's vectors of single words, and the lexicon's concepts. Loaded with the first search. */
export interface Meanings {
  readonly table: StaticTable;
  readonly lexicon: Lexicon;
  readonly words: KnownWords;
  /** The chunks that were read last. */
  readonly texts: CutTexts;
  /** Arrays of the reader that was made last: new ones for each query cost more than reading. */
  readonly scratch: Scratch;
}

export interface Scratch {
  /** By the low 16 bits of a key. */
  readonly marks: Uint8Array;
  /** By row. */
  places: Int32Array;
  pool: Float32Array;
}

/**
 * Knows what words mean from the table that comes with the program, whichever embedder makes the vectors of texts: a server is too slow to
 * be asked about each word.
 */
export function createMeanings(loadTable: () => StaticTable): Meanings {
  let table: StaticTable | undefined;
  let lexicon: Lexicon | undefined;
  const meanings: Meanings = {
    get table() {
      return (table ??= loadTable());
    },
    get lexicon() {
      return (lexicon ??= loadLexicon());
    },
    texts: createCutTexts(() => meanings.words),
    words: createKnownWords((word) => wordOf(meanings.table, word)),
    scratch: { marks: new Uint8Array(0x10000), places: new Int32Array(0), pool: new Float32Array(0x4000) },
  };
  return meanings;
}

function wordOf({ words }: StaticTable, word: string): KnownWord {
  return {
    key: hashOf(stem(word)),
    row: words.row(word),
    isStop: STOP_WORDS.has(word) || /^(?:.|\p{N}\p{N})$/u.test(word),
    isPassedOver: isPassedOver(word) || word === 's',
  };
}

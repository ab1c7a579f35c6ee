import fs from 'node:fs';
import path from 'node:path';
import type { Random } from './random.ts';

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const LENGTH = 14;
/** Where the middle of a word begins and how long it is: an index stores no beginnings that two words share, and stems no middles. */
const [FROM, MIDDLE] = [3, 8];
const PIECE = 8 * 1024 * 1024;

/** A word that no text and no other word has. */
export function secretWord(random: Random): string {
  return Array.from({ length: LENGTH }, () => LETTERS[Math.floor(random() * LETTERS.length)]).join('');
}

const middleOf = (word: string) => word.slice(FROM, FROM + MIDDLE);

/** Which of many words stand in a text, be it of prose or of bytes. */
export function wordsIn(text: string, words: ReadonlySet<string>): string[] {
  const byMiddle = new Map([...words].map((word) => [middleOf(word), word]));
  const found = new Set<string>();
  for (const [run] of text.toLowerCase().matchAll(/[a-z]{8,}/g))
    for (let at = 0; at + MIDDLE <= run.length; at += 1) {
      const word = byMiddle.get(run.slice(at, at + MIDDLE));
      if (word !== undefined) found.add(word);
    }
  return [...found];
}

/** Which of many words stand in the files below a folder, each with the file that it was found in. */
export function wordsBelow(folder: string, words: ReadonlySet<string>): { word: string; file: string }[] {
  if (words.size === 0 || !fs.existsSync(folder)) return [];
  return fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .flatMap((entry) => {
      const file = path.join(entry.parentPath, entry.name);
      return wordsInFile(file, words).map((word) => ({ word, file: path.relative(folder, file) }));
    });
}

function wordsInFile(file: string, words: ReadonlySet<string>): string[] {
  const found = new Set<string>();
  let handle: number;
  try {
    handle = fs.openSync(file, 'r');
  } catch (cause) {
    // What went away while the folder was read holds nothing any more.
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw cause;
  }
  try {
    const piece = Buffer.alloc(PIECE);
    let before = '';
    for (;;) {
      const length = fs.readSync(handle, piece);
      if (length === 0) return [...found];
      const text = before + piece.toString('latin1', 0, length);
      for (const word of wordsIn(text, words)) found.add(word);
      before = text.slice(-2 * LENGTH);
    }
  } finally {
    fs.closeSync(handle);
  }
}

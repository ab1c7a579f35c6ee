/**
 * Makes `ordinary.txt` of WordNet 3.0's files (Debian: `wordnet-base`), a word a line, sorted:
 *
 *   node scripts/data/words/pack.ts [/usr/share/wordnet]
 *
 * Words are those that WordNet writes in small letters throughout, and their irregular forms.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = process.argv[2] ?? '/usr/share/wordnet';
const parts = ['noun', 'verb', 'adj', 'adv'] as const;
const isWord = (word: string) => /^[a-z]+(?:-[a-z]+)*$/.test(word) && word.length > 1;
const linesOf = (file: string) => readFileSync(join(folder, file), 'latin1').split('\n');

const words = new Set<string>();
for (const part of parts) {
  for (const line of linesOf(`data.${part}`)) {
    // Offset, file, type, how many words there are (hexadecimal), then each word and its number. The licence's lines begin with a blank.
    if (line === '' || line.startsWith(' ')) continue;
    const fields = line.split(' ');
    const count = Number.parseInt(fields[3] ?? '0', 16);
    for (let at = 0; at < count; at++) {
      const word = (fields[4 + 2 * at] ?? '').replace(/\(.*\)$/, '');
      if (isWord(word)) words.add(word);
    }
  }
  for (const line of linesOf(`${part}.exc`)) {
    const [form = ''] = line.split(' ');
    if (isWord(form)) words.add(form);
  }
}
const output = join(import.meta.dirname, '../../../daemon/data/words');
writeFileSync(join(output, 'ordinary.txt'), [...words].sort().join('\n'));

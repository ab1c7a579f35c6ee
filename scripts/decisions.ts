import fs from 'node:fs';
import path from 'node:path';

// Holds each page of docs/decisions to 40 lines, and its index to one line of one sentence for each of them.
const MOST_LINES = 40;
const folder = path.join(import.meta.dirname, '../docs/decisions');

const complaints: string[] = [];
const pages = fs.readdirSync(folder).filter((name) => /^\d{4}-.*\.md$/.test(name));
if (pages.length === 0) complaints.push('docs/decisions has no pages');

const index = fs.readFileSync(path.join(folder, 'README.md'), 'utf8');
const listed = [...index.matchAll(/^- \[(\d{4})\]\(([^)]+)\): (.+)$/gm)].map(
  ([, number = '', file = '', sentence = '']) => ({ number, file, sentence }),
);

for (const page of pages) {
  const lines = fs.readFileSync(path.join(folder, page), 'utf8').trimEnd().split('\n').length;
  if (lines > MOST_LINES) complaints.push(`${page} has ${lines} lines; decisions have at most ${MOST_LINES}`);
  const entries = listed.filter(({ file }) => file === page);
  if (entries.length !== 1) complaints.push(`${page} stands ${entries.length} times in the index`);
}
for (const { number, file, sentence } of listed) {
  if (!pages.includes(file)) complaints.push(`the index lists ${file}, which is not there`);
  if (!file.startsWith(`${number}-`)) complaints.push(`the index calls ${file} ${number}`);
  if (!/^[^.!?]+(?:[.!?](?! [A-Z])[^.!?]*)*\.$/.test(sentence))
    complaints.push(`${number} has no single sentence`);
}
for (const complaint of complaints) console.log(`docs/decisions: ${complaint}`);
process.exitCode = complaints.length === 0 ? 0 : 1;

// node check.mjs: verifies memories.jsonl, questions.jsonl and wordings.jsonl beside it; prints counts, and a row's id where it is bad
import fs from 'node:fs';
const read = (name) =>
  fs
    .readFileSync(new URL(name, import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
const [notes, questions, wordings] = ['memories.jsonl', 'questions.jsonl', 'wordings.jsonl'].map(read);
const keys = new Set(notes.map(({ namespace, key }) => `${namespace}/${key}`));
const bad = [];
if (keys.size !== notes.length) bad.push('two notes of one key');
for (const { id, kind, namespace, evidence, answer, old } of questions) {
  const isAnswerable = kind !== 'near' && kind !== 'nowhere';
  if (isAnswerable !== answer.length > 0) bad.push(`${id}: answer`);
  if (!evidence.every((key) => keys.has(`${namespace}/${key}`))) bad.push(`${id}: evidence`);
  if (kind === 'changed' && !(old?.length > 0)) bad.push(`${id}: old`);
  if (isAnswerable !== wordings.some((one) => one.id === id && one.queries.length === 4))
    bad.push(`${id}: wordings`);
}
console.log(`${notes.length} notes, ${questions.length} questions, ${wordings.length} with wordings`);
if (bad.length > 0) throw new Error(bad.join('\n'));

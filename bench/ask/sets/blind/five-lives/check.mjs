// node check.mjs – verifies memories.jsonl and questions.jsonl beside it; prints counts only, never a row's text
import fs from 'node:fs';
const here = new URL('.', import.meta.url).pathname;
const read = (f) =>
  fs
    .readFileSync(here + f, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((l, i) => {
      try {
        return JSON.parse(l);
      } catch {
        throw new Error(`${f}:${i + 1} is not JSON`);
      }
    });
const M = read('memories.jsonl'),
  Q = read('questions.jsonl');
let bad = 0;
const err = (...a) => {
  bad++;
  console.log('BAD', ...a);
};
const notes = new Map();
const last = {};
for (const m of M) {
  const id = m.namespace + '/' + m.key;
  if (Object.keys(m).join() !== 'namespace,key,value,created_at') err(id, 'fields');
  if (notes.has(id)) err(id, 'double key');
  notes.set(id, m);
  if (!m.value?.trim()) err(id, 'empty');
  if (!/^2026-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(m.created_at) || isNaN(Date.parse(m.created_at)))
    err(id, 'date');
  if (m.created_at < '2026-01-08' || m.created_at >= '2026-11-16') err(id, 'date range');
  if (last[m.namespace] && last[m.namespace] >= m.created_at) err(id, 'order');
  last[m.namespace] = m.created_at;
  if (m.value.length > 3500) err(id, 'too long', m.value.length);
}
const want = { direct: 50, reworded: 40, changed: 40, two_notes: 10, across: 15, near: 50, nowhere: 15 };
const n = {},
  per = {},
  ids = new Set(),
  asked = new Set();
for (const q of Q) {
  if (ids.has(q.id)) err(q.id, 'double id');
  ids.add(q.id);
  const k = q.namespace + q.question;
  if (asked.has(k)) err(q.id, 'asked twice');
  asked.add(k);
  if (!(q.kind in want)) err(q.id, 'kind');
  n[q.kind] = (n[q.kind] || 0) + 1;
  (per[q.namespace] ??= {})[q.kind] ??= 0;
  per[q.namespace][q.kind]++;
  const ev = q.evidence
    .map((e) => {
      const m = notes.get(q.namespace + '/' + e);
      if (!m) err(q.id, 'no such key', e);
      return m;
    })
    .filter(Boolean);
  for (let i = 1; i < ev.length; i++)
    if (ev[i - 1].created_at < ev[i].created_at) err(q.id, 'evidence not newest first');
  if (q.kind === 'near' || q.kind === 'nowhere') {
    if (q.answer.length || q.evidence.length) err(q.id, 'should be empty');
    if (q.kind === 'near' && !q.why) err(q.id, 'why missing');
    continue;
  }
  if (!q.answer.length || !ev.length) err(q.id, 'answer or evidence missing');
  for (const g of q.answer) {
    if (!g.length || g.some((s) => typeof s !== 'string' || !s.trim())) err(q.id, 'empty spelling');
    const where = q.kind === 'changed' ? ev.slice(0, 1) : ev; // the present value stands in the newest note
    if (!where.some((m) => m.value.includes(g[0]))) err(q.id, 'first spelling not in evidence', g[0]);
  }
  if (q.kind === 'two_notes' && ev.length !== 2) err(q.id, 'two notes wanted');
  if (q.kind === 'changed') {
    if (!q.old?.length) err(q.id, 'old missing');
    for (const o of q.old || []) {
      if (!ev.some((m) => m.value.includes(o))) err(q.id, 'old not in evidence', o);
      if (ev.length > 1 && !ev.slice(1).some((m) => m.value.includes(o)))
        err(q.id, 'old not in the older note', o);
      for (const g of q.answer)
        for (const s of g) {
          if (s.toLowerCase() === o.toLowerCase()) err(q.id, 'old equals answer');
          if (o.toLowerCase().includes(s.toLowerCase())) err(q.id, 'answer spelling inside old', s);
        }
    }
  } else if (q.old) err(q.id, 'old on another kind');
}
for (const k in want) if (n[k] !== want[k]) err('count', k, n[k]);
const ns = [...new Set(M.map((m) => m.namespace))];
if (ns.length !== 5) err('namespaces');
for (const x of ns) {
  const c = M.filter((m) => m.namespace === x).length;
  if (c !== 44) err(x, c);
  if (Q.filter((q) => q.namespace === x).length !== 44) err(x, 'questions');
}
const long = M.filter((m) => m.value.length >= 1000 && /^#/m.test(m.value)).length;
if (long !== 30) err('long notes', long);
console.log('notes', M.length, 'long', long, 'questions', Q.length, JSON.stringify(n));
console.log(
  'changed within one note',
  Q.filter((q) => q.kind === 'changed' && q.evidence.length === 1).length,
  '| bad',
  bad,
);
process.exit(bad ? 1 : 0);

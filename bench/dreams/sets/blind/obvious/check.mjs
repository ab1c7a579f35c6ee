// node check.mjs: checks the set, prints counts only (keys or ids on an error).
import fs from 'node:fs';
const dir = new URL('.', import.meta.url);
const bad = [];
const read = (n) => fs.readFileSync(new URL(n, dir), 'utf8').split('\n').filter((l) => l.trim()).map((l, i) => {
  try { return JSON.parse(l); } catch { bad.push(`${n}:${i + 1} not JSON`); return {}; }
});
const M = read('memories.jsonl'), F = read('findings.jsonl'), D = read('decoys.jsonl'), A = read('acceptable.jsonl');
const NOW = '2026-11-20T09:00:00Z';
const KINDS = ['contradiction', 'duplicate', 'recurrence', 'link', 'due'];
const TIME = /^2026-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;
const byKey = new Map();
const values = new Set();
M.forEach((m, i) => {
  if (Object.keys(m).join() !== 'key,value,created_at') bad.push(`${m.key}: fields`);
  if (!/^ob-\d{3}$/.test(m.key)) bad.push(`${m.key}: form of key`);
  if (byKey.has(m.key)) bad.push(`${m.key}: key twice`);
  byKey.set(m.key, { ...m, i });
  if (!m.value || m.value !== m.value.trim()) bad.push(`${m.key}: value`);
  if (values.has(m.value)) bad.push(`${m.key}: value twice`);
  values.add(m.value);
  if (!TIME.test(m.created_at) || Number.isNaN(Date.parse(m.created_at))) bad.push(`${m.key}: time`);
  if (m.created_at < '2026-02-01' || m.created_at >= '2026-11-20') bad.push(`${m.key}: time out of range`);
  if (i && M[i - 1].created_at > m.created_at) bad.push(`${m.key}: order of time`);
});
if (M.length < 260 || M.length > 320) bad.push(`memories: ${M.length}`);
const norm = (s) => s.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
const ids = new Set();
const dueOk = (r, n) => {
  const d = r.due ?? '';
  if (r.precision === 'day') {
    if (!/^\d{4}-\d\d-\d\d$/.test(d) || new Date(d + 'T00:00:00Z').toISOString().slice(0, 10) !== d || d <= NOW.slice(0, 10)) bad.push(`${n}: due`);
  } else if (r.precision === 'month') {
    if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(d) || d <= NOW.slice(0, 7)) bad.push(`${n}: due`);
  } else bad.push(`${n}: precision`);
};
const evidence = (r, n) => {
  if (!KINDS.includes(r.kind)) bad.push(`${n}: kind`);
  if (!Array.isArray(r.evidence) || !r.evidence.length) { bad.push(`${n}: evidence`); return false; }
  if (new Set(r.evidence).size !== r.evidence.length) bad.push(`${n}: evidence twice`);
  for (const k of r.evidence) if (!byKey.has(k)) { bad.push(`${n}: ${k} unknown`); return false; }
  const t = r.evidence.map((k) => byKey.get(k).i);
  if (t.some((x, i) => i && t[i - 1] > x)) bad.push(`${n}: evidence out of order of time`);
  const c = r.evidence.length;
  if (r.kind === 'due' ? c !== 1 : r.kind === 'recurrence' ? c < 3 : c !== 2) bad.push(`${n}: number of evidence`);
  return true;
};
for (const f of F) {
  if (!f.id || ids.has(f.id)) bad.push(`${f.id}: id`);
  ids.add(f.id);
  if (!evidence(f, f.id)) continue;
  if (!f.what || !f.detail) bad.push(`${f.id}: what or detail`);
  const v = f.evidence.map((k) => byKey.get(k).value);
  if (f.kind === 'recurrence' && v.length > 5) bad.push(`${f.id}: more than 5`);
  if (f.kind === 'due') dueOk(f, f.id);
  if (f.kind === 'duplicate') {
    if (!['exact', 'near'].includes(f.how)) bad.push(`${f.id}: how`);
    if ((norm(v[0]) === norm(v[1])) !== (f.how === 'exact')) bad.push(`${f.id}: ${f.how} does not hold`);
  }
  if (f.kind === 'link') {
    if (!f.shared || !v.every((x) => x.includes(f.shared))) bad.push(`${f.id}: shared not in both`);
    else if (M.filter((m) => m.value.toLowerCase().includes(f.shared.toLowerCase())).length !== 2) bad.push(`${f.id}: shared not in exactly two`);
  }
}
// no two memories are equal after normalising unless a finding says so
const seen = new Map();
for (const m of M) {
  const n = norm(m.value), o = seen.get(n);
  if (o && !F.some((f) => f.how === 'exact' && f.evidence.includes(o) && f.evidence.includes(m.key))) bad.push(`${o} ${m.key}: unlisted exact duplicate`);
  seen.set(n, m.key);
}
D.forEach((r, i) => { evidence(r, `decoy ${i + 1}`); if (!r.why) bad.push(`decoy ${i + 1}: why`); });
A.forEach((r, i) => {
  evidence(r, `acceptable ${i + 1}`);
  if (!r.why) bad.push(`acceptable ${i + 1}: why`);
  if (r.kind === 'due') dueOk(r, `acceptable ${i + 1}`);
});
const common = (a, b) => a.evidence.filter((k) => b.evidence.includes(k)).length;
const clash = (a, b) => a.kind === b.kind && common(a, b) >= (a.kind === 'due' ? 1 : 2);
D.forEach((d, i) => {
  F.forEach((f) => { if (clash(d, f)) bad.push(`decoy ${i + 1} swallowed by ${f.id}`); });
  A.forEach((a, j) => { if (clash(d, a)) bad.push(`decoy ${i + 1} swallowed by acceptable ${j + 1}`); });
  D.forEach((e, j) => { if (j < i && clash(d, e)) bad.push(`decoys ${j + 1} and ${i + 1} overlap`); });
});
A.forEach((a, i) => {
  F.forEach((f) => { if (clash(a, f)) bad.push(`acceptable ${i + 1} is in ${f.id}`); });
  A.forEach((b, j) => { if (j < i && clash(a, b)) bad.push(`acceptable ${j + 1} and ${i + 1} overlap`); });
});
F.forEach((f, i) => F.forEach((g, j) => { if (j < i && clash(f, g)) bad.push(`${g.id} and ${f.id} overlap`); }));
const count = (rows) => KINDS.map((k) => `${k} ${rows.filter((r) => r.kind === k).length}`).join(', ');
for (const k of KINDS) {
  const n = F.filter((f) => f.kind === k).length;
  if (n !== 14) bad.push(`findings ${k}: ${n}`);
  if (D.filter((d) => d.kind === k).length < 14) bad.push(`decoys ${k}: too few`);
}
const ex = F.filter((f) => f.how === 'exact').length, mo = F.filter((f) => f.precision === 'month').length;
if (ex !== 7) bad.push(`exact: ${ex}`);
if (mo !== 3) bad.push(`month: ${mo}`);
console.log(`memories ${M.length}, ${M[0].created_at} to ${M.at(-1).created_at}`);
console.log(`findings ${F.length}: ${count(F)} (duplicate exact ${ex}, near ${14 - ex}; due by month ${mo})`);
console.log(`decoys ${D.length}: ${count(D)}`);
console.log(`acceptable ${A.length}: ${count(A)}`);
for (const b of bad) console.log('BAD ' + b);
console.log(bad.length ? `${bad.length} faults` : 'ok');
process.exit(bad.length ? 1 : 0);

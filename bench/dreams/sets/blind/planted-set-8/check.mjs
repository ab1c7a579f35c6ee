// Checks the set: node check.mjs (no dependencies). Exits 1 and lists what is wrong.
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
const dir = path.dirname(fileURLToPath(import.meta.url));
const bad = [];
const say = (s) => bad.push(s);
const read = (name) => fs.readFileSync(path.join(dir, name), 'utf8').split('\n').filter((l) => l.trim()).flatMap((l, i) => {
  try { return [JSON.parse(l)]; } catch { say(`${name}:${i + 1} is no JSON`); return []; }
});
const mem = read('memories.jsonl'), find = read('findings.jsonl'), dec = read('decoys.jsonl'), acc = read('acceptable.jsonl');
const NOW = '2026-11-20T09:00:00Z', FIRST = '2026-01-25T00:00:00Z';
const KINDS = ['contradiction', 'duplicate', 'recurrence', 'link', 'due'];
const by = new Map(), values = new Set();
const letters = (s) => s.normalize('NFKC').toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');

if (mem.length !== 500) say(`${mem.length} memories`);
mem.forEach((m, i) => {
  if (m.key !== `s8-${String(i + 1).padStart(3, '0')}`) say(`${m.key} is not in its place`);
  if (Object.keys(m).sort().join() !== 'created_at,key,value') say(`${m.key} fields`);
  if (!/^2026-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(m.created_at) || Number.isNaN(Date.parse(m.created_at))) say(`${m.key} time`);
  if (m.created_at < FIRST || m.created_at > NOW) say(`${m.key} out of range`);
  if (i && m.created_at <= mem[i - 1].created_at) say(`${m.key} out of order`);
  if (typeof m.value !== 'string' || !m.value.trim() || m.value !== m.value.trim()) say(`${m.key} value`);
  if (values.has(m.value)) say(`${m.key} value twice`);
  values.add(m.value); by.set(m.key, m);
});

const validDue = (d, p) => p === 'day'
  ? /^\d{4}-\d\d-\d\d$/.test(d) && new Date(d + 'T00:00:00Z').toISOString().slice(0, 10) === d && d > NOW.slice(0, 10)
  : /^\d{4}-(0[1-9]|1[0-2])$/.test(d) && d > NOW.slice(0, 7);
const evidence = (r, where) => {
  if (!KINDS.includes(r.kind)) say(`${where} kind`);
  if (!Array.isArray(r.evidence) || !r.evidence.length) { say(`${where} evidence`); return; }
  if (new Set(r.evidence).size !== r.evidence.length) say(`${where} key twice`);
  if ([...r.evidence].sort().join() !== r.evidence.join()) say(`${where} keys out of order`);
  for (const k of r.evidence) if (!by.has(k)) say(`${where} ${k} is missing`);
};
const size = (r, where) => {
  const n = r.evidence.length;
  if (r.kind === 'due' ? n !== 1 : n < 2) say(`${where} has ${n} keys`);
};

const ids = new Set(), claimed = new Set();
find.forEach((f) => {
  const w = `finding ${f.id}`;
  evidence(f, w); size(f, w);
  if (!f.id || ids.has(f.id)) say(`${w} id`); ids.add(f.id);
  if (!f.what || !f.detail) say(`${w} text`);
  const c = f.kind + f.evidence.join(); if (claimed.has(c)) say(`${w} twice`); claimed.add(c);
  const v = f.evidence.map((k) => by.get(k));
  if (v.some((x) => !x)) return;
  if (f.kind === 'contradiction') { if (v.length !== 2 || !['different', 'close'].includes(f.wording)) say(`${w} form`); }
  if (f.kind === 'duplicate') {
    if (v.length !== 2 || !['exact', 'near', 'reworded'].includes(f.how)) say(`${w} form`);
    if ((letters(v[0].value) === letters(v[1].value)) !== (f.how === 'exact')) say(`${w} letters and digits`);
  }
  if (f.kind === 'recurrence') {
    if (!['different', 'same'].includes(f.wording)) say(`${w} form`);
    if (new Set(v.map((x) => x.created_at.slice(0, 10))).size < 3) say(`${w} days`);
    if (new Set(v.map((x) => x.created_at.slice(0, 10))).size !== v.length) say(`${w} one day twice`);
  }
  if (f.kind === 'link') {
    const holders = mem.filter((m) => m.value.toLowerCase().includes(String(f.shared).toLowerCase())).map((m) => m.key);
    if (v.length !== 2 || holders.join() !== f.evidence.join()) say(`${w} name is in ${holders.join()}`);
  }
  if (f.kind === 'due' && (!['day', 'month'].includes(f.precision) || !validDue(f.due, f.precision))) say(`${w} date`);
});
// equal letters and digits only where planted
const seen = new Map();
for (const m of mem) {
  const l = letters(m.value);
  if (seen.has(l) && !find.some((f) => f.how === 'exact' && f.evidence.includes(m.key) && f.evidence.includes(seen.get(l)))) say(`${m.key} equals ${seen.get(l)}`);
  seen.set(l, m.key);
}
const count = (a, p) => a.filter(p).length;
const want = (n, label, min, exact = true) => { if (exact ? n !== min : n < min) say(`${label}: ${n}, wanted ${min}`); };
const of = (k) => (r) => r.kind === k;
want(find.length, 'findings', 40);
want(count(find, of('contradiction')), 'contradiction', 10);
want(count(find, (f) => f.kind === 'contradiction' && f.wording === 'different'), 'contradiction different', 8);
want(count(find, of('duplicate')), 'duplicate', 10);
for (const [h, n] of [['exact', 3], ['near', 3], ['reworded', 4]]) want(count(find, (f) => f.how === h), h, n);
want(count(find, of('recurrence')), 'recurrence', 8);
want(count(find, (f) => f.kind === 'recurrence' && f.wording === 'different'), 'recurrence different', 6);
want(count(find, of('link')), 'link', 6);
want(count(find, of('due')), 'due', 6);
want(count(find, (f) => f.precision === 'month'), 'due by month', 2);
for (const [k, n] of [['contradiction', 95], ['duplicate', 45], ['recurrence', 23], ['link', 23], ['due', 30]]) want(count(dec, of(k)), `decoy ${k}`, n, false);

const common = (a, b) => a.evidence.filter((k) => b.evidence.includes(k)).length;
const clash = (a, b) => a.kind === b.kind && common(a, b) >= (a.kind === 'due' ? 1 : 2);
const rows = new Set();
dec.forEach((d, i) => {
  const w = `decoy ${i + 1}`;
  evidence(d, w); size(d, w);
  if (!d.why) say(`${w} why`);
  const c = d.kind + d.evidence.join(); if (rows.has(c)) say(`${w} twice`); rows.add(c);
  acc.forEach((a, j) => { if (!a.only && clash(d, a)) say(`${w} (${d.kind} ${d.evidence}) is swallowed by acceptable ${j + 1}`); });
  find.forEach((f) => { if (clash(d, f)) say(`${w} (${d.kind} ${d.evidence}) is swallowed by ${f.id}`); });
});
const arows = new Set();
acc.forEach((a, i) => {
  const w = `acceptable ${i + 1}`;
  evidence(a, w); size(a, w);
  if (!a.why) say(`${w} why`);
  if (a.only !== undefined && a.only !== 'update') say(`${w} only`);
  const c = a.kind + (a.only ?? '') + a.evidence.join() + (a.date ?? ''); if (arows.has(c)) say(`${w} twice`); arows.add(c);
  if (a.kind === 'due' && !validDue(a.date, String(a.date).length === 7 ? 'month' : 'day')) say(`${w} date`);
  if (a.kind !== 'due' && a.date !== undefined) say(`${w} date`);
});
if (bad.length) { console.log(bad.join('\n')); console.log(`${bad.length} faults`); process.exit(1); }
console.log(`memories ${mem.length}, findings ${find.length}, decoys ${dec.length}, acceptable ${acc.length}: all well`);
for (const k of KINDS) console.log(k, 'findings', count(find, of(k)), 'decoys', count(dec, of(k)), 'acceptable', count(acc, of(k)));

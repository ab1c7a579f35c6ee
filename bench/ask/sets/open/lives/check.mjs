// node check.mjs: verifies memories.jsonl and questions.jsonl beside it
import fs from 'fs';
const rd = (f) =>
  fs
    .readFileSync(new URL(f, import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((l, i) => {
      try {
        return JSON.parse(l);
      } catch (e) {
        console.log(`${f}:${i + 1} bad JSON`);
        process.exit(1);
      }
    });
const M = rd('./memories.jsonl'),
  Q = rd('./questions.jsonl');
let bad = 0;
const err = (s) => {
  bad++;
  console.log('ERR ' + s);
};
const mem = new Map(),
  last = {},
  perNs = {};
for (const m of M) {
  const k = m.namespace + '/' + m.key;
  if (Object.keys(m).join() !== 'namespace,key,value,created_at') err(k + ' fields');
  if (mem.has(k)) err('double key ' + k);
  mem.set(k, m);
  const t = Date.parse(m.created_at);
  if (
    !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(m.created_at) ||
    !(t >= Date.parse('2026-01-10') && t < Date.parse('2026-11-11'))
  )
    err(k + ' created_at');
  if (last[m.namespace] >= t) err(k + ' out of order');
  last[m.namespace] = t;
  perNs[m.namespace] = (perNs[m.namespace] || 0) + 1;
}
const want = { direct: 26, reworded: 22, changed: 22, two_notes: 8, across: 10, near: 24, nowhere: 8 },
  kinds = {},
  qn = {},
  ids = new Set(),
  qs = new Set();
for (const q of Q) {
  if (ids.has(q.id)) err('double id ' + q.id);
  ids.add(q.id);
  if (qs.has(q.namespace + q.question)) err('double question ' + q.id);
  qs.add(q.namespace + q.question);
  kinds[q.kind] = (kinds[q.kind] || 0) + 1;
  qn[q.namespace] = (qn[q.namespace] || 0) + 1;
  const ev = q.evidence.map((k) => mem.get(q.namespace + '/' + k));
  if (ev.some((e) => !e)) {
    err(q.id + ' evidence missing');
    continue;
  }
  const has = (s) => ev.some((e) => e.value.includes(s));
  if (q.kind === 'near' || q.kind === 'nowhere') {
    if (q.answer.length || q.evidence.length) err(q.id + ' should be empty');
    if (q.kind === 'near' && !q.why) err(q.id + ' why missing');
    continue;
  }
  if (!q.answer.length || !ev.length) err(q.id + ' empty');
  for (const g of q.answer) {
    if (!g.length) err(q.id + ' empty group');
    if (g[0] !== undefined && !has(g[0])) err(`${q.id} "${g[0]}" not in evidence`);
  }
  if (q.kind === 'changed') {
    if (!q.old?.length) err(q.id + ' old missing');
    for (const o of q.old || []) {
      if (!has(o)) err(`${q.id} old "${o}" not in evidence`);
      if (q.answer.flat().includes(o)) err(`${q.id} old = answer`);
    }
    for (const g of q.answer) if (!ev[0].value.includes(g[0])) err(`${q.id} answer not in the newest note`);
    for (let i = 1; i < ev.length; i++)
      if (ev[i - 1].created_at <= ev[i].created_at) err(q.id + ' evidence not newest first');
  }
  if (q.kind === 'two_notes') {
    if (ev.length !== 2) err(q.id + ' needs two');
    else
      for (const g of q.answer) if (!ev[1].value.includes(g[0])) err(q.id + ' answer not in the second note');
  }
}
for (const k in want) if (kinds[k] !== want[k]) err(`kind ${k}: ${kinds[k]} instead of ${want[k]}`);
for (const n of ['dario', 'ines']) {
  if (perNs[n] !== 55) err(n + ' notes ' + perNs[n]);
  if (qn[n] !== 60) err(n + ' questions ' + qn[n]);
}
const long = M.filter((m) => m.value.length >= 1000);
if (long.length !== 18 || long.some((m) => m.value.length > 3000)) err('long documents ' + long.length);
console.log(`memories ${M.length} ${JSON.stringify(perNs)}, long ${long.length}`);
console.log(`questions ${Q.length} ${JSON.stringify(qn)}`);
console.log(JSON.stringify(kinds));
console.log(bad ? `${bad} errors` : 'OK');
process.exit(bad ? 1 : 0);

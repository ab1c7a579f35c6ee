import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Checks a planted set of the first form; memories are from `from` until `until`, `contradictions` are left of the ten that were planted. Ends the process with 1 where something is wrong. */
export function checkPlantedSet(folder, { from, until, now, fewestDecoys, contradictions = 10 }) {
  const problems = [];
  const need = (ok, what) => {
    if (!ok) problems.push(what);
  };
  const read = (name) =>
    readFileSync(join(folder, name), 'utf8')
      .split('\n')
      .filter((line) => line.length > 0)
      .flatMap((line, i) => {
        try {
          return [JSON.parse(line)];
        } catch {
          problems.push(`${name}:${i + 1} is no JSON`);
          return [];
        }
      });

  const memories = read('memories.jsonl');
  const findings = read('findings.jsonl');
  const decoys = read('decoys.jsonl');
  const acceptable = read('acceptable.jsonl');

  const byKey = new Map();
  let chat = 0;
  let before = '';
  for (const m of memories) {
    need(typeof m.key === 'string' && m.key.length > 0, 'a memory without a key');
    need(!byKey.has(m.key), `key twice: ${m.key}`);
    byKey.set(m.key, m);
    need(typeof m.value === 'string' && m.value.trim().length > 0, `no value: ${m.key}`);
    need(m.value.length <= 2500, `too long: ${m.key}`);
    need(!Number.isNaN(Date.parse(m.created_at)), `no date: ${m.key}`);
    need(m.created_at >= from && m.created_at < until, `outside ${from} to ${until}: ${m.key}`);
    need(m.created_at >= before, `not in order of time: ${m.key}`);
    before = m.created_at;
    if (m.metadata?.session) {
      chat++;
      need(m.metadata.timestamp === m.created_at, `timestamp of the turn differs: ${m.key}`);
    }
  }
  need(memories.length >= 480, `only ${memories.length} memories`);
  need(chat >= 50, `only ${chat} conversational turns`);

  const kinds = ['contradiction', 'duplicate', 'recurrence', 'link', 'due_date'];
  const wanted = { contradiction: contradictions, duplicate: 10, recurrence: 8, link: 6, due_date: 6 };
  const counts = Object.fromEntries(kinds.map((k) => [k, 0]));
  for (const [name, list] of Object.entries({ findings, decoys, acceptable }))
    for (const o of list) {
      need(kinds.includes(o.kind), `${name}: unknown kind ${o.kind}`);
      need(Array.isArray(o.evidence) && o.evidence.length > 0, `${name}: no evidence`);
      need(new Set(o.evidence).size === o.evidence.length, `${name}: key twice in ${o.evidence}`);
      for (const k of o.evidence) need(byKey.has(k), `${name}: no memory ${k}`);
      if (o.kind !== 'due_date') need(o.evidence.length >= 2, `${name}: ${o.evidence} needs two memories`);
    }

  // Lower case, letters and digits only, single spaces.
  const normal = (s) =>
    s
      .toLowerCase()
      .normalize('NFKC')
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim();
  const bag = (s) => new Set(normal(s).split(' '));
  const numbers = (s) => (s.match(/\d+/g) ?? []).sort().join(',');
  const days = (a, b) => Math.abs(Date.parse(b) - Date.parse(a)) / 864e5;
  const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

  const degrees = { exact: 0, near: 0, reworded: 0 };
  const seen = new Set();
  for (const f of findings) {
    counts[f.kind]++;
    need(!seen.has(f.id), `id twice: ${f.id}`);
    seen.add(f.id);
    const ms = f.evidence.map((k) => byKey.get(k)).filter(Boolean);
    if (ms.length !== f.evidence.length) continue;
    const [a, b] = ms;
    if (f.kind === 'contradiction') {
      need(ms.length === 2 && f.detail.newer_key === b.key, `${f.id}: newer_key`);
      need(b.created_at > a.created_at, `${f.id}: newer is older`);
      need(days(a.created_at, b.created_at) >= 21, `${f.id}: not weeks apart`);
    }
    if (f.kind === 'duplicate') {
      degrees[f.detail.degree]++;
      need(f.evidence.includes(f.detail.keep), `${f.id}: keep`);
      need(a.value !== b.value, `${f.id}: equal byte for byte`);
      const same = normal(a.value) === normal(b.value);
      need(same === (f.detail.degree === 'exact'), `${f.id}: degree is wrong`);
      need(numbers(a.value) === numbers(b.value), `${f.id}: numbers differ`);
      const x = bag(a.value);
      const y = bag(b.value);
      const both = [...x].filter((w) => y.has(w)).length;
      const share = both / (x.size + y.size - both);
      need(share >= 0.6, `${f.id}: only ${share.toFixed(2)} of the words in common`);
    }
    if (f.kind === 'recurrence') {
      need(ms.length >= 3 && ms.length <= 6 && f.detail.count === ms.length, `${f.id}: count`);
      const at = ms.map((m) => m.created_at).sort();
      need(new Set(at.map((d) => d.slice(0, 10))).size === ms.length, `${f.id}: dates not distinct`);
      if (f.detail.weekday)
        for (const d of at)
          need(weekdays[new Date(d).getUTCDay()] === f.detail.weekday, `${f.id}: ${d} is another day`);
      if (f.detail.period_days)
        for (let i = 1; i < at.length; i++)
          need(
            Math.abs(days(at[i - 1], at[i]) - f.detail.period_days) <= 3,
            `${f.id}: interval before ${at[i]}`,
          );
    }
    if (f.kind === 'link') {
      const named = memories.filter((m) => m.value.includes(f.detail.entity)).map((m) => m.key);
      need(
        named.length === 2 && named.every((k) => f.evidence.includes(k)),
        `${f.id}: ${f.detail.entity} is in ${named}`,
      );
    }
    if (f.kind === 'due_date') {
      need(/^\d{4}-\d\d-\d\d$/.test(f.detail.date), `${f.id}: date`);
      need(f.detail.date > now.slice(0, 10), `${f.id}: not after now`);
    }
  }
  for (const k of kinds) need(counts[k] === wanted[k], `${counts[k]} × ${k}, wanted ${wanted[k]}`);
  need(
    degrees.exact === 3 && degrees.near === 4 && degrees.reworded === 3,
    `degrees of duplicates ${JSON.stringify(degrees)}`,
  );
  need(decoys.length >= fewestDecoys, `only ${decoys.length} decoys`);

  // A decoy is neither a finding nor acceptable in its own kind (unless `only` tells them apart).
  const overlap = (a, b) =>
    a.kind === b.kind &&
    a.evidence.filter((k) => b.evidence.includes(k)).length >=
      Math.min(2, a.evidence.length, b.evidence.length);
  for (const d of decoys) {
    for (const f of findings) need(!overlap(d, f), `decoy ${d.evidence} is finding ${f.id}`);
    for (const a of acceptable)
      need(!overlap(d, a) || (d.only && a.only && d.only !== a.only), `decoy ${d.evidence} is accepted`);
  }

  // No unplanted exact duplicate.
  const texts = new Map();
  for (const m of memories) {
    const n = normal(m.value);
    const other = texts.get(n);
    if (other)
      need(
        findings.some((f) => f.evidence.includes(other) && f.evidence.includes(m.key)),
        `unplanted duplicate ${other}, ${m.key}`,
      );
    texts.set(n, m.key);
  }

  if (problems.length > 0) {
    for (const p of problems) console.error(p);
    process.exit(1);
  }
  console.log(
    `${memories.length} memories (${chat} turns), findings ${kinds.map((k) => counts[k]).join('/')}, ` +
      `${decoys.length} decoys, ${acceptable.length} acceptable: in order`,
  );
}

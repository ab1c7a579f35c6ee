import { rowsOf } from './rows-of.mjs';

/**
 * Checks a set of memories with planted findings: JSON, keys, evidence, dates and counts. `wanted`: findings of each kind;
 * `differently`: how many of a kind are worded differently, at least. Ends the process with 1 where something is wrong.
 */
export function checkSet(folder, { wanted, differently, size, fewestDecoys }) {
  const NOW = '2026-11-15T09:00:00Z';
  const START = '2026-01-15T00:00:00Z';
  const KINDS = ['contradiction', 'duplicate', 'recurrence', 'link', 'due'];
  const problems = [];
  const expect = (ok, text) => {
    if (!ok) problems.push(text);
  };

  const rows = (name) => rowsOf(folder, name, problems);

  const memories = rows('memories.jsonl');
  const findings = rows('findings.jsonl');
  const decoys = rows('decoys.jsonl');
  const acceptable = rows('acceptable.jsonl');

  const byKey = new Map();
  const values = new Set();
  for (const memory of memories) {
    expect(typeof memory.key === 'string' && memory.key !== '', 'a memory without a key');
    expect(!byKey.has(memory.key), `key twice: ${memory.key}`);
    expect(typeof memory.value === 'string' && memory.value.trim() !== '', `no value: ${memory.key}`);
    expect(!values.has(memory.value), `value twice, byte for byte: ${memory.key}`);
    values.add(memory.value);
    const at = Date.parse(memory.created_at);
    expect(
      at >= Date.parse(START) && at <= Date.parse(NOW),
      `date out of range: ${memory.key} ${memory.created_at}`,
    );
    byKey.set(memory.key, memory);
  }

  const name = (row) => `${row.kind}:${[...row.evidence].sort().join('+')}`;
  const seen = new Map();
  for (const [list, items] of Object.entries({ findings, decoys, acceptable })) {
    for (const row of items) {
      expect(KINDS.includes(row.kind), `${list}: unknown kind ${row.kind}`);
      expect(Array.isArray(row.evidence) && row.evidence.length > 0, `${list}: no evidence`);
      for (const key of row.evidence) expect(byKey.has(key), `${list}: no such memory: ${key}`);
      expect(new Set(row.evidence).size === row.evidence.length, `${list}: evidence twice ${name(row)}`);
      expect(!seen.has(name(row)), `${name(row)} in ${list} and in ${seen.get(name(row))}`);
      seen.set(name(row), list);
      if (list !== 'findings') expect(Boolean(row.why), `${list}: no reason for ${name(row)}`);
    }
  }

  const counts = Object.fromEntries(KINDS.map((kind) => [kind, 0]));
  const ids = new Set();
  for (const finding of findings) {
    counts[finding.kind] += 1;
    expect(!ids.has(finding.id), `id twice: ${finding.id}`);
    ids.add(finding.id);
    expect(Boolean(finding.what) && Boolean(finding.detail), `${finding.id}: no what or detail`);
    const length = finding.evidence.length;
    const days = new Set(finding.evidence.map((key) => byKey.get(key)?.created_at.slice(0, 10)));
    if (finding.kind === 'recurrence') {
      expect(length >= 3 && days.size === length, `${finding.id}: three different days wanted`);
    } else if (finding.kind === 'due') {
      expect(length === 1, `${finding.id}: one memory wanted`);
      const end = finding.precision === 'month' ? `${finding.due}-28` : finding.due;
      expect(end > NOW.slice(0, 10), `${finding.id}: ${finding.due} is not after now`);
    } else {
      expect(length === 2, `${finding.id}: a pair wanted`);
    }
    if (finding.kind === 'link') {
      for (const key of finding.evidence) {
        const found = byKey.get(key)?.value.toLowerCase().includes(finding.shared.toLowerCase());
        expect(found, `${finding.id}: ${finding.shared} is not in ${key}`);
      }
      const holders = memories.filter((m) => m.value.toLowerCase().includes(finding.shared.toLowerCase()));
      expect(holders.length === 2, `${finding.id}: ${finding.shared} is in ${holders.length} memories`);
    }
  }
  for (const kind of KINDS) {
    expect(counts[kind] === wanted[kind], `${kind}: ${counts[kind]}, wanted ${wanted[kind]}`);
  }
  const worded = (kind) => findings.filter((f) => f.kind === kind && f.wording === 'different').length;
  expect(
    worded('contradiction') >= differently.contradiction,
    `fewer than ${differently.contradiction} contradictions are worded differently`,
  );
  expect(
    worded('recurrence') >= differently.recurrence,
    `fewer than ${differently.recurrence} recurrences are worded differently`,
  );
  expect(memories.length >= size.from && memories.length <= size.to, `${memories.length} memories`);
  expect(decoys.length >= fewestDecoys, `only ${decoys.length} decoys`);

  const tally = (items) =>
    KINDS.map((kind) => `${kind} ${items.filter((row) => row.kind === kind).length}`).join(', ');
  console.log(`memories   ${memories.length}`);
  console.log(`findings   ${findings.length}: ${tally(findings)}`);
  console.log(`decoys     ${decoys.length}: ${tally(decoys)}`);
  console.log(`acceptable ${acceptable.length}: ${tally(acceptable)}`);
  if (problems.length > 0) {
    for (const problem of problems) console.error(problem);
    process.exit(1);
  }
  console.log('ok');
}

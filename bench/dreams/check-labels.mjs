import { rowsOf } from './rows-of.mjs';

const NOW = '2026-11-20T09:00:00Z';

/** What is planted in a set of 500 memories that judges. */
export const PLANTED = {
  size: 500,
  wanted: { contradiction: 10, duplicate: 10, recurrence: 8, link: 6, due: 6 },
  different: { contradiction: 8, recurrence: 6 },
  forms: { exact: 3, near: 3, reworded: 4 },
  byMonth: 2,
  fewestDecoys: { contradiction: 95, duplicate: 45, recurrence: 23, link: 23, due: 30 },
};

/**
 * Checks a set whose now is 20 November (planted-set-5 and later ones): JSON, keys (`prefix` and three figures), order and dates, evidence, that
 * the name of a link stands in two memories, that nothing acceptable swallows a decoy, and the counts: findings of each kind (`wanted`), of them
 * worded differently (`different`), duplicates by form (`forms`), due dates `byMonth`, the `fewestDecoys`. Ends with 1 where something is wrong.
 */
export function checkLabels(
  folder,
  { prefix, start, size, wanted, different, forms, byMonth, fewestDecoys },
) {
  const KINDS = Object.keys(wanted);
  const problems = [];
  const expect = (ok, text) => {
    if (!ok) problems.push(text);
  };

  const rows = (name) => rowsOf(folder, name, problems);

  const memories = rows('memories.jsonl');
  const findings = rows('findings.jsonl');
  const decoys = rows('decoys.jsonl');
  const acceptable = rows('acceptable.jsonl');

  /** Letters and digits only, in small letters: what two exact duplicates have in common. */
  const plain = (text) => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');

  const byKey = new Map();
  const values = new Set();
  let before = '';
  for (const { key, value, created_at: at } of memories) {
    expect(key.startsWith(prefix) && /^\d{3}$/.test(key.slice(prefix.length)), `odd key: ${key}`);
    expect(!byKey.has(key), `key twice: ${key}`);
    expect(typeof value === 'string' && value.trim() !== '', `no value: ${key}`);
    expect(!values.has(value), `value twice, byte for byte: ${key}`);
    expect(!(Date.parse(at) < Date.parse(start) || Date.parse(at) > Date.parse(NOW)), `date: ${key} ${at}`);
    expect(!Number.isNaN(Date.parse(at)) && at >= before, `date not in order: ${key} ${at}`);
    values.add(value);
    byKey.set(key, { value, at });
    before = at;
  }
  expect(memories.length === size, `${memories.length} memories, wanted ${size}`);

  // A pair may be a decoy as a merge and acceptable as an update (`only`), hence its place in the name.
  const name = (row) => `${row.kind}:${[...row.evidence].sort().join('+')}${row.only ? `:${row.only}` : ''}`;
  const seen = new Map();
  for (const [list, items] of Object.entries({ findings, decoys, acceptable })) {
    for (const row of items) {
      expect(KINDS.includes(row.kind), `${list}: unknown kind ${row.kind}`);
      expect(Array.isArray(row.evidence) && row.evidence.length > 0, `${list}: no evidence`);
      for (const key of row.evidence) expect(byKey.has(key), `${list}: no such memory: ${key}`);
      expect(new Set(row.evidence).size === row.evidence.length, `${list}: evidence twice ${name(row)}`);
      expect(!seen.has(name(row)), `${name(row)} in ${list} and in ${seen.get(name(row))}`);
      expect(row.kind === 'due' || row.evidence.length > 1, `${list}: one memory only: ${name(row)}`);
      seen.set(name(row), list);
      if (list !== 'findings') expect(Boolean(row.why), `${list}: no reason for ${name(row)}`);
    }
  }

  // A decoy that an acceptable row swallows could never be hit.
  for (const decoy of decoys) {
    const least = decoy.kind === 'due' ? 1 : 2;
    for (const row of [...acceptable, ...findings]) {
      if (row.kind !== decoy.kind || row.only) continue;
      const common = row.evidence.filter((key) => decoy.evidence.includes(key)).length;
      expect(common < least, `decoy ${name(decoy)} is swallowed by ${name(row)}`);
    }
  }

  const ids = new Set();
  for (const finding of findings) {
    const { id, kind, evidence } = finding;
    expect(!ids.has(id), `id twice: ${id}`);
    ids.add(id);
    expect(Boolean(finding.what) && Boolean(finding.detail), `${id}: no what or detail`);
    const texts = evidence.map((key) => byKey.get(key)?.value ?? '');
    const days = new Set(evidence.map((key) => byKey.get(key)?.at.slice(0, 10)));
    if (kind === 'recurrence') {
      expect(evidence.length >= 3 && days.size === evidence.length, `${id}: three different days wanted`);
    } else if (kind === 'due') {
      expect(evidence.length === 1, `${id}: one memory wanted`);
      const pattern = finding.precision === 'month' ? /^\d{4}-\d{2}$/ : /^\d{4}-\d{2}-\d{2}$/;
      expect(pattern.test(finding.due), `${id}: ${finding.due} is no ${finding.precision}`);
      const end = finding.precision === 'month' ? `${finding.due}-28` : finding.due;
      expect(end > NOW.slice(0, 10), `${id}: ${finding.due} is not after now`);
    } else {
      expect(evidence.length === 2, `${id}: a pair wanted`);
    }
    if (kind === 'duplicate') {
      expect(
        (plain(texts[0]) === plain(texts[1])) === (finding.how === 'exact'),
        `${id}: not ${finding.how}`,
      );
    }
    if (kind === 'link') {
      const holds = (text) => text.toLowerCase().includes(finding.shared.toLowerCase());
      expect(texts.every(holds), `${id}: ${finding.shared} is not in both`);
      const holders = memories.filter(({ value }) => holds(value)).length;
      expect(holders === 2, `${id}: ${finding.shared} is in ${holders} memories`);
    }
  }

  const count = (items, test) => items.filter(test).length;
  for (const kind of KINDS) {
    const found = count(findings, (row) => row.kind === kind);
    expect(found === wanted[kind], `${kind}: ${found}, wanted ${wanted[kind]}`);
    const traps = count(decoys, (row) => row.kind === kind);
    expect(traps >= fewestDecoys[kind], `decoys, ${kind}: ${traps}, wanted ${fewestDecoys[kind]}`);
  }
  for (const [kind, least] of Object.entries(different)) {
    const worded = count(findings, (row) => row.kind === kind && row.wording === 'different');
    expect(worded === least, `${kind}: ${worded} worded differently, wanted ${least}`);
  }
  for (const [how, least] of Object.entries(forms)) {
    const formed = count(findings, (row) => row.kind === 'duplicate' && row.how === how);
    expect(formed === least, `duplicate: ${formed} ${how}, wanted ${least}`);
  }
  const months = count(findings, (row) => row.precision === 'month');
  expect(months === byMonth, `due: ${months} by month, wanted ${byMonth}`);

  const tally = (items) =>
    KINDS.map((kind) => `${kind} ${count(items, (row) => row.kind === kind)}`).join(', ');
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

/**
 * Checks sets of memories with planted findings: `node bench/dreams/sets/check.ts [NAME …]`, all of them without a name. It prints counts and
 * keys, never a memory, so that a blind set stays blind; it ends with 1 where something is wrong.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { kinds } from '../matching.ts';
import { type PlantedSet, plantedSet, plantedSets, setFolder } from '../planted.ts';

/** How many findings of each kind a set has, exactly. */
const Spec = z.looseObject({ wanted: z.partialRecord(z.string(), z.int()) });

/** What is wrong with a set, and a line that counts what is in it. */
export function checkSet(name: PlantedSet): { problems: string[]; counts: string } {
  const { memories, planted } = plantedSet(name);
  const { wanted } = Spec.parse(JSON.parse(readFileSync(join(setFolder(name), 'set.json'), 'utf8')));
  const { findings, decoys, acceptable } = planted;
  const problems: string[] = [];
  const need = (isSo: boolean, what: string) => {
    if (!isSo) problems.push(what);
  };
  const keys = new Set(memories.map(({ key }) => key));
  need(keys.size === memories.length, 'a key twice');
  const times = memories.map(({ created_at }) => created_at);
  need(
    times.every((at) => at <= plantedSets[name].now),
    'a memory of a day to come',
  );
  need(new Set(findings.map(({ id }) => id)).size === findings.length, 'an id twice');
  for (const [list, lines] of Object.entries({ findings, decoys, acceptable }))
    for (const [at, { kind, evidence }] of lines.entries()) {
      const missing = evidence.filter((key) => !keys.has(key));
      need(missing.length === 0, `${list}:${at + 1}: no such memory: ${missing.join(', ')}`);
      need(
        list !== 'findings' || kind === 'due_date' || evidence.length > 1,
        `${list}:${at + 1}: one memory only`,
      );
    }
  for (const { id, kind, detail } of findings)
    need(kind !== 'due_date' || detail.date !== undefined, `${id}: no date`);
  const count = (lines: readonly { kind: string }[], kind: string) =>
    lines.filter((line) => line.kind === kind).length;
  for (const kind of kinds) {
    const of = wanted[kind] ?? wanted[kind.replace('due_date', 'due')] ?? 0;
    need(count(findings, kind) === of, `${kind}: ${count(findings, kind)}, wanted ${of}`);
  }
  const tally = (lines: readonly { kind: string }[]) =>
    kinds.map((kind) => `${kind} ${count(lines, kind)}`).join(', ');
  return {
    problems,
    counts: `${name}: ${memories.length} memories; findings: ${tally(findings)}; decoys: ${tally(decoys)}; acceptable: ${tally(acceptable)}`,
  };
}

if (import.meta.main) {
  const named = process.argv.slice(2) as PlantedSet[];
  for (const name of named.length > 0 ? named : (Object.keys(plantedSets) as PlantedSet[])) {
    const { problems, counts } = checkSet(name);
    console.log(counts);
    for (const problem of problems) console.error(`${name}: ${problem}`);
    if (problems.length > 0) process.exitCode = 1;
  }
}

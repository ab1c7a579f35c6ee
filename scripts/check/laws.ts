import { readFileSync } from 'node:fs';
import path from 'node:path';
import { root, sourcesBelow } from './sources.ts';

/** Where SQL stands that should stand in a store, and stores that do not name their columns; one sentence each. */
export function misplacedSql(): string[] {
  const files = ['daemon/src', 'cloud/src', 'shared']
    .flatMap(sourcesBelow)
    .filter((name) => name.endsWith('.ts'));
  if (files.length === 0) return ['it looked at nothing'];
  return files.flatMap((file) => {
    const text = readFileSync(file, 'utf8');
    const at = path.relative(root, file);
    const isTest = file.endsWith('.test.ts');
    const mayHoldSql = /\.store\.ts$|\/db\/|\.test\.ts$|\/testing\.ts$/.test(file);
    return [
      ...(/\bSELECT \*/i.test(text) && !isTest ? [`${at}: SELECT * (name the columns)`] : []),
      ...(!mayHoldSql && /\.prepare(<[^(]*>)?\(/.test(text)
        ? [`${at}: SQL stands in *.store.ts and db/`]
        : []),
    ];
  });
}

/** Object literals that are spread into where they stand, by file; one sentence each: their fields are written there instead. */
export function spreadLiterals(): string[] {
  const files = ['daemon', 'cloud', 'shared', 'app', 'bench', 'e2e', 'scripts'].flatMap(sourcesBelow);
  if (files.length === 0) return ['it looked at nothing'];
  return files.flatMap((file) => {
    const lines = readFileSync(file, 'utf8').split('\n');
    return lines.flatMap((line, at) =>
      /\.{3}\(?\{/.test(line)
        ? [`${path.relative(root, file)}:${at + 1}: write the fields of what is spread`]
        : [],
    );
  });
}

/** Lines that people read, without tests and what only tests use: a feature that outgrows its own hides another. */
const BUDGETS = { 'daemon/src/features/dreams': 6_100, 'daemon/src/features/ask': 2_000 } as const;
const FOR_TESTS = /\.test\.tsx?$|\/testing\.ts$|\/testing\//;

/** Folders that have more lines than they may have; one sentence each. */
export function spentBudgets(): string[] {
  return Object.entries(BUDGETS).flatMap(([folder, most]) => {
    const read = sourcesBelow(folder).filter((file) => !FOR_TESTS.test(file));
    const lines = read.reduce(
      (sum, file) => sum + readFileSync(file, 'utf8').trimEnd().split('\n').length,
      0,
    );
    return read.length > 0 && lines <= most ? [] : [`${folder} has ${lines} lines of ${most}`];
  });
}

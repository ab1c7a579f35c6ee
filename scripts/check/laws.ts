import { readFileSync } from 'node:fs';
import path from 'node:path';
import { folders, root, sourcesBelow } from './sources.ts';

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
  const files = folders.flatMap(sourcesBelow);
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

/** Files of one folder that a reader can look over. */
const MOST_FILES = 20;
/** A command a file, and a migration a file: there the name says which. */
const MAY_BE_LONG = /(?:^|\/)(?:cli|migrations)$/;

/** Folders with more files than a reader can look over, tests and what only they use not counted; one sentence each. */
export function crowdedFolders(): string[] {
  const files = folders.flatMap(sourcesBelow).filter((file) => !FOR_TESTS.test(file));
  if (files.length === 0) return ['it looked at nothing'];
  const counts = new Map<string, number>();
  for (const file of files) {
    const folder = path.relative(root, path.dirname(file));
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return [...counts]
    .filter(([folder, count]) => count > MOST_FILES && !MAY_BE_LONG.test(folder))
    .map(([folder, count]) => `${folder} has ${count} files: ${MOST_FILES} at most; make rooms of it`);
}

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { hashesOf } from './imports.ts';
import { folders, root, sourcesBelow } from './sources.ts';

/**
 * Lints what is not known to be clean. What a rule finds depends on the types of other files, so that a file is known by a hash of
 * itself and of all that it imports, and of what those import; a linter's own cache knows the file alone.
 */
const KNOWN = path.join(root, 'node_modules/.cache/check/lint.json');
const SETTINGS = [
  ...['.oxlintrc.json', 'package-lock.json', 'shared/package.json'],
  ...['shared/session-logs/package.json', 'shared/agent-connect/package.json'],
  ...['tsconfig.json', 'tsconfig.base.json', 'app/web/tsconfig.json'],
  ...['shared/memory-formats/package.json', 'shared/redact/package.json'],
];

const files = folders.flatMap(sourcesBelow).sort();
const hashes = hashesOf(files, SETTINGS);
const known = new Set(existsSync(KNOWN) ? (JSON.parse(readFileSync(KNOWN, 'utf8')) as string[]) : []);
const unknown = files.filter((file) => !known.has(hashes.get(file) ?? ''));

if (unknown.length > 0) {
  const few = unknown.length < files.length / 2;
  const lint = spawnSync(
    path.join(root, 'node_modules/.bin/oxlint'),
    [
      ...['--deny-warnings', '--report-unused-disable-directives', '--threads=1'],
      // So many names would not fit on a command line.
      ...(few ? unknown.map((file) => path.relative(root, file)) : folders),
    ],
    { cwd: root, encoding: 'utf8' },
  );
  const output = `${lint.stdout}${lint.stderr}`;
  process.stdout.write(output);
  const looked = Number(/on (\d+) files?/.exec(output)?.[1] ?? 0);
  if (lint.status !== 0 || looked < (few ? unknown.length : files.length)) {
    if (lint.status === 0)
      console.log(`It looked at ${looked} files of ${few ? unknown.length : files.length}.`);
    process.exit(1);
  }
}
mkdirSync(path.dirname(KNOWN), { recursive: true });
writeFileSync(KNOWN, JSON.stringify([...new Set(hashes.values())]));
console.log(`${files.length} files are clean; ${unknown.length} were looked at.`);

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { sessionFormats } from './formats.ts';
import { CLAUDE_FILE, claudeTime, userLine } from './testing/claude-lines.ts';

const library = path.join(import.meta.dirname, '..');
const readme = fs.readFileSync(path.join(library, 'README.md'), 'utf8');

test('the example of the README says what an agent was asked', () => {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'session-logs-'));
  try {
    const log = path.join(home, '.claude/projects', CLAUDE_FILE);
    fs.mkdirSync(path.dirname(log), { recursive: true });
    fs.writeFileSync(log, `${JSON.stringify(userLine('u1', 'Add limits to the API'))}\n`);
    const example = /^```ts\n(.*?)^```$/ms.exec(readme)?.[1] ?? '';
    const output = execFileSync(process.execPath, ['--input-type=module-typescript', '--eval', example], {
      cwd: library,
      env: { HOME: home, USERPROFILE: home },
      encoding: 'utf8',
    });
    expect(output).toBe(`claude-code ${claudeTime(1)} Add limits to the API\n`);
  } finally {
    fs.rmSync(home, { recursive: true });
  }
});

test('the README names where the logs of each agent are', () => {
  const rows = readme.match(/^\| [A-Z].*\|$|^\| [a-z]+ +\| `.*\|$/gm) ?? [];
  expect(rows).toHaveLength(sessionFormats.length);
  for (const { agent, root } of sessionFormats)
    expect([agent, rows.some((row) => row.includes(`\`${root({}, '~')}`))]).toEqual([agent, true]);
});

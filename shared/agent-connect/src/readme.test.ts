import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { agentNames, agentOf, type Places } from './agents.ts';

const library = path.join(import.meta.dirname, '..');
const readme = fs.readFileSync(path.join(library, 'README.md'), 'utf8');

test('the example of the README shows what would be written, and writes nothing', () => {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'agent-connect-'));
  try {
    const file = path.join(home, '.claude.json');
    const before = '{\n  // mine\n  "numStartups": 4\n}\n';
    fs.writeFileSync(file, before);
    const example = /^```ts\n(.*?)^```$/ms.exec(readme)?.[1] ?? '';
    const output = execFileSync(process.execPath, ['--input-type=module-typescript', '--eval', example], {
      cwd: library,
      env: { HOME: home, USERPROFILE: home },
      encoding: 'utf8',
    });
    expect(output).toContain('  // mine\n  "numStartups": 4,\n  "mcpServers": {\n    "reverie": {');
    expect(output).toContain('undone to the byte: true');
    expect(fs.readFileSync(file, 'utf8')).toBe(before);
  } finally {
    fs.rmSync(home, { recursive: true });
  }
});

test('the README names the files of each agent', () => {
  const places: Places = { home: '~', platform: 'linux', env: {} };
  const rows = readme.match(/^\| [a-z-]+ +\| `.*$/gm) ?? [];
  expect(rows).toHaveLength(agentNames.length);
  for (const [at, name] of agentNames.entries()) {
    const { servers, hooks } = agentOf(name);
    const [, agent, first, second] = rows[at]?.split('|').map((cell) => cell.trim()) ?? [];
    expect([agent, first]).toEqual([name, `\`${servers(places)[0] ?? ''}\``]);
    expect(second).toMatch(hooks ? /^`/ : /^none/);
    if (hooks) expect(second).toBe(`\`${hooks.file(places)}\``);
  }
});

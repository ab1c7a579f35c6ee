import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { z } from 'zod';

const ROOT = path.join(import.meta.dirname, '../..');
const Package = z.object({ scripts: z.object({ prepare: z.string() }) });

test('what npm runs at an install builds the page, what draws diagrams and the app for conversations, also for `npm install -g .`', async () => {
  const { prepare } = Package.parse(
    JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')),
  ).scripts;
  const out = mkdtempSync(path.join(tmpdir(), 'reverie-page-'));
  try {
    // As npm does it: the programs of the project first, and no workspaces where it installs globally.
    const env = {
      ...process.env,
      PATH: `${path.join(ROOT, 'node_modules/.bin')}${path.delimiter}${process.env['PATH'] ?? ''}`,
      npm_config_global: 'true',
    };
    const builds = prepare.split(' && ');
    const pages = ['index.html', 'diagram.html', 'index.html'];
    expect(builds).toHaveLength(pages.length);
    for (const [at, build] of builds.entries()) {
      const into = path.join(out, String(at));
      await promisify(execFile)('sh', ['-c', `${build} --outDir '${into}' --emptyOutDir`], {
        cwd: ROOT,
        env,
      });
      expect(existsSync(path.join(into, pages[at] ?? ''))).toBe(true);
    }
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
});

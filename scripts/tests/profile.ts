// `npm run test:profile [-- vitest's arguments]`: runs the tests and prints which files take the most seconds of processor.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const SHOWN = 40;
const ROOT = path.join(import.meta.dirname, '../..');

const folder = mkdtempSync(path.join(tmpdir(), 'reverie-profile-'));
const file = path.join(folder, 'files.jsonl');
try {
  const vitest = spawnSync('vitest', ['run', ...process.argv.slice(2)], {
    stdio: 'inherit',
    cwd: ROOT,
    env: { ...process.env, REVERIE_TEST_PROFILE: file },
  });
  const files = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { file: string; processor: number; wall: number })
    .sort((a, b) => b.processor - a.processor);
  const total = files.reduce((sum, { processor }) => sum + processor, 0);
  console.log(`\n${files.length} files took ${Math.round(total)} s of processor; the dearest:`);
  for (const { file: name, processor, wall } of files.slice(0, SHOWN))
    console.log(
      `${processor.toFixed(1).padStart(8)} s  (${wall.toFixed(0)} s on the clock)  ${path.relative(ROOT, name)}`,
    );
  process.exitCode = vitest.status ?? 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

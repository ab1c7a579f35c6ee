import { spawn, spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import path from 'node:path';

// `npm run desktop`: builds the main process and runs it on Electron, with the repository's own page and daemon. Electron's binary comes at
// the first use; where it cannot be had, its own words say so.
const root = path.join(import.meta.dirname, '..');
const built = spawnSync(process.execPath, [path.join(root, 'scripts/build-desktop.ts')], {
  cwd: root,
  stdio: 'inherit',
});
if (built.status !== 0) process.exit(built.status ?? 1);
const electron = createRequire(path.join(root, 'app/package.json')).resolve('electron/cli.js');
const child = spawn(process.execPath, [electron, path.join(root, 'dist/desktop'), ...process.argv.slice(2)], {
  stdio: 'inherit',
  env: { ...process.env, REVERIE_REPOSITORY: root },
});
child.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)));

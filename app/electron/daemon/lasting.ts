import fs from 'node:fs';
import path from 'node:path';
import type { Home } from '../../../daemon/src/platform/home/home.ts';
import type { Program } from './program.ts';

interface LastingDeps {
  program: Program;
  home: Pick<Home, 'folder'>;
  env: NodeJS.ProcessEnv;
  version: string;
}

/**
 * The program that daemon, agents and hooks are run with. An AppImage is a folder that is gone when the app is quit, and the daemon runs
 * on: there the program is copied into the home, once for each version. Elsewhere it is where it was installed.
 */
export async function lastingProgram({ program, home, env, version }: LastingDeps): Promise<Program> {
  if (!env['APPIMAGE']) return program;
  const all = path.join(home.folder, 'runtime');
  const folder = path.join(all, version);
  const copied = {
    node: path.join(folder, path.basename(program.node)),
    script: path.join(folder, 'daemon', path.relative(daemonOf(program), program.script)),
  };
  if (fs.existsSync(folder)) return copied;
  const draft = `${folder}.part`;
  await fs.promises.rm(draft, { recursive: true, force: true });
  await fs.promises.mkdir(draft, { recursive: true, mode: 0o700 });
  await fs.promises.copyFile(program.node, path.join(draft, path.basename(program.node)));
  await fs.promises.cp(daemonOf(program), path.join(draft, 'daemon'), { recursive: true });
  await fs.promises.rename(draft, folder);
  for (const old of await fs.promises.readdir(all))
    if (old !== version) await fs.promises.rm(path.join(all, old), { recursive: true, force: true });
  return copied;
}

/** The folder of the bundle, of which the command is `daemon/bin/reverie.cjs`. */
function daemonOf({ script }: Program): string {
  return path.resolve(path.dirname(script), '../..');
}

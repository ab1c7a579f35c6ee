import { spawn } from 'node:child_process';
import { Refusal } from '../platform/home/home.ts';

/** Opens a file in the person's editor and waits until it is closed. Throws `Refusal` where it fails. */
export async function openEditor(env: NodeJS.ProcessEnv, file: string): Promise<void> {
  const editor = env['VISUAL'] || env['EDITOR'] || (process.platform === 'win32' ? 'notepad' : 'vi');
  // The variable may hold arguments (`code --wait`): the shell takes it apart, and gets the file as an argument.
  const child =
    process.platform === 'win32'
      ? spawn(`${editor} "${file}"`, { shell: true, stdio: 'inherit', env })
      : spawn('/bin/sh', ['-c', `${editor} "$@"`, editor, file], { stdio: 'inherit', env });
  // Ctrl-C in the editor is for the editor.
  const ignore = () => undefined;
  process.on('SIGINT', ignore);
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', resolve);
    });
    if (code === 0) return;
    const what = code === 127 ? 'was not found' : `ended with ${code === null ? 'a signal' : `code ${code}`}`;
    throw new Refusal(
      `The editor \`${editor}\` ${what}, so nothing was stored. Name yours in the variable VISUAL or EDITOR.`,
    );
  } catch (cause) {
    if (cause instanceof Refusal) throw cause;
    throw new Refusal(`The editor \`${editor}\` cannot be started: ${(cause as Error).message}.`, cause);
  } finally {
    process.off('SIGINT', ignore);
  }
}

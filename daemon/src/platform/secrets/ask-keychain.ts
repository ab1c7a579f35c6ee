import { spawn } from 'node:child_process';
import path from 'node:path';

const PROBE = path.join(import.meta.dirname, 'keychain-probe.ts');
/** How long a keychain may take to answer, ms; a locked one asks a person, who may not be there. */
const LONGEST = 3000;

/**
 * Asks the system's keychain for something that is not there: answers `ok`, or a line that says why it cannot be used. In a
 * process of its own, since without a desktop it may wait for ever inside native code, where nothing else can end it.
 */
export function askKeychain(probe = PROBE, longest = LONGEST): Promise<string> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [probe], {
      stdio: ['ignore', 'pipe', 'ignore'],
      windowsHide: true,
    });
    let said = '';
    child.stdout.setEncoding('utf8').on('data', (part: string) => (said += part));
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      resolve(`it does not answer within ${longest / 1000} s`);
    }, longest);
    child.once('error', (cause) => resolve(`it cannot be asked: ${cause.message}`));
    child.once('close', (code, signal) => {
      clearTimeout(timer);
      resolve(said.trim() || `asking it ended with ${signal ?? `code ${code}`}`);
    });
  });
}

import { createInterface } from 'node:readline/promises';
import { type Terminal, UsageError } from './terminal.ts';

/** A question whose answer has to be typed; programs say `--yes` instead. */
export interface Question {
  /** What will happen, in full sentences. */
  what: string;
  /** What has to be typed to go on. */
  type: string;
  yes: boolean;
}

/**
 * Whether to go on: asks on a terminal. Without one, and without `--yes`, it refuses, for nobody is
 * there to answer.
 */
export async function agreed(terminal: Terminal, { what, type, yes }: Question): Promise<boolean> {
  if (yes) return true;
  refuseUnasked(terminal, { what, yes });
  const lines = createInterface({ input: terminal.stdin, output: terminal.stderr });
  const closed = new Promise<string>((resolve) => lines.once('close', () => resolve('')));
  try {
    const asked = lines.question(`${what}\nType ${JSON.stringify(type)} to go on: `);
    return (await Promise.race([asked, closed])).trim() === type;
  } finally {
    lines.close();
  }
}

/** Refuses, before any work, what nobody is there to confirm. */
export function refuseUnasked(
  { stdin }: Pick<Terminal, 'stdin'>,
  { what, yes }: Pick<Question, 'what' | 'yes'>,
): void {
  if (!yes && !stdin.isTTY) throw new UsageError(`${what} Nobody is here to confirm it: add --yes to go on.`);
}

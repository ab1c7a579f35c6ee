import { createInterface } from 'node:readline';
import { type Terminal, UsageError } from './terminal.ts';

/** A question whose answer has to be typed; programs say `--yes` instead. */
export interface Confirmation {
  /** What will happen, in full sentences. */
  what: string;
  /** What has to be typed to go on. */
  type: string;
  yes: boolean;
  /** What may be asked for first, as often as one likes. */
  also?: { type: string; what: string; run: () => Promise<void> };
}

/**
 * Whether to go on: asks on a terminal. Without one, and without `--yes`, it refuses, for nobody is
 * there to answer.
 */
export async function agreed(terminal: Terminal, { what, type, yes, also }: Confirmation): Promise<boolean> {
  if (yes) return true;
  refuseUnasked(terminal, { what, yes });
  const lines = createInterface({ input: terminal.stdin, terminal: false });
  const typed = lines[Symbol.asyncIterator]();
  const more = also ? `, or ${JSON.stringify(also.type)} ${also.what}` : '';
  try {
    terminal.stderr.write(`${what}\n`);
    for (;;) {
      terminal.stderr.write(`Type ${JSON.stringify(type)} to go on${more}: `);
      const { value, done } = await typed.next();
      // Whoever closes the input has not agreed.
      const said = done === true ? '' : value.trim();
      if (!also || said !== also.type) return said === type;
      await also.run();
    }
  } finally {
    lines.close();
  }
}

/** Refuses, before any work, what nobody is there to confirm. */
export function refuseUnasked(
  { stdin }: Pick<Terminal, 'stdin'>,
  { what, yes }: Pick<Confirmation, 'what' | 'yes'>,
): void {
  if (!yes && !stdin.isTTY) throw new UsageError(`${what} Nobody is here to confirm it: add --yes to go on.`);
}

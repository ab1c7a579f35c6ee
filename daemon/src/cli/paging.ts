import { createInterface } from 'node:readline';
import { paint } from './print.ts';
import type { Terminal } from './terminal.ts';

/** Asks a person, screen by screen, whether to go on. */
export interface KeptReading {
  /** Before each item: false where the person has read enough. */
  next(soFar: string): Promise<boolean>;
  close(): void;
}

/** Where a person sits there, they are asked after so many items; a pipe gets all of them. */
export function keepReading(terminal: Terminal, screen: number): KeptReading {
  const { stdin, stdout, stderr } = terminal;
  if (!stdin.isTTY || !stdout.isTTY) return { next: () => Promise.resolve(true), close: () => undefined };
  const lines = createInterface({ input: stdin, terminal: false });
  const typed = lines[Symbol.asyncIterator]();
  let items = 0;
  return {
    async next(soFar) {
      items += 1;
      if (items === 1 || (items - 1) % screen !== 0) return true;
      stderr.write(paint(terminal, 'dim', `${soFar}. Enter shows more, q ends: `));
      const { value, done } = await typed.next();
      return done !== true && value.trim() === '';
    },
    close: () => lines.close(),
  };
}

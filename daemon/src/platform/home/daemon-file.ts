import fs from 'node:fs';
import { z } from 'zod';
import { type Home, writePrivateFile } from './home.ts';

/** What `daemon.json` says about the running daemon, for our own clients. */
export const DaemonFile = z.object({
  pid: z.int(),
  origin: z.string(),
  nonce: z.string(),
  /** A proof that this daemon gives, for hooks: they need not load what makes one. Daemons of before wrote none. */
  known: z.object({ challenge: z.string(), proof: z.string() }).optional(),
  started_at: z.string(),
  version: z.string(),
});
export type DaemonFile = z.infer<typeof DaemonFile>;

/** The daemon that runs (or ran) on a home, or undefined where the file is missing or unreadable. */
export function readDaemonFile(home: Home): DaemonFile | undefined {
  let text: string;
  try {
    text = fs.readFileSync(home.daemon, 'utf8');
  } catch {
    return undefined;
  }
  try {
    const parsed = DaemonFile.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : undefined;
  } catch {
    // Half a file is what a crash may leave; it then tells as much as a missing one.
    return undefined;
  }
}

/** The text of `daemon.json`. */
export const textOf = (daemon: DaemonFile) => `${JSON.stringify(daemon, null, 2)}\n`;

/** Writes `daemon.json` (0600). */
export function writeDaemonFile(home: Home, daemon: DaemonFile): void {
  writePrivateFile(home.daemon, textOf(daemon));
}

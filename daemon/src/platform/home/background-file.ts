import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { readDaemonFile } from './daemon-file.ts';
import { type Home, writePrivateFile } from './home.ts';

/** What `background.json` says of a daemon that was started in the background. */
const BackgroundFile = z.object({ nonce: z.string(), flags: z.record(z.string(), z.string()) });

/** Notes with which flags the daemon of a nonce was put into the background. */
export function writeBackgroundFile(home: Home, background: z.infer<typeof BackgroundFile>): void {
  writePrivateFile(backgroundFile(home), `${JSON.stringify(background)}\n`);
}

/** The flags with which the running daemon was put into the background, or undefined where it was not. */
export function backgroundFlags(home: Home): Record<string, string> | undefined {
  try {
    const parsed = BackgroundFile.parse(JSON.parse(fs.readFileSync(backgroundFile(home), 'utf8')));
    return parsed.nonce === readDaemonFile(home)?.nonce ? parsed.flags : undefined;
  } catch {
    // Missing or half written: then nobody can say that it was in the background.
    return undefined;
  }
}

function backgroundFile(home: Home): string {
  return path.join(home.folder, 'background.json');
}

import { watch as chokidar } from 'chokidar';
import type { Stop } from '../../../platform/clock.ts';

export interface FolderWatch {
  root: string;
  /** What nothing is to be heard of; without `kind` it is not known yet what it is. */
  ignores: (file: string, kind: 'folder' | 'file' | undefined) => boolean;
  /** Told of the file or folder about which something happened; absolute. */
  happened: (file: string) => void;
  /** Told of what is new, too: it was not listened to from its first moment on. */
  appeared: (file: string) => void;
  /** Told once every change is heard of. */
  ready: () => void;
  /** Told where the system gives no word of changes. */
  failed: (error: unknown) => void;
}

/** Tells that something happened below a folder, until it is stopped. What happened is not told: the files are looked at anew. */
export function startWatching({ root, ignores, happened, appeared, ready, failed }: FolderWatch): Stop {
  const watcher = chokidar(root, {
    ignoreInitial: true,
    followSymlinks: false,
    // A file that comes and goes is looked at once it is quiet, in one place.
    atomic: false,
    ignorePermissionErrors: true,
    persistent: false,
    ignored: (file, stats) =>
      ignores(file, stats?.isDirectory() ? 'folder' : stats?.isFile() ? 'file' : undefined),
  });
  watcher.on('all', (event, file) => {
    happened(file);
    if (event === 'add' || event === 'addDir') appeared(file);
  });
  watcher.on('ready', ready);
  watcher.on('error', failed);
  return () => void watcher.close().catch(failed);
}

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

/** Disks of a few megabytes, which only root may mount. */
export interface SmallDisks {
  mount(folder: string, size: string): void;
  /** Fills a disk to its last byte, or but for some bytes; answers what frees it. */
  fill(folder: string, but?: number): () => void;
  /** Mounts a disk anew so that nothing can be written. */
  closeForWriting(folder: string): void;
  unmountAll(): void;
}

/** Whether this machine lets a test mount a disk. */
export function canMount(): boolean {
  const folder = fs.mkdtempSync('/tmp/reverie-disk-');
  try {
    mountAt(folder, '1m');
    execFileSync('umount', [folder], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  } finally {
    fs.rmdirSync(folder);
  }
}

function mountAt(folder: string, size: string): void {
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'none', folder], { stdio: 'ignore' });
}

export function createSmallDisks(): SmallDisks {
  const mounted: string[] = [];
  let fills = 0;
  return {
    mount(folder, size) {
      fs.mkdirSync(folder, { recursive: true });
      mountAt(folder, size);
      mounted.push(folder);
    },
    fill(folder, but = 0) {
      fills += 1;
      const file = path.join(folder, `ballast-${fills}`);
      const handle = fs.openSync(file, 'w');
      for (const piece of [1 << 20, 4096, 1])
        try {
          for (;;) if (fs.writeSync(handle, Buffer.alloc(piece, 1)) < piece) break;
        } catch (cause) {
          if ((cause as NodeJS.ErrnoException).code !== 'ENOSPC') throw cause;
        }
      fs.ftruncateSync(handle, Math.max(0, fs.fstatSync(handle).size - but));
      fs.closeSync(handle);
      return () => fs.rmSync(file);
    },
    closeForWriting: (folder) => void execFileSync('mount', ['-o', 'remount,ro', folder]),
    unmountAll() {
      for (const folder of mounted.splice(0)) execFileSync('umount', ['-l', folder]);
    },
  };
}

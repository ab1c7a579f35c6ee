import type { Desktop } from '../desktop.ts';
import { type Remedy, REMEDY_NAMES, troubleOf } from './trouble.ts';

interface TroubleDialogDeps {
  desktop: Pick<Desktop, 'ask' | 'openFolder' | 'quit'>;
  /** The folder of the memories. */
  folder: string;
  /** Starts at a free port from now on. */
  useOtherPort: () => void;
}

/** Shows a person why there is no daemon, and does what they choose, to look again among it; they are asked one thing at a time. */
export function createTroubleDialog({ desktop, folder, useOtherPort }: TroubleDialogDeps) {
  let isOpen = false;
  const remedies: Readonly<Record<Remedy, (retry: () => void) => void>> = {
    try_again: (retry) => retry(),
    other_port(retry) {
      useOtherPort();
      retry();
    },
    open_folder: () => desktop.openFolder(folder),
    quit: () => desktop.quit(),
  };
  return async (why: string, retry: () => void): Promise<void> => {
    if (isOpen) return;
    isOpen = true;
    const { title, detail, remedies: offered } = troubleOf(why);
    const [first, ...others] = offered;
    const chosen = await desktop
      .ask({
        kind: 'error',
        title,
        detail,
        buttons: [REMEDY_NAMES[first], ...others.map((one) => REMEDY_NAMES[one]), 'Close'],
      })
      .finally(() => (isOpen = false));
    const remedy = offered[chosen];
    if (remedy) remedies[remedy](retry);
  };
}

import type { Desktop } from '../desktop.ts';

interface QuickDeps {
  desktop: Pick<Desktop, 'bindShortcut' | 'unbindShortcuts' | 'notify'>;
  open: () => void;
  /** Shows where other keys are chosen. */
  choose: () => void;
}

/** Opens the quick field on these keys from now on; says so once where another program has them. */
export function bindQuick({ desktop, open, choose }: QuickDeps, keys: string | null): void {
  desktop.unbindShortcuts();
  if (keys === null || bind(desktop, keys, open)) return;
  desktop.notify({
    title: 'The quick field has no keys',
    body: `Another program uses ${keys}. Choose others in the menu, below Settings.`,
    run: choose,
  });
}

/** Keys that Electron cannot read make it throw. */
function bind(desktop: QuickDeps['desktop'], keys: string, open: () => void): boolean {
  try {
    return desktop.bindShortcut(keys, open);
  } catch (cause) {
    if (cause instanceof TypeError) return false;
    throw cause;
  }
}

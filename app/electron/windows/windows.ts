import { PAGES } from '../bridge/address.ts';
import type { Desktop, Rectangle, DesktopWindow } from '../desktop.ts';
import { atTray, inSight } from './placing.ts';
import { BEGINNINGS, specOf, type WindowKind } from './specs.ts';

type WindowsDeps = Pick<Desktop, 'window' | 'workArea' | 'isDark' | 'isPackaged' | 'platform'>;

export interface Windows {
  /** Shows a place of the page in the main window; the window as it is, where none is named. */
  openMain(place?: string): void;
  /** Shows or hides the window at the tray. */
  toggleTray(icon: Rectangle | undefined): void;
  toggleQuick(): void;
  /** From now on closing a window ends it. */
  letGo(): void;
}

/** The windows of the app, made when they are first wanted and kept hidden after: a small one has to be there at once. */
export function createWindows(desktop: WindowsDeps): Windows {
  const open = new Map<WindowKind, DesktopWindow>();
  let isQuitting = false;

  function made(kind: WindowKind, place = BEGINNINGS[kind]): { shown: DesktopWindow; isNew: boolean } {
    const before = open.get(kind);
    if (before) return { shown: before, isNew: false };
    const shown = desktop.window(specOf(kind, { isDark: desktop.isDark(), isPackaged: desktop.isPackaged }));
    open.set(kind, shown);
    shown.onClose(() => {
      if (isQuitting) return false;
      shown.hide();
      return true;
    });
    shown.onGone(() => {
      open.delete(kind);
      shown.destroy();
    });
    if (kind !== 'main') shown.onBlur(() => shown.hide());
    shown.load(PAGES + place);
    return { shown, isNew: true };
  }

  function toggle(kind: 'tray' | 'quick', at: (area: Rectangle) => { x: number; y: number }): void {
    const { shown, isNew } = made(kind);
    if (shown.isVisible()) return shown.hide();
    // A thought of yesterday is not in the way of today's.
    if (kind === 'quick' && !isNew) shown.reload();
    shown.place(at(desktop.workArea()));
    shown.show();
  }

  return {
    openMain(place) {
      for (const kind of ['tray', 'quick'] as const) open.get(kind)?.hide();
      const { shown, isNew } = made('main', place);
      if (!isNew && place !== undefined) shown.load(PAGES + place);
      shown.show();
    },
    toggleTray(icon) {
      const size = specOf('tray', { isDark: false, isPackaged: true });
      toggle('tray', (area) => (icon ? atTray(icon, size, area) : inSight(size, area)));
    },
    toggleQuick() {
      const size = specOf('quick', { isDark: false, isPackaged: true });
      toggle('quick', (area) => inSight(size, area));
    },
    letGo() {
      isQuitting = true;
      for (const shown of open.values()) shown.destroy();
      open.clear();
    },
  };
}

import type { SafePreferences, WindowSpec } from '../desktop.ts';

/** The windows of the app, and the page that each begins with. */
export const windowKinds = ['main', 'tray', 'quick'] as const;
export type WindowKind = (typeof windowKinds)[number];

export const BEGINNINGS: Readonly<Record<WindowKind, string>> = { main: '/', tray: '/tray', quick: '/quick' };

/** Everything that Electron's checklist asks of a window; no window has others. */
function preferences(isPackaged: boolean): SafePreferences {
  return {
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
    nodeIntegrationInWorker: false,
    nodeIntegrationInSubFrames: false,
    webSecurity: true,
    allowRunningInsecureContent: false,
    experimentalFeatures: false,
    webviewTag: false,
    navigateOnDragDrop: false,
    spellcheck: false,
    devTools: !isPackaged,
  };
}

/** How a window is made, by its kind. */
export function specOf(kind: WindowKind, is: { isDark: boolean; isPackaged: boolean }): WindowSpec {
  const shared = {
    title: 'Reverie',
    // The page's own ground, so that nothing flashes before it is there.
    backgroundColor: is.isDark ? '#17161d' : '#fbfaf8',
    webPreferences: preferences(is.isPackaged),
  };
  const small = { ...shared, frame: false, resizable: false, alwaysOnTop: true, skipTaskbar: true };
  switch (kind) {
    case 'main':
      return {
        ...shared,
        width: 1200,
        height: 820,
        minWidth: 380,
        minHeight: 480,
        frame: true,
        resizable: true,
        alwaysOnTop: false,
        skipTaskbar: false,
      };
    case 'tray':
      return { ...small, width: 380, height: 560 };
    case 'quick':
      return { ...small, width: 620, height: 360 };
  }
}

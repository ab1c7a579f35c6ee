import { homeAt, homeFolder } from '../../daemon/src/platform/home/home.ts';
import { startApp } from './app.ts';
import { SCHEME } from './bridge/address.ts';
import { electronDesktop, runElectron } from './electron.ts';
import { linkIn } from './links/links.ts';
import { partsIn } from './parts.ts';
import { readBattery } from './system/battery.ts';
import { electronUpdates } from './system/electron-updates.ts';
import { systemTimers } from './system/timers.ts';

// The composition root of the desktop app: everything real meets here, and nothing is decided.
runElectron({
  scheme: SCHEME,
  linkIn,
  start({ isPackaged, resources, archive }) {
    // In development `scripts/desktop.ts` says where the repository is.
    const repository = process.env['REVERIE_REPOSITORY'];
    const parts = partsIn(isPackaged || repository === undefined ? { resources, archive } : { repository });
    return startApp({
      desktop: electronDesktop({ icons: parts.icons, scheme: SCHEME }),
      home: homeAt(homeFolder(process.env)),
      env: process.env,
      parts,
      feed: electronUpdates(),
      battery: readBattery,
      timers: systemTimers,
    });
  },
});

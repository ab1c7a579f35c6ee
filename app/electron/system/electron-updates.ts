import updater from 'electron-updater';
import type { UpdateFeed } from './updates.ts';

/** Updates through `electron-updater`, from an address of one's own: it checks the signature of what it fetched before it is run. */
export function electronUpdates(): UpdateFeed {
  return {
    async fetch(feed) {
      const { autoUpdater } = updater;
      autoUpdater.autoDownload = false;
      autoUpdater.setFeedURL({ provider: 'generic', url: feed });
      const found = await autoUpdater.checkForUpdates();
      if (!found?.isUpdateAvailable) return undefined;
      await autoUpdater.downloadUpdate();
      return { version: found.updateInfo.version };
    },
    install: () => updater.autoUpdater.quitAndInstall(),
  };
}

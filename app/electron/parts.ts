import path from 'node:path';
import type { Program } from './daemon/program.ts';

/** What comes with the app: the daemon and its Node, the page, and the pictures of the tray. */
export interface BundledParts {
  program: Program;
  page: string;
  icons: string;
}

/**
 * Where the parts lie. In an installed app the page and the pictures are in the archive that Electron checks; the daemon and its runtime
 * are beside it, since they run as processes of their own. In development everything comes from the repository.
 */
export function partsIn(
  place: { resources: string; archive: string } | { repository: string },
): BundledParts {
  const node = process.platform === 'win32' ? 'node.exe' : 'node';
  if ('repository' in place)
    return {
      program: {
        node: path.join(place.repository, 'node_modules/node/bin', node),
        script: path.join(place.repository, 'daemon/bin/reverie.cjs'),
      },
      page: path.join(place.repository, 'app/web/dist'),
      icons: path.join(place.repository, 'app/electron/icons'),
    };
  return {
    program: {
      node: path.join(place.resources, 'node', node),
      script: path.join(place.resources, 'daemon/daemon/bin/reverie.cjs'),
    },
    page: path.join(place.archive, 'page'),
    icons: path.join(place.archive, 'icons'),
  };
}

import { existsSync } from 'node:fs';

/** Where Debian puts Chromium. Its headless shell is the same engine without a browser around it, and takes half of the processor. */
const BUILDS = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];

/** The browser that the journeys are driven with; where there is none, where one would be. */
export const CHROMIUM: string = BUILDS.find((build) => existsSync(build)) ?? '/usr/bin/chromium';

/** Whether this machine has that browser. */
export const hasBrowser: boolean = existsSync(CHROMIUM);

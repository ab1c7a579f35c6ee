/** The browser that the journeys are driven with. */
export const CHROMIUM = '/usr/bin/chromium';

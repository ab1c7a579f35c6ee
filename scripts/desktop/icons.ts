import fs from 'node:fs';
import path from 'node:path';
import { Resvg } from '@resvg/resvg-js';
import { trayStates, type TrayState } from '../../app/electron/tray/state.ts';

// Draws the pictures of the tray in app/electron/icons and those of the installed app in app/electron/build: `node scripts/desktop/icons.ts`.
const root = path.join(import.meta.dirname, '../..');
const icons = path.join(root, 'app/electron/icons');
const build = path.join(root, 'app/electron/build');

/** Of a picture of 16 × 16: a moon, and what is with it. `ink` is the colour of what is drawn, `tint` of what shall be seen. */
const MOON = (ink: string) =>
  `<path fill="${ink}" d="M12.900 9.900A5.600 5.600 0 0 1 6.100 3.100a5.600 5.600 0 1 0 6.800 6.800Z"/>`;
const DOT = (colour: string) => `<circle cx="12.300" cy="4" r="2.700" fill="${colour}"/>`;

/** Each state has a shape of its own: on a Mac there is no colour, and some people see none. */
const DRAWN: Readonly<Record<TrayState, (ink: string, tint: (colour: string) => string) => string>> = {
  dormant: MOON,
  syncing: (ink, tint) =>
    `${MOON(ink)}<path fill="none" stroke="${tint('#5b8def')}" stroke-width="1.500" stroke-linecap="round" stroke-linejoin="round" d="M9.300 4.300A3 3 0 0 1 14.800 3.600M14.900 1.600v2.100h-2.100"/>`,
  dreaming: (ink, tint) =>
    `${MOON(ink)}<path fill="${tint('#9d7ff0')}" d="M12.200.800l.9 2.300 2.300.9-2.300.9-.9 2.300-.9-2.300L9 4l2.300-.9ZM9.200 6.300l.4 1 1 .4-1 .4-.4 1-.4-1-1-.4 1-.4Z"/>`,
  'needs-you': (ink, tint) => `${MOON(ink)}${DOT(tint('#e0962b'))}`,
  error: (ink, tint) =>
    `${MOON(ink)}<path fill="none" stroke="${tint('#e2504a')}" stroke-width="1.800" stroke-linecap="round" d="M12.300 1.400v3.300M12.300 7.200v.1"/>`,
};

/** How a panel looks that the picture stands on. A Mac tints a template by itself, and takes its shape alone. */
const LOOKS = {
  Template: { ink: '#000000', tint: () => '#000000' },
  '-light': { ink: '#2a2733', tint: (colour: string) => colour },
  '-dark': { ink: '#f2f0f8', tint: (colour: string) => colour },
} as const;

/** Electron takes the picture that fits the screen by the end of its name. */
const SIZES = { '': 16, '@2x': 32 } as const;

const svg = (body: string, side = 16) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}">${body}</svg>`;
const png = (source: string, width: number): Uint8Array =>
  new Resvg(source, { fitTo: { mode: 'width', value: width } }).render().asPng();

for (const folder of [icons, build]) fs.mkdirSync(folder, { recursive: true });
for (const state of trayStates)
  for (const [look, { ink, tint }] of Object.entries(LOOKS)) {
    const source = svg(DRAWN[state](ink, tint));
    for (const [end, width] of Object.entries(SIZES))
      fs.writeFileSync(path.join(icons, `${state}${look}${end}.png`), png(source, width));
  }
// electron-builder makes .icns and .ico of the largest one.
const app = fs.readFileSync(path.join(root, 'app/web/public/icon.svg'), 'utf8');
fs.writeFileSync(path.join(build, 'icon.png'), png(app, 512));

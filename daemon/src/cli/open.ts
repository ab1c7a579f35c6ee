import path from 'node:path';
import { createTicket } from '@reverie/shared/contract/accounts/keys';
import type { Command } from 'commander';
import { type Home, Refusal, writePrivateFile } from '../platform/home/home.ts';
import { connect } from './connection.ts';
import { say } from './print.ts';
import { homeOf, type Terminal } from './terminal.ts';

/** `reverie open [--print]` */
export function addOpen(program: Command, terminal: Terminal): void {
  program
    .command('open')
    .description('open the page in your browser, signed in')
    .option('--print', 'print the address instead; it works once, within 60 seconds')
    .action(async ({ print }: { print?: true }) => {
      const home = homeOf(terminal);
      const { client, origin } = await connect(home, terminal.env);
      if (!print) refuseWithoutDisplay(terminal.env, process.platform);
      const { ticket } = await client(createTicket, {});
      const address = `${origin}/#ticket=${ticket}`;
      if (print) return say(terminal, address);
      const file = redirectFile(home);
      // The next one replaces it; its ticket is worth nothing once used, or after 60 seconds.
      writePrivateFile(file, redirectTo(address));
      const { default: open } = await import('open');
      await open(file).catch((cause: unknown) => {
        throw new Refusal(
          'No browser could be started. `reverie open --print` prints the address to open yourself.',
          cause,
        );
      });
      say(terminal, 'The page opens in your browser. If it does not, use `reverie open --print`.');
    });
}

/** The file on which the browser is started, so that the ticket stands on no command line. */
export function redirectFile(home: Pick<Home, 'folder'>): string {
  return path.join(home.folder, 'open.html');
}

/** A page that leads to an address at once. */
export function redirectTo(address: string): string {
  const escaped = address.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url=${escaped}">
<title>Reverie</title>
</head>
<body><a href="${escaped}">Open Reverie</a></body>
</html>
`;
}

/** xdg-open says nothing where there is no screen, so we do. */
export function refuseWithoutDisplay(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): void {
  const has = (name: string) => (env[name] ?? '') !== '';
  if (platform !== 'linux' || ['DISPLAY', 'WAYLAND_DISPLAY', 'WSL_DISTRO_NAME', 'BROWSER'].some(has)) return;
  throw new Refusal(
    'There is no screen here to open a browser on. `reverie open --print` prints the address; it works once, within 60 seconds, in a browser that reaches this machine.',
  );
}

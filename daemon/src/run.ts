import v8 from 'node:v8';
import { homeAt, homeFolder, Refusal } from './platform/home/home.ts';
import { holdYoungGeneration } from './platform/young-generation.ts';
import { startDaemon, type StartOptions } from './main.ts';

const LONGEST_STOP = 5000;

/**
 * Runs a daemon in this process until a signal ends it: one ready line on stdout, then, on a terminal,
 * what to do next. Exits 0 after a clean stop, 1 when it cannot start or stop.
 */
export async function runDaemon(options: StartOptions): Promise<void> {
  // V8 would put what a search collects among the long-lived at once, since a search is often met in the middle: 100 MB of garbage by the
  // time that it looks there. New things are new, and gone with the search.
  v8.setFlagsFromString('--no-allocation-site-pretenuring');
  // Looks among the long-lived when they are twice what they were, not four times: a load of batches would leave 90 MB of empty pages.
  v8.setFlagsFromString('--heap-growing-percent=100');
  const running = await startDaemon(options).catch((cause: unknown) => {
    if (!(cause instanceof Refusal)) throw cause;
    process.stderr.write(`${cause.message}\n`);
    process.exit(1);
  });
  holdYoungGeneration();
  let stopping = false;
  const stop = (signal: string) => {
    if (stopping) return;
    stopping = true;
    running.log.info({ signal }, 'stopping');
    setTimeout(() => {
      running.log.error('requests in flight did not end in 5 s');
      process.exit(1);
    }, LONGEST_STOP).unref();
    running.stop().then(
      () => process.exit(0),
      (err: unknown) => {
        running.log.fatal({ err }, 'the stop failed');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  process.on('uncaughtException', (err) => {
    running.log.fatal({ err }, 'a bug ended Reverie; what was answered is on disk');
    process.exit(1);
  });
  process.stdout.write(`Reverie is ready at ${running.origin}\n`);
  if (process.stdout.isTTY) {
    const home = homeAt(homeFolder(options.env));
    process.stdout.write(
      [
        '',
        '  reverie open                   opens the page in your browser',
        '  reverie import ~/notes         brings your own notes',
        `  key for agents on this machine ${home.apiKey}`,
        `  reference of the API           ${running.origin}/docs`,
        '',
      ].join('\n'),
    );
  }
}

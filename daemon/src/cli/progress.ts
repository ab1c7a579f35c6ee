import progress from 'cli-progress';
import type { Terminal } from './terminal.ts';

const { Presets, SingleBar } = progress;

/** Between two lines about a long work where no terminal shows a bar. */
const LINE_EVERY = 10_000;

/** How far a work is; `about` says what it is at. */
export interface ProgressBar {
  update(done: number, about: string): void;
  stop(): void;
}

/** A bar on a terminal, else a line now and then; both on stderr, so that stdout stays the result. */
export function showProgress({ stderr }: Pick<Terminal, 'stderr'>, what: string, total: number): ProgressBar {
  return stderr.isTTY ? bar(stderr, what, total) : lines(stderr, what, total);
}

function bar(stream: Terminal['stderr'], what: string, total: number): ProgressBar {
  const shown = new SingleBar(
    {
      format: `${what} {bar} {percentage}% {about}`,
      stream,
      hideCursor: true,
      clearOnComplete: true,
      gracefulExit: false,
      fps: 8,
    },
    Presets.shades_classic,
  );
  shown.start(Math.max(total, 1), 0, { about: '' });
  return {
    update: (done, about) => shown.update(Math.min(done, total), { about }),
    stop: () => shown.stop(),
  };
}

function lines(stream: Terminal['stderr'], what: string, total: number): ProgressBar {
  let told = performance.now();
  return {
    update(done, about) {
      if (performance.now() - told < LINE_EVERY) return;
      told = performance.now();
      const percent = total > 0 ? `${Math.min(100, Math.floor((done / total) * 100))}% ` : '';
      stream.write(`${what} ${percent}${about}\n`);
    },
    stop() {
      // The summary follows.
    },
  };
}

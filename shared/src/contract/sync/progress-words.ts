import type { SyncProgress } from './sync.ts';

/** Says how far a first sync is: `Uploading 12,400 of 100,000 memories, 12 %, about 40 s left`. */
export function progressWords(
  way: 'upload' | 'download',
  { done, total, percent, seconds_left }: SyncProgress,
  formatCount: (count: number) => string,
): string {
  const what =
    way === 'upload'
      ? `Uploading ${formatCount(done)} of ${formatCount(total)} ${total === 1 ? 'memory' : 'memories'}, ${percent} %`
      : `Downloading, ${percent} %`;
  return seconds_left === null ? what : `${what}, ${timeLeft(seconds_left)} left`;
}

/** `a few seconds`, `about 40 s`, `about 5 min`, `about 2 h`: no more exact than it can be known. */
function timeLeft(seconds: number): string {
  if (seconds <= 5) return 'a few seconds';
  if (seconds <= 90) return `about ${Math.ceil(seconds / 5) * 5} s`;
  return seconds <= 90 * 60
    ? `about ${Math.round(seconds / 60)} min`
    : `about ${Math.round(seconds / 3600)} h`;
}

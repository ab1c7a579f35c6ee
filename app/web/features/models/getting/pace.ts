import { formatBytes } from '../../../platform/format.ts';
import type { ModelPull } from '@reverie/shared/contract/system/models';

/** How many bytes had been transferred at the time `at`, ms. */
export interface BytesAt {
  at: number;
  bytes: number;
}

/** What is remembered of a transfer to tell its pace: the last counts of one model. */
export type TransferCounts = readonly BytesAt[];

/** How long ago a count may be and still tell the pace, ms. */
const REMEMBERED_MS = 20_000;
/** Less time than this tells nothing, ms. */
const TELLING_MS = 2_000;

/** Adds a count. Fewer bytes than before are another transfer, so that what was counted earlier is forgotten. */
export function withBytes(progress: TransferCounts, next: BytesAt): TransferCounts {
  const last = progress.at(-1);
  if (last && next.bytes < last.bytes) return [next];
  return [...progress.filter(({ at }) => next.at - at <= REMEMBERED_MS && at < next.at), next];
}

/** Bytes a second, of late; undefined while too little is known, and where nothing comes. */
export function paceOf(progress: TransferCounts): number | undefined {
  const [first, last] = [progress.at(0), progress.at(-1)];
  if (!first || !last || last.at - first.at < TELLING_MS || last.bytes <= first.bytes) return undefined;
  return ((last.bytes - first.bytes) * 1_000) / (last.at - first.at);
}

/** `1.2 GiB of 3.4 GiB · 24 MiB/s · about 2 minutes left`, as far as it is known. */
export function progressWords(
  { bytes_done, bytes_total }: Pick<ModelPull, 'bytes_done' | 'bytes_total'>,
  pace: number | undefined,
): string {
  const done =
    bytes_total === null
      ? formatBytes(bytes_done)
      : `${formatBytes(bytes_done)} of ${formatBytes(bytes_total)}`;
  if (pace === undefined) return done;
  const speed = `${done} · ${formatBytes(Math.round(pace))}/s`;
  return bytes_total === null ? speed : `${speed} · ${leftWords((bytes_total - bytes_done) / pace)}`;
}

/** Seconds in words as rough as they are certain. */
function leftWords(seconds: number): string {
  if (seconds < 60) return 'less than a minute left';
  const minutes = Math.round(seconds / 60);
  if (minutes < 90) return `about ${minutes === 1 ? 'a minute' : `${minutes} minutes`} left`;
  const hours = Math.round(minutes / 60);
  return `about ${hours} hours left`;
}

import { type ListTasksRequest, TaskState } from '@a2a-js/sdk';
import { RequestMalformedError } from '@a2a-js/sdk/errors';
import type { DreamJob } from '@reverie/shared/contract/dreams/dreams';
import { stateOf, updatedAt } from './shapes.ts';

const MOST = 100;
const DEFAULT = 50;

/** One page of the dreams that are asked for, most recently updated first. Throws `RequestMalformedError` for a page that there is not. */
export function page(jobs: readonly DreamJob[], asked: ListTasksRequest) {
  const { pageSize = DEFAULT, pageToken, status, statusTimestampAfter } = asked;
  if (!Number.isInteger(pageSize) || pageSize < 1 || pageSize > MOST)
    throw new RequestMalformedError(`pageSize must be 1 to ${MOST}`);
  if (status === TaskState.UNRECOGNIZED) throw new RequestMalformedError('status is not a state of a task');
  const after = statusTimestampAfter === undefined ? -Infinity : Date.parse(statusTimestampAfter);
  if (Number.isNaN(after)) throw new RequestMalformedError('statusTimestampAfter must be a time');
  const found = jobs
    .filter((job) => status === TaskState.TASK_STATE_UNSPECIFIED || stateOf(job) === status)
    .filter((job) => Date.parse(updatedAt(job)) >= after)
    .map((job) => ({ job, place: `${updatedAt(job)} ${job.id}` }))
    .sort((a, b) => (a.place < b.place ? 1 : -1));
  const from = pageToken === '' ? undefined : placeOf(pageToken);
  const rest = from === undefined ? found : found.filter(({ place }) => place < from);
  const shown = rest.slice(0, pageSize);
  const last = shown.at(-1);
  return {
    shown: shown.map(({ job }) => job),
    pageSize: shown.length,
    totalSize: found.length,
    nextPageToken: last && rest.length > shown.length ? Buffer.from(last.place).toString('base64url') : '',
  };
}

function placeOf(token: string): string {
  const place = Buffer.from(token, 'base64url').toString();
  if (!/^\d{4}-\d\d-\d\dT\S+Z dream_\w+$/.test(place))
    throw new RequestMalformedError('pageToken is not the nextPageToken of a page before');
  return place;
}

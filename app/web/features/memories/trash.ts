import { callWhileLeaving } from '../../platform/api.ts';
import { wallClock } from '../../platform/clock.ts';
import { notify } from '../../platform/notices.ts';
import { queryClient } from '../../platform/query-client.ts';
import { keepDraft } from './draft.ts';
import { refresh } from './queries.ts';
import { createTrashing } from './trashing.ts';

/** The page's own way to the trash. A call outlives the page: a memory that is gone from the screen is to stay gone. */
export const trashing = createTrashing({
  clock: wallClock,
  client: callWhileLeaving,
  refresh: (namespace) => refresh(queryClient, [namespace]),
  failed: (message) => notify('bad', message),
  ended: (id) => keepDraft(id, undefined),
});

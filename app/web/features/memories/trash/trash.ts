import { callWhileLeaving } from '../../../platform/daemon/api.ts';
import { wallClock } from '../../../platform/clock.ts';
import { notify } from '../../../platform/notices.ts';
import { queryClient } from '../../../platform/queries/query-client.ts';
import { refresh } from '../queries.ts';
import { draftId, keepDraft } from '../writing/drafts/draft.ts';
import { createTrashing } from './trashing.ts';

/** The page's own `Trashing`. Its calls outlive the page, so that a memory which is gone from the screen stays gone. */
export const trashing = createTrashing({
  clock: wallClock,
  client: callWhileLeaving,
  refresh: (namespaces) => refresh(queryClient, namespaces),
  failed: (message) => notify('bad', message),
  ended: ({ namespace, key }) => keepDraft(draftId(namespace, key), undefined),
});

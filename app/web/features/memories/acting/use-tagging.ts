import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../../platform/daemon/api.ts';
import { countOf } from '../../../platform/format.ts';
import { notify } from '../../../platform/notices.ts';
import { refresh } from '../queries.ts';
import { changeTags, inverseOf, type TagChange } from './tagging.ts';
import type { ActionTarget } from './targets.ts';
import { offerUndo, reasonOf } from './undoing.ts';

/** Changes tags, and offers to take that back. */
export function useTagging() {
  const queries = useQueryClient();
  const shownAgain = (of: readonly ActionTarget[]) =>
    refresh(queries, new Set(of.map(({ namespace }) => namespace)));
  return useMutation({
    mutationFn: ({ of, change }: { of: readonly ActionTarget[]; change: TagChange }) =>
      changeTags(call, of, change),
    onSuccess: async (_, { of, change }) => {
      // Before the window that asked closes: what is done next is done to the memory as it is now, or it would be refused as changed meanwhile.
      await shownAgain(of);
      offerUndo(said(of.length, change), () => {
        const undone = inverseOf(of, change).reduce(
          (before, step) => before.then(() => changeTags(call, step.of, step.change)),
          Promise.resolve(),
        );
        undone
          .catch((error: unknown) =>
            notify('bad', `The tags were not changed back: ${reasonOf(error)}. Change them by hand.`),
          )
          .finally(() => void shownAgain(of));
      });
    },
  });
}

function said(count: number, { add, remove }: TagChange): string {
  const whose = count === 1 ? '' : ` of ${countOf(count, 'memory', 'memories')}`;
  const [only] = add;
  if (add.length === 1 && remove.length === 0)
    return count === 1 ? `Tagged “${only}”.` : `Tagged ${count} memories “${only}”.`;
  if (add.length === 0 && remove.length === 1) return `The tag “${remove[0]}”${whose} was removed.`;
  return `The tags${whose} were changed.`;
}

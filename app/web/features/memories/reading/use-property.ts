import { ApiError } from '@reverie/shared/client';
import { type Memory, setMemory } from '@reverie/shared/contract/memories/memories';
import { setProperty } from '@reverie/shared/contract/memories/properties';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../platform/daemon/api.ts';
import { notify } from '../../../platform/notices.ts';
import { refresh } from '../queries.ts';
import { findMemory } from '../writing/drafts/saving.ts';

/** What a property is given; null takes it away. */
export interface PropertyChange {
  name: string;
  value: string | number | boolean | string[] | null;
}

/** Says what was done, and offers to take it back. */
export type OfferUndo = (text: string, undo: () => void) => void;

interface Sent {
  change: PropertyChange;
  /** What the memory said when the change began. */
  base: Memory;
}

/** A change that was not stored, for the memory was changed elsewhere meanwhile; `theirs` is undefined where it was deleted. */
export interface PropertyConflict extends Sent {
  theirs: Memory | undefined;
}

/** Changes a property of a note, unless somebody else was faster, and offers to take that back. */
export function useProperty({ onDone, offerUndo }: { onDone: () => void; offerUndo: OfferUndo }) {
  const queries = useQueryClient();
  const [conflict, setConflict] = useState<PropertyConflict>();
  const changing = useMutation({
    mutationFn: async ({ change, base }: Sent) => {
      const { namespace, key, updated_at } = base;
      return call(setProperty, { body: { namespace, key, ...change, if_updated_at: updated_at } });
    },
    onSuccess: async ({ updated_at }, { change, base }) => {
      setConflict(undefined);
      await refresh(queries, [base.namespace]);
      onDone();
      // A conflict that was decided was changed from what stood there then.
      offerUndo(`“${change.name}” was ${change.value === null ? 'removed' : 'changed'}.`, () => {
        takeBack(base, updated_at)
          .catch((error: unknown) =>
            notify(
              'bad',
              `“${change.name}” was not changed back: ${error instanceof Error ? error.message : String(error)}. Change it by hand.`,
            ),
          )
          .finally(() => void refresh(queries, [base.namespace]));
      });
    },
    onError: async (error, sent) => {
      if (!(error instanceof ApiError) || !['conflict', 'memory_not_found'].includes(error.code)) return;
      setConflict({ ...sent, theirs: await findMemory(call, sent.base.namespace, sent.base.key) });
    },
  });
  return {
    change: changing.mutate,
    isBusy: changing.isPending,
    conflict,
    failure: conflict ? undefined : changing.error?.message,
    keepMine: () => {
      if (conflict?.theirs) changing.mutate({ change: conflict.change, base: conflict.theirs });
    },
    forget: () => {
      setConflict(undefined);
      changing.reset();
    },
  };
}

async function takeBack({ namespace, key, value, metadata, expires_at }: Memory, if_updated_at: string) {
  const body = { namespace, key, value, metadata, ...(expires_at !== undefined && { expires_at }) };
  await call(setMemory, { body: { ...body, if_updated_at } });
}

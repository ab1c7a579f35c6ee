import { ApiError } from '@reverie/shared/client';
import { setMemory, type Memory } from '@reverie/shared/contract/memories/memories';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import { call } from '../../../platform/daemon/api.ts';
import { wallClock } from '../../../platform/clock.ts';
import { Unfetched } from '../../../platform/queries/Fetched.tsx';
import { Button } from '../../../ui/Button.tsx';
import { Dialog, DialogActions, DialogForm } from '../../../ui/Dialog.tsx';
import { Banner } from '../../../ui/Message.tsx';
import { memoryQuery, refresh } from '../queries.ts';
import {
  checkDraft,
  draftOf,
  isChanged,
  type DraftErrors,
  type MemoryDraft,
} from '../writing/drafts/draft.ts';
import { EditorExtras } from '../writing/EditorExtras.tsx';
import { findMemory } from '../writing/drafts/saving.ts';
import type { DialogProps } from './targets.ts';

/** What is known of one memory besides its text: its tags, until when it is kept, and all metadata as JSON. */
export function DetailsDialog({ targets: [target], onDone, onClose }: DialogProps) {
  const fetched = useQuery({
    ...memoryQuery(target?.namespace ?? '', target?.key ?? ''),
    enabled: target !== undefined,
  });
  return (
    <Dialog title="Details" onClose={onClose}>
      {fetched.data ? (
        <Details memory={fetched.data} onDone={onDone} onClose={onClose} />
      ) : (
        <Unfetched of={fetched} lines={4} />
      )}
    </Dialog>
  );
}

interface DetailsProps extends Pick<DialogProps, 'onDone' | 'onClose'> {
  memory: Memory;
}

function Details({ memory, onDone, onClose }: DetailsProps) {
  const [draft, setDraft] = useState<MemoryDraft>(() => draftOf(memory));
  const [errors, setErrors] = useState<DraftErrors>({});
  const queries = useQueryClient();
  const saving = useMutation({
    mutationFn: (sent: Required<Pick<MemoryDraft, 'expires'>> & { metadata: Memory['metadata'] }) =>
      storeDetails(draft.base ?? memory, sent),
    onSuccess: async () => {
      await refresh(queries, [memory.namespace]);
      onDone();
      onClose();
    },
  });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const checked = checkDraft(draft, wallClock.now());
    if (!checked.ok) return setErrors(checked.errors);
    saving.mutate({ metadata: checked.metadata, expires: draft.expires });
  };
  return (
    <DialogForm onSubmit={submit}>
      <EditorExtras
        draft={draft}
        errors={errors}
        onChange={(part) => {
          setDraft({ ...draft, ...part });
          setErrors({});
        }}
      />
      {saving.isError && <Banner tone="bad">Not saved: {saving.error.message}</Banner>}
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" look="strong" disabled={!isChanged(draft) || saving.isPending}>
          {saving.isPending ? 'Saving…' : 'Save'}
        </Button>
      </DialogActions>
    </DialogForm>
  );
}

/** Stores other metadata and another end, with the text that the memory has by now. */
async function storeDetails(
  base: Memory,
  { metadata, expires }: { metadata: Memory['metadata']; expires: string },
): Promise<void> {
  const { namespace, key } = base;
  const now = (await findMemory(call, namespace, key)) ?? base;
  if (draftOf(now).metadata !== draftOf(base).metadata || now.expires_at !== base.expires_at)
    throw new ApiError({
      status: 409,
      code: 'conflict',
      message: 'somebody changed these details meanwhile. Close this and open it again to see them.',
    });
  const end = expires === '' ? {} : { expires_at: expires };
  await call(setMemory, {
    body: { namespace, key, value: now.value, metadata, ...end, if_updated_at: now.updated_at },
  });
}

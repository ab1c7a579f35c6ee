import type { Webhook } from '@reverie/shared/contract/events/webhooks';
import { replayDeadLetters } from '@reverie/shared/contract/events/deliveries';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import { call } from '../../platform/daemon/api.ts';
import { countOf } from '../../platform/format.ts';
import { notify } from '../../platform/notices.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog, DialogActions, DialogForm } from '../../ui/Dialog.tsx';
import { Field } from '../../ui/Field.tsx';
import { Banner } from '../../ui/Message.tsx';
import { instantOf } from './instant.ts';

interface ReplayProps {
  webhook: Webhook;
  /** The chosen dead letters; undefined for all since a time. */
  ids: readonly string[] | undefined;
  onClose: () => void;
  onDone: () => void;
}

/** Asks before dead letters are delivered again: what a receiver got once more cannot be taken back. */
export function ReplayDeadLetters({ webhook, ids, onClose, onDone }: ReplayProps) {
  const queries = useQueryClient();
  const [since, setSince] = useState('');
  const [fault, setFault] = useState<string>();
  const replay = useMutation({
    mutationFn: (what: { ids: string[] } | { since: string }) =>
      call(replayDeadLetters, { body: { ...what, webhook_id: webhook.id } }),
    onSuccess: async ({ replayed, skipped }) => {
      await queries.invalidateQueries({ queryKey: ['webhooks'] });
      const left =
        skipped === 0 ? '' : ` ${countOf(skipped, 'was', 'were')} left: the log no longer has the event.`;
      notify('good', `${countOf(replayed, 'delivery is', 'deliveries are')} under way again.${left}`);
      onDone();
    },
  });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (ids) return replay.mutate({ ids: [...ids] });
    const instant = instantOf(since);
    if (instant === undefined) setFault('Choose a day and a time.');
    else replay.mutate({ since: instant });
  };
  return (
    <Dialog
      title={
        ids ? `Replay ${countOf(ids.length, 'dead letter', 'dead letters')}?` : 'Replay everything since…'
      }
      onClose={onClose}
    >
      <DialogForm onSubmit={submit}>
        <p>
          {ids ? 'They are' : 'All dead letters since then are'} sent to <strong>{webhook.url}</strong> again,
          each with the id that it had, so that a receiver knows what it has already.
        </p>
        {!ids && (
          <Field label="Since" error={fault}>
            {(control) => (
              <input
                {...control}
                data-first
                type="datetime-local"
                value={since}
                onChange={(event) => {
                  setSince(event.target.value);
                  setFault(undefined);
                }}
              />
            )}
          </Field>
        )}
        {replay.isError && <Banner tone="bad">Nothing was replayed: {replay.error.message}</Banner>}
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="strong" disabled={replay.isPending}>
            Replay
          </Button>
        </DialogActions>
      </DialogForm>
    </Dialog>
  );
}

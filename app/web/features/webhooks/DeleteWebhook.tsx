import { deleteWebhook, type Webhook } from '@reverie/shared/contract/events/webhooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../platform/daemon/api.ts';
import { countOf } from '../../platform/format.ts';
import { notify } from '../../platform/notices.ts';
import { Confirm } from '../../ui/Confirm.tsx';

interface DeleteProps {
  webhook: Webhook;
  onClose: () => void;
  onDeleted: () => void;
}

/** Asks before a webhook is deleted: its secret is not shown to anybody, so it could not be made again. */
export function DeleteWebhook({ webhook, onClose, onDeleted }: DeleteProps) {
  const queries = useQueryClient();
  const remove = useMutation({
    mutationFn: () => call(deleteWebhook, { params: { id: webhook.id } }),
    onSuccess: async () => {
      onDeleted();
      await queries.invalidateQueries({ queryKey: ['webhooks'] });
      notify('good', 'The webhook is deleted.');
    },
  });
  return (
    <Confirm
      title="Delete this webhook?"
      act="Delete webhook"
      doing={remove}
      failed="It was not deleted"
      onClose={onClose}
    >
      <p>
        Nothing more is sent to <strong>{webhook.url}</strong>
        {webhook.pending > 0 &&
          `, and ${countOf(webhook.pending, 'delivery that waits is', 'deliveries that wait are')} cancelled`}
        . This cannot be undone; to stop it for a while, pause it.
      </p>
    </Confirm>
  );
}

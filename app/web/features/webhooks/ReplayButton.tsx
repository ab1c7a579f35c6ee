import { replayDelivery, type Delivery } from '@reverie/shared/contract/events/deliveries';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../platform/daemon/api.ts';
import { notify } from '../../platform/notices.ts';
import { Button } from '../../ui/Button.tsx';
import { Confirm } from '../../ui/Confirm.tsx';

/** Delivers an event again. Where the receiver has accepted it before, that is asked first: it cannot be taken back. */
export function ReplayButton({ delivery }: { delivery: Delivery }) {
  const queries = useQueryClient();
  const [asking, setAsking] = useState(false);
  const replay = useMutation({
    mutationFn: () => call(replayDelivery, { params: { id: delivery.id } }),
    onSuccess: () => notify('good', 'The delivery is under way again.'),
    onError: (cause) => notify('bad', `It was not replayed: ${cause.message}`),
    onSettled: () => {
      setAsking(false);
      return queries.invalidateQueries({ queryKey: ['webhooks'] });
    },
  });
  const isAccepted = delivery.status === 'delivered';
  return (
    <>
      <Button
        icon="again"
        disabled={replay.isPending}
        onClick={() => (isAccepted ? setAsking(true) : replay.mutate())}
      >
        {isAccepted ? 'Replay…' : 'Replay'}
      </Button>
      {asking && (
        <Confirm
          title="Deliver it once more?"
          keep="Cancel"
          act="Replay"
          look="strong"
          doing={replay}
          failed="It was not replayed"
          onClose={() => setAsking(false)}
        >
          <p>
            The receiver has accepted this event already. It gets it again with the same id,{' '}
            <code>{delivery.event_id}</code>, and has to know by that what it has.
          </p>
        </Confirm>
      )}
    </>
  );
}

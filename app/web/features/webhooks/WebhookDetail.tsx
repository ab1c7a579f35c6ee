import { updateWebhook, type Webhook } from '@reverie/shared/contract/events/webhooks';
import { testWebhook } from '@reverie/shared/contract/events/deliveries';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Fragment, useState } from 'react';
import { call } from '../../platform/daemon/api.ts';
import { useNow } from '../../platform/clock.ts';
import { formatCount } from '../../platform/format.ts';
import { notify } from '../../platform/notices.ts';
import { useGo } from '../../platform/place.ts';
import { Button } from '../../ui/Button.tsx';
import { Facts } from '../../ui/Facts.tsx';
import { Frame } from '../../ui/Frame.tsx';
import { Banner } from '../../ui/Message.tsx';
import { Standing } from '../../ui/Standing.tsx';
import { Time } from '../../ui/Time.tsx';
import { Attempts } from './Attempts.tsx';
import { DeleteWebhook } from './DeleteWebhook.tsx';
import { Deliveries } from './Deliveries.tsx';
import { healthOf } from './health.ts';
import { nameOf } from './naming.ts';
import type { DeliveryStatus } from './deliveries.queries.ts';
import css from './WebhookDetail.module.css';

interface DetailProps {
  webhook: Webhook;
  /** Which of its deliveries are listed, and which one is open. */
  status: DeliveryStatus | undefined;
  delivery: string | undefined;
  onClose: () => void;
}

/** One webhook: how it is doing, what can be done with it, and its deliveries. */
export function WebhookDetail({ webhook, status, delivery, onClose }: DetailProps) {
  const [deleting, setDeleting] = useState(false);
  return (
    <Frame title={nameOf(webhook)} onClose={onClose}>
      <State webhook={webhook} />
      <Actions webhook={webhook} onDelete={() => setDeleting(true)} />
      <About webhook={webhook} />
      <Deliveries webhook={webhook} status={status} open={delivery} />
      {deleting && <DeleteWebhook webhook={webhook} onClose={() => setDeleting(false)} onDeleted={onClose} />}
    </Frame>
  );
}

function State({ webhook }: { webhook: Webhook }) {
  const { tone, word, sentence } = healthOf(webhook, useNow());
  const since = webhook.status === 'disabled' ? webhook.disabled_at : webhook.failing_since;
  return (
    <div className={css['state']}>
      <Standing tone={tone} word={word}>
        {sentence}
        {since !== null && webhook.status !== 'paused' && (
          <>
            {webhook.status === 'disabled' ? ' It is off since ' : ' It has failed since '}
            <Time at={since} full />.
          </>
        )}
      </Standing>
    </div>
  );
}

function Actions({ webhook, onDelete }: { webhook: Webhook; onDelete: () => void }) {
  const go = useGo('/webhooks');
  const queries = useQueryClient();
  const turn = useTurn(webhook);
  const probe = useMutation({
    mutationFn: () => call(testWebhook, { params: { id: webhook.id } }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['webhooks'] }),
  });
  const isOn = webhook.status === 'active';
  return (
    <>
      <div className={css['actions']}>
        <Button icon="send" disabled={probe.isPending} onClick={() => probe.mutate()}>
          {probe.isPending ? 'Sending…' : 'Send a test'}
        </Button>
        <Button disabled={turn.isPending} onClick={() => turn.mutate(isOn ? 'paused' : 'active')}>
          {isOn ? 'Pause' : 'Resume'}
        </Button>
        <Button icon="edit" onClick={() => go({ mode: 'edit' })}>
          Edit
        </Button>
        <Button icon="trash" onClick={onDelete}>
          Delete…
        </Button>
      </div>
      {probe.isError && <Banner tone="bad">The test was not sent: {probe.error.message}</Banner>}
      {probe.data && (
        <section aria-label="What came of the test" className={css['test']} aria-live="polite">
          <h3>What came of the test</h3>
          <Attempts delivery={probe.data} />
        </section>
      )}
    </>
  );
}

/** Pauses or resumes; both can be taken back at once. */
function useTurn(webhook: Webhook) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (status: 'active' | 'paused') =>
      call(updateWebhook, { params: { id: webhook.id }, body: { status } }),
    onSuccess: async (_webhook, status) => {
      await queries.invalidateQueries({ queryKey: ['webhooks'] });
      const back = status === 'active' ? 'paused' : 'active';
      const undo = async () => {
        try {
          await call(updateWebhook, { params: { id: webhook.id }, body: { status: back } });
        } catch (error) {
          notify(
            'bad',
            `That could not be undone: ${error instanceof Error ? error.message : String(error)}`,
          );
        }
        await queries.invalidateQueries({ queryKey: ['webhooks'] });
      };
      notify('good', status === 'active' ? 'The webhook is resumed.' : 'The webhook is paused.', {
        label: 'Undo',
        run: () => void undo(),
      });
    },
    onError: (error) => notify('bad', `The webhook was not changed: ${error.message}`),
  });
}

function About({ webhook }: { webhook: Webhook }) {
  return (
    <div className={css['about']}>
      <Facts
        rows={[
          ['Goes to', <bdi>{webhook.url}</bdi>],
          [
            'Events',
            webhook.events.map((pattern, at) => (
              <Fragment key={pattern}>
                {at > 0 && ', '}
                {pattern === '*' ? 'everything' : <code>{pattern}</code>}
              </Fragment>
            )),
          ],
          [
            'Delivered',
            `${webhook.ordered ? 'strictly in order' : 'as they come'}, ${formatCount(webhook.rate_per_s)} a second at most, ${
              webhook.origins === 'all' ? 'changes of all devices' : 'changes of this machine'
            }${webhook.allow_private_network ? ', also to private networks' : ''}`,
          ],
          [
            'Last delivery',
            webhook.last_delivery_at === null ? 'none yet' : <Time at={webhook.last_delivery_at} full />,
          ],
          ['Waiting', formatCount(webhook.pending)],
          ['Dead letters', formatCount(webhook.dead_letters)],
        ]}
      />
    </div>
  );
}

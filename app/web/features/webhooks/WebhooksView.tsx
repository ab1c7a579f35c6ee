import type { Webhook } from '@reverie/shared/contract/events/webhooks';
import { deliveryStatuses } from '@reverie/shared/contract/events/deliveries';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useNow } from '../../platform/clock.ts';
import { Fetched } from '../../platform/queries/Fetched.tsx';
import { countOf } from '../../platform/format.ts';
import { useGo, usePlace } from '../../platform/place.ts';
import { useShortcuts } from '../../platform/shortcuts.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Button, IconButton } from '../../ui/Button.tsx';
import { Frame } from '../../ui/Frame.tsx';
import { Message, OwnerOnly } from '../../ui/Message.tsx';
import { NothingOpen, Row, Rows, RowsHead } from '../../ui/lists/Rows.tsx';
import { Split, SplitBody } from '../../ui/lists/Split.tsx';
import { Time } from '../../ui/Time.tsx';
import { healthOf } from './health.ts';
import { nameOf } from './naming.ts';
import { watchedWebhooksQuery } from './queries.ts';
import { WebhookDetail } from './WebhookDetail.tsx';
import { WebhookForm } from './WebhookForm.tsx';

/** The webhooks of the machine's account: whether they work, and what became of each delivery. */
export default function WebhooksView({ isOwner }: { isOwner: boolean }) {
  const webhooks = useQuery({ ...watchedWebhooksQuery, enabled: isOwner });
  const { data } = webhooks;
  const place = usePlace();
  const go = useGo('/webhooks');
  const close = () => go({ webhook: undefined, mode: undefined, status: undefined, delivery: undefined });
  const begin = () => go({ mode: 'new', webhook: undefined });
  const isOpen = place.webhook !== undefined || place.mode === 'new';
  const move = (step: number) => {
    const at = data?.findIndex(({ id }) => id === place.webhook) ?? -1;
    const to = data?.[Math.min(data.length - 1, Math.max(0, at + step))];
    if (to && place.mode === undefined)
      go({ webhook: to.id, status: undefined, delivery: undefined }, { replace: isOpen });
  };
  useEffect(() => {
    document.title = 'Webhooks · Reverie';
  }, []);
  useShortcuts({
    j: () => move(1),
    k: () => move(-1),
    n: () => isOwner && begin(),
    Escape: () => (place.mode === 'edit' ? go({ mode: undefined }) : isOpen && close()),
  });
  if (!isOwner) return <OwnerOnly title="Only the owner may look after webhooks" />;
  return (
    <Split
      labels={['Webhooks', 'Open webhook']}
      isOpen={isOpen}
      isAlone={data?.length === 0}
      tools={
        <RowsHead title="Webhooks">
          <IconButton icon="plus" look="strong" label="New webhook" shortcut="n" onClick={begin} />
        </RowsHead>
      }
      list={
        <SplitBody>
          <Fetched of={webhooks} lines={6}>
            {(all) => <WebhookList all={all} />}
          </Fetched>
        </SplitBody>
      }
      detail={<OpenWebhook all={data} onClose={close} />}
    />
  );
}

function WebhookList({ all }: { all: readonly Webhook[] }) {
  const place = usePlace();
  const go = useGo('/webhooks');
  if (all.length === 0) return <Empty onNew={() => go({ mode: 'new' })} />;
  return (
    <Rows>
      {all.map((webhook) => (
        <WebhookRow
          key={webhook.id}
          webhook={webhook}
          isOpen={webhook.id === place.webhook}
          onOpen={() => go({ webhook: webhook.id, mode: undefined, status: undefined, delivery: undefined })}
        />
      ))}
    </Rows>
  );
}

/** What is open beside the list: a new webhook, one to be changed or looked at, or what to do. */
function OpenWebhook({ all, onClose }: { all: readonly Webhook[] | undefined; onClose: () => void }) {
  const place = usePlace();
  const go = useGo('/webhooks');
  const open = all?.find(({ id }) => id === place.webhook);
  if (place.mode === 'new')
    return (
      <Frame title="New webhook" onClose={onClose}>
        <WebhookForm
          onSaved={(id) => go({ webhook: id, mode: undefined }, { replace: true })}
          onCancel={onClose}
        />
      </Frame>
    );
  if (open && place.mode === 'edit')
    return (
      <Frame title={nameOf(open)} onClose={onClose}>
        <WebhookForm
          key={open.id}
          webhook={open}
          onSaved={() => go({ mode: undefined }, { replace: true })}
          onCancel={() => go({ mode: undefined })}
        />
      </Frame>
    );
  if (open)
    return (
      <WebhookDetail
        key={open.id}
        webhook={open}
        status={deliveryStatuses.find((one) => one === place.status)}
        delivery={place.delivery}
        onClose={onClose}
      />
    );
  if (place.webhook !== undefined && all)
    return (
      <Frame title="Webhook" onClose={onClose}>
        <Message icon="search" title="This webhook does not exist">
          <p>It may have been deleted.</p>
          <Button onClick={onClose}>Back to the list</Button>
        </Message>
      </Frame>
    );
  return (
    <NothingOpen>
      {all && all.length > 0 && <Message icon="hook" title="Choose a webhook to see its deliveries" />}
    </NothingOpen>
  );
}

function Empty({ onNew }: { onNew: () => void }) {
  return (
    <Message icon="hook" title="No webhooks yet">
      <p>
        A webhook tells another program of every change: signed, in order, and again until it arrives. What
        could not be delivered is kept, and can be sent again.
      </p>
      <Button icon="plus" look="strong" onClick={onNew}>
        Register your first webhook
      </Button>
    </Message>
  );
}

interface RowProps {
  webhook: Webhook;
  isOpen: boolean;
  onOpen: () => void;
}

function WebhookRow({ webhook, isOpen, onOpen }: RowProps) {
  const { tone, word } = healthOf(webhook, useNow());
  const { dead_letters, description, url } = webhook;
  return (
    <Row
      name={nameOf(webhook)}
      badge={<Badge tone={tone}>{word}</Badge>}
      isOpen={isOpen}
      onOpen={onOpen}
      more={
        <>
          {description.trim() !== '' && <bdi>{new URL(url).host} · </bdi>}
          <Lately of={webhook} />
          {dead_letters > 0 && ` · ${countOf(dead_letters, 'dead letter', 'dead letters')}`}
        </>
      }
    />
  );
}

/** Since when something waits, else when something was delivered. */
function Lately({ of: { pending, oldest_pending: oldest, last_delivery_at: last } }: { of: Webhook }) {
  if (oldest && pending > 0)
    return (
      <>
        {countOf(pending, 'waits', 'wait')}, the oldest from <Time at={oldest.since} />
      </>
    );
  if (last === null) return 'nothing delivered yet';
  return (
    <>
      last delivery <Time at={last} />
    </>
  );
}

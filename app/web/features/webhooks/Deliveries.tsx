import type { Webhook } from '@reverie/shared/contract/events/webhooks';
import { deliveryStatuses, type Delivery } from '@reverie/shared/contract/events/deliveries';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Fetched, Unfetched } from '../../platform/queries/Fetched.tsx';
import { countOf } from '../../platform/format.ts';
import { useGo } from '../../platform/place.ts';
import { Button } from '../../ui/Button.tsx';
import { Disclosure, Disclosures } from '../../ui/lists/Disclosure.tsx';
import { Message } from '../../ui/Message.tsx';
import { Time } from '../../ui/Time.tsx';
import { Attempts } from './Attempts.tsx';
import { Badge } from '../../ui/Badge.tsx';
import css from './Deliveries.module.css';
import { canReplay, deliveryTone, deliveryWord, errorWords } from './health.ts';
import { deliveriesQuery, deliveryQuery, type DeliveryStatus } from './deliveries.queries.ts';
import { ReplayButton } from './ReplayButton.tsx';
import { ReplayDeadLetters } from './ReplayDeadLetters.tsx';

const LABEL: Readonly<Record<DeliveryStatus, string>> = {
  pending: 'Waiting',
  delivered: 'Delivered',
  dead: 'Dead letters',
  cancelled: 'Cancelled',
};

interface DeliveriesProps {
  webhook: Webhook;
  status: DeliveryStatus | undefined;
  /** The delivery whose attempts are shown. */
  open: string | undefined;
}

/** The delivery log of a webhook; its dead letters can be chosen and replayed. */
export function Deliveries({ webhook, status, open }: DeliveriesProps) {
  const go = useGo('/webhooks');
  const log = useInfiniteQuery(deliveriesQuery(webhook.id, status));
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [replaying, setReplaying] = useState<'chosen' | 'since'>();
  const rows = log.data?.pages.flatMap(({ deliveries }) => deliveries) ?? [];
  // What was replayed meanwhile is no dead letter any more.
  const picked = chosen.filter((id) => rows.some((row) => row.id === id && isDead(row)));
  return (
    <section aria-label="Deliveries" className={css['section']}>
      <div className={css['head']}>
        <h3>Deliveries</h3>
        <select
          aria-label="Which deliveries"
          value={status ?? ''}
          onChange={({ target }) =>
            go(
              { status: target.value === '' ? undefined : target.value, delivery: undefined },
              { replace: true },
            )
          }
        >
          <option value="">All</option>
          {deliveryStatuses.map((one) => (
            <option key={one} value={one}>
              {LABEL[one]}
            </option>
          ))}
        </select>
      </div>
      {(webhook.dead_letters > 0 || picked.length > 0) && (
        <div className={css['tools']}>
          <Button icon="again" disabled={picked.length === 0} onClick={() => setReplaying('chosen')}>
            {picked.length === 0 ? 'Replay chosen' : `Replay ${picked.length} chosen`}
          </Button>
          <Button onClick={() => setReplaying('since')}>Replay everything since…</Button>
          <Button
            look="quiet"
            onClick={() => setChosen(picked.length > 0 ? [] : rows.filter(isDead).map(({ id }) => id))}
          >
            {picked.length > 0 ? 'Choose none' : 'Choose all shown'}
          </Button>
        </div>
      )}
      <Fetched of={log} lines={4}>
        {() =>
          rows.length === 0 ? (
            <None status={status} />
          ) : (
            <Disclosures label="Deliveries, newest first">
              {rows.map((row) => (
                <Row
                  key={row.id}
                  row={row}
                  isOpen={row.id === open}
                  onToggle={() => go({ delivery: row.id === open ? undefined : row.id }, { replace: true })}
                  isChosen={picked.includes(row.id)}
                  onChoose={(isOn) =>
                    setChosen(isOn ? [...picked, row.id] : picked.filter((id) => id !== row.id))
                  }
                />
              ))}
            </Disclosures>
          )
        }
      </Fetched>
      {log.hasNextPage && (
        <Button disabled={log.isFetchingNextPage} onClick={() => void log.fetchNextPage()}>
          Show older ones
        </Button>
      )}
      {replaying && (
        <ReplayDeadLetters
          webhook={webhook}
          ids={replaying === 'chosen' ? picked : undefined}
          onClose={() => setReplaying(undefined)}
          onDone={() => {
            setReplaying(undefined);
            setChosen([]);
          }}
        />
      )}
    </section>
  );
}

/** A test is not replayed, so it is no dead letter to choose. */
function isDead({ status, test }: Delivery): boolean {
  return status === 'dead' && !test;
}

function None({ status }: { status: DeliveryStatus | undefined }) {
  const go = useGo('/webhooks');
  if (status !== undefined)
    return (
      <Message title="None of these">
        <Button onClick={() => go({ status: undefined }, { replace: true })}>Show all deliveries</Button>
      </Message>
    );
  return (
    <Message title="Nothing was delivered yet">
      <p>“Send a test” above sends one at once; each change that fits is delivered by itself.</p>
    </Message>
  );
}

interface RowProps {
  row: Delivery;
  isOpen: boolean;
  onToggle: () => void;
  isChosen: boolean;
  onChoose: (isOn: boolean) => void;
}

function Row({ row, isOpen, onToggle, isChosen, onChoose }: RowProps) {
  return (
    <Disclosure
      before={
        isDead(row) && (
          <input
            type="checkbox"
            aria-label={`Choose ${row.event} ${row.seq ?? ''}`}
            checked={isChosen}
            onChange={(event) => onChoose(event.target.checked)}
          />
        )
      }
      line={
        <>
          <Badge tone={deliveryTone(row)}>{deliveryWord(row)}</Badge> <code>{row.event}</code>
        </>
      }
      more={
        <>
          {!row.test && <bdi>{row.namespace} · </bdi>}
          {row.seq !== null && `event ${row.seq} · `}
          {countOf(row.attempts, 'attempt', 'attempts')}
          {row.last_error === null && row.last_status !== null && ` · ${row.last_status}`}
          {row.last_error !== null && ` · ${errorWords(row.last_error)}`}
        </>
      }
      aside={<Time at={row.created_at} />}
      isOpen={isOpen}
      onToggle={onToggle}
    >
      <Open row={row} />
    </Disclosure>
  );
}

function Open({ row }: { row: Delivery }) {
  const delivery = useQuery(deliveryQuery(row.id));
  if (!delivery.data) return <Unfetched of={delivery} lines={2} />;
  return (
    <>
      <Attempts delivery={delivery.data} />
      {canReplay(delivery.data) && <ReplayButton delivery={delivery.data} />}
    </>
  );
}

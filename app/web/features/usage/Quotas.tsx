import { usage, type Quota, type Usage } from '@reverie/shared/contract/accounts/accounts';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { call, callInside } from '../../platform/daemon/api.ts';
import { Unfetched } from '../../platform/queries/Fetched.tsx';
import { formatBytes, formatCount } from '../../platform/format.ts';
import { Meter } from '../../ui/Meter.tsx';
import { Time } from '../../ui/Time.tsx';
import css from './Quotas.module.css';

function usageQuery(account: string | undefined) {
  return queryOptions({
    queryKey: ['usage', account ?? 'own'],
    queryFn: ({ signal }) => (account === undefined ? call : callInside(account))(usage, {}, { signal }),
    refetchInterval: LOOK_EVERY_MS,
  });
}

/** Requests are no events, so they are counted by looking again. */
const LOOK_EVERY_MS = 10_000;

/** What an account may still do, as bars; the session's own where none is named. */
export function Quotas({ account }: { account?: string }) {
  const usage = useQuery(usageQuery(account));
  if (!usage.data) return <Unfetched of={usage} lines={4} />;
  return <QuotaBars of={usage.data} />;
}

/** The quotas of an account. */
function QuotaBars({ of: data }: { of: Usage }) {
  return (
    <section className={css['quotas']} aria-label="Limits">
      <h2>Limits</h2>
      <QuotaMeter label="Requests today" of={data.requests} />
      <QuotaMeter label="Looked up this month" of={data.recalls} />
      <QuotaMeter label="Memories stored this month" of={data.stores} />
      <Meter
        label="Storage"
        used={data.storage.bytes}
        limit={data.storage.limit}
        words={
          data.storage.limit === null
            ? formatBytes(data.storage.bytes)
            : `${formatBytes(data.storage.bytes)} of ${formatBytes(data.storage.limit)}`
        }
      />
      {data.expires_at !== null && (
        <p>
          The account is {data.status}: its keys stop <Time at={data.expires_at} full /> unless its e-mail
          address is confirmed.
        </p>
      )}
    </section>
  );
}

function QuotaMeter({ label, of: quota }: { label: string; of: Quota }) {
  const isUsedUp = quota.remaining === 0;
  return (
    <Meter
      label={label}
      used={quota.used}
      limit={quota.limit}
      words={
        quota.limit === null
          ? `${formatCount(quota.used)}, no limit`
          : `${formatCount(quota.used)} of ${formatCount(quota.limit)}`
      }
      note={
        quota.limit !== null &&
        quota.used > 0 && (
          <>
            {isUsedUp ? 'Used up; starts again ' : 'Starts again '}
            <Time at={quota.resets_at} />
          </>
        )
      }
    />
  );
}

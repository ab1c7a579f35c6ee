import { appInsights } from '@reverie/shared/contract/app-tools';
import { countOf } from '../platform/format.ts';
import { Button } from '../ui/Button.tsx';
import { Skeleton } from '../ui/Message.tsx';
import type { Call } from './calling.ts';
import { Failed } from './Failed.tsx';
import css from './InChat.module.css';
import { Proposal } from './Proposal.tsx';
import { useLoaded } from './use-loaded.ts';

interface ProposalsProps {
  namespace: string | undefined;
  /** The dream that is looked at, if one is. */
  dream: string | undefined;
  call: Call;
  /** Whether it stands beside what was found: then it is closed, and missing where there is nothing to decide. */
  isBeside: boolean;
}

/** What dreams propose, for the person to decide on. */
export function Proposals({ namespace, dream, call, isBeside }: ProposalsProps) {
  const [loaded, again] = useLoaded(() => call(appInsights, { namespace, dream }));
  if (loaded.kind === 'loading') return isBeside ? null : <Skeleton lines={4} />;
  if (loaded.kind === 'failed') return <Failed why={loaded.why} onAgain={again} />;
  const { insights, next } = loaded.value;
  if (insights.length === 0 && isBeside) return null;
  const waiting = `${countOf(insights.length, 'proposal', 'proposals')}${next === null ? '' : ' and more'}`;
  const list = (
    <ul role="list" className={css['list']}>
      {insights.map((insight) => (
        <Proposal key={insight.id} proposed={insight} call={call} />
      ))}
    </ul>
  );
  return isBeside ? (
    <details className={css['beside']}>
      <summary>{waiting} to decide on</summary>
      {list}
    </details>
  ) : (
    <section aria-labelledby="proposed" className={css['part']}>
      <h1 id="proposed" className={css['head']}>
        {insights.length === 0 ? 'Nothing to decide' : `${waiting} to decide on`}
      </h1>
      {insights.length === 0 ? (
        <p className={css['soft']}>What a dream notices is shown here. It changes nothing: it proposes.</p>
      ) : (
        list
      )}
      {next !== null && (
        <p>
          <Button onClick={again}>Show the next</Button>
        </p>
      )}
    </section>
  );
}

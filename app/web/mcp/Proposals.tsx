import { appInsights } from '@reverie/shared/contract/agents/app-tools';
import { countOf } from '../platform/format.ts';
import { Button } from '../ui/Button.tsx';
import { Skeleton } from '../ui/Message.tsx';
import type { CallTool } from './calling.ts';
import { Failed } from './Failed.tsx';
import css from './InChat.module.css';
import { Proposal } from './Proposal.tsx';
import { useLoaded } from './use-loaded.ts';

interface ProposalsProps {
  namespace: string | undefined;
  /** The dream that is looked at, if one is. */
  dream: string | undefined;
  call: CallTool;
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
  const list = (
    <>
      <ul role="list" className={css['list']}>
        {insights.map((insight) => (
          <Proposal key={insight.id} proposed={insight} call={call} />
        ))}
      </ul>
      {next !== null && (
        <p className={css['choices']}>
          <span className={css['soft']}>There are more. Decide on some of these, and they come up.</span>
          <Button onClick={again}>Show what is left</Button>
        </p>
      )}
    </>
  );
  const words = `${countOf(insights.length, 'proposal', 'proposals')} of dreams`;
  if (isBeside)
    return (
      <details className={css['beside']}>
        <summary>{words}</summary>
        {list}
      </details>
    );
  return (
    <section aria-labelledby="proposed" className={css['part']}>
      <h1 id="proposed" className={css['head']}>
        {insights.length === 0 ? 'Nothing to decide' : words}
      </h1>
      {insights.length === 0 ? (
        <p className={css['soft']}>What a dream notices is shown here. It changes nothing: it proposes.</p>
      ) : (
        list
      )}
    </section>
  );
}

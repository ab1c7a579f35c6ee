import type { Insight } from '@reverie/shared/contract/dreams';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Trouble } from '../../platform/Trouble.tsx';
import { Badge, type Tone } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { DiffView } from '../../ui/DiffView.tsx';
import { Frame } from '../../ui/Frame.tsx';
import { Banner, Skeleton } from '../../ui/Message.tsx';
import { Time } from '../../ui/Time.tsx';
import type { Decision } from './deciding.ts';
import { Disagreement } from './Disagreement.tsx';
import css from './InsightDetail.module.css';
import { evidenceQuery, insightQuery } from './queries.ts';
import { changeWords } from './words.ts';

interface DetailProps {
  id: string;
  canWrite: boolean;
  isBusy: boolean;
  onDecide: (insight: Insight, decision: Decision) => void;
  onClose: () => void;
}

const TONES: Readonly<Record<Insight['status'], Tone>> = {
  proposed: 'accent',
  accepted: 'good',
  rejected: 'plain',
};

/** One insight as a card: what it says, what it rests on side by side, what accepting changes, and the decision. */
export function InsightDetail({ id, canWrite, isBusy, onDecide, onClose }: DetailProps) {
  const { data: insight, error, isError, refetch } = useQuery(insightQuery(id));
  if (!insight)
    return (
      <Frame title="Insight" onClose={onClose}>
        {isError ? <Trouble error={error} retry={() => void refetch()} /> : <Skeleton lines={8} />}
      </Frame>
    );
  const isPair = isDisagreement(insight);
  return (
    <Frame title={insight.title} onClose={onClose}>
      <div className={css['parts']}>
        <p className={css['state']}>
          <Badge tone={TONES[insight.status]}>{insight.status}</Badge>
          <span>
            {insight.heading} · {Math.round(insight.confidence * 100)} % sure ·{' '}
            <Time at={insight.created_at} />
          </span>
        </p>
        {insight.stale.length > 0 && (
          <Banner tone="warn">
            Since it was accepted, {insight.stale.join(', ')} {insight.stale.length === 1 ? 'was' : 'were'}{' '}
            changed or deleted: what it says may no longer hold.
          </Banner>
        )}
        <p className={css['body']} dir="auto">
          {insight.body}
        </p>
        {isPair && (
          <Disagreement
            insight={insight}
            change={insight.change}
            onKeep={
              canWrite && insight.status === 'proposed' && !isBusy
                ? (keep) => onDecide(insight, { to: 'accept', keep })
                : undefined
            }
          />
        )}
        {canWrite && (
          <div className={css['actions']}>
            {insight.status === 'proposed' ? (
              <>
                {isPair ? (
                  <Button disabled={isBusy} onClick={() => onDecide(insight, { to: 'accept', keep: 'both' })}>
                    Keep both
                  </Button>
                ) : (
                  <Button
                    look="strong"
                    icon="check"
                    disabled={isBusy}
                    onClick={() => onDecide(insight, { to: 'accept' })}
                  >
                    Accept <kbd>a</kbd>
                  </Button>
                )}
                <Button icon="close" disabled={isBusy} onClick={() => onDecide(insight, { to: 'reject' })}>
                  Reject <kbd>r</kbd>
                </Button>
              </>
            ) : (
              <Button icon="history" disabled={isBusy} onClick={() => onDecide(insight, { to: 'undo' })}>
                Undo <kbd>u</kbd>
              </Button>
            )}
          </div>
        )}
        {insight.status === 'proposed' && <p className={css['soft']}>{changeWords(insight)}</p>}
        {!isPair && <Evidence insight={insight} />}
        <ChangeDiff insight={insight} />
      </div>
    </Frame>
  );
}

type Disagreeing = Insight & { change: Parameters<typeof Disagreement>[0]['change'] };

function isDisagreement(insight: Insight): insight is Disagreeing {
  return insight.change?.kind === 'disagree';
}

function Evidence({ insight: { namespace, sources } }: { insight: Insight }) {
  return (
    <section aria-label="Evidence">
      <h3>What it rests on</h3>
      <ul className={css['evidence']} data-pair={sources.length === 2} role="list">
        {sources.map(({ key, sentence }, at) => (
          <li key={`${at} ${key}`}>
            <Link to="/memories" search={{ namespace, key }} className={css['key']}>
              <bdi>{key}</bdi>
            </Link>
            <blockquote dir="auto">{sentence}</blockquote>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** What a merge would hide against what it keeps, or what an update would change. */
function ChangeDiff({ insight: { change, namespace } }: { insight: Insight }) {
  if (change?.kind === 'update')
    return (
      <section aria-label="What would change">
        <h3>
          What would change in <bdi>{change.key}</bdi>
        </h3>
        <Against namespace={namespace} before={change.key} after={{ text: change.value }} />
      </section>
    );
  if (change?.kind !== 'merge') return null;
  return (
    <section aria-label="What would be hidden">
      {change.hide.map((key) => (
        <div key={key}>
          <h3>
            <bdi>{key}</bdi> against <bdi>{change.keep}</bdi>, which stays
          </h3>
          <Against namespace={namespace} before={key} after={{ key: change.keep }} />
        </div>
      ))}
    </section>
  );
}

interface AgainstProps {
  namespace: string;
  /** The key of the text on the left. */
  before: string;
  after: { key: string } | { text: string };
}

function Against({ namespace, before, after }: AgainstProps) {
  const left = useQuery(evidenceQuery(namespace, before));
  const right = useQuery({
    ...evidenceQuery(namespace, 'key' in after ? after.key : before),
    enabled: 'key' in after,
  });
  const text = 'text' in after ? after.text : right.data?.value;
  if (left.isError || right.isError) return <p className={css['soft']}>One of them is not there any more.</p>;
  if (!left.data || text === undefined) return <Skeleton lines={3} />;
  return <DiffView before={left.data.value} after={text} />;
}

import type { Insight } from '@reverie/shared/contract/dreams';
import { useQuery } from '@tanstack/react-query';
import { Unfetched } from '../../platform/Fetched.tsx';
import { formatDate } from '../../platform/format.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Button, IconButton } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Marked } from '../../ui/Marked.tsx';
import type { MarkedText } from '../../ui/marked.ts';
import { Banner } from '../../ui/Message.tsx';
import { Time } from '../../ui/Time.tsx';
import type { InsightDecision } from './deciding.ts';
import { differing, sentenceOf, titleMarks } from './differing.ts';
import css from './InsightDetail.module.css';
import { insightQuery } from './queries.ts';
import { Sheets } from './Sheets.tsx';
import { changeWords, choicesOf } from './words.ts';

interface DetailProps {
  id: string;
  canWrite: boolean;
  isBusy: boolean;
  onDecide: (insight: Insight, decision: InsightDecision) => void;
  /** Undefined where there is no list to go back to. */
  onClose?: () => void;
}

/** One proposal on the desk, large: what it says, what it rests on side by side, and the decision. */
export function InsightDetail({ id, canWrite, isBusy, onDecide, onClose }: DetailProps) {
  const fetched = useQuery(insightQuery(id));
  if (!fetched.data) return <Unfetched of={fetched} lines={8} />;
  const { data: insight } = fetched;
  return (
    <article className={css['desk']} aria-label={insight.title}>
      <div className={css['read']}>
        <p className={css['kind']}>
          {onClose && (
            <IconButton icon="back" label="Back to the list" onClick={onClose} className={css['back']} />
          )}
          <Icon name={insight.due_on === null ? 'moon' : 'today'} />
          {insight.heading}
          {insight.status !== 'proposed' && (
            <Badge tone={insight.status === 'accepted' ? 'good' : 'plain'}>{insight.status}</Badge>
          )}
        </p>
        <h2 className={css['title']} dir="auto">
          <Marked {...titleOf(insight)} />
        </h2>
        <p className={css['why']} dir="auto">
          {insight.due_on !== null && <strong>{formatDate(insight.due_on)}. </strong>}
          {bodyOf(insight)}
        </p>
        {insight.stale.length > 0 && (
          <Banner tone="warn">
            Since it was accepted, {insight.stale.join(', ')} {insight.stale.length === 1 ? 'was' : 'were'}{' '}
            changed or deleted: what it says may no longer hold.
          </Banner>
        )}
        <Sheets insight={insight} />
        <p className={css['soft']}>
          {insight.status === 'proposed' && `${changeWords(insight)} `}
          Found in {insight.namespace} <Time at={insight.created_at} />,{' '}
          {Math.round(insight.confidence * 100)} % sure.
        </p>
      </div>
      {canWrite && <Choices insight={insight} isBusy={isBusy} onDecide={onDecide} />}
    </article>
  );
}

/** Why it was proposed; of two that disagree not their words again, which stand below. */
function bodyOf({ body, change }: Insight): string {
  return change?.kind === 'disagree' ? (body.split('\n\n')[0] ?? body) : body;
}

/** The title, with the words marked in which the two notes differ that it is about. */
function titleOf(insight: Insight): MarkedText {
  const { change, title } = insight;
  if (change?.kind !== 'disagree') return { text: title, marks: [] };
  return titleMarks(
    title,
    differing(sentenceOf(insight, change.older.key), sentenceOf(insight, change.newer.key)),
  );
}

/** What can be decided, each with its key; in a narrow window below everything, where a thumb is. */
function Choices({
  insight,
  isBusy,
  onDecide,
}: Pick<DetailProps, 'isBusy' | 'onDecide'> & { insight: Insight }) {
  const decide = (decision: InsightDecision) => onDecide(insight, decision);
  if (insight.status !== 'proposed')
    return (
      <footer className={css['choices']}>
        <Button icon="history" disabled={isBusy} onClick={() => decide({ to: 'undo' })}>
          Undo <kbd>z</kbd>
        </Button>
      </footer>
    );
  const { accept, reject } = choicesOf(insight);
  const isPair = insight.change?.kind === 'disagree';
  return (
    <footer className={css['choices']}>
      <Button
        look="strong"
        disabled={isBusy}
        onClick={() => decide(isPair ? { to: 'accept', keep: 'newer' } : { to: 'accept' })}
      >
        {accept} <kbd>a</kbd>
      </Button>
      {isPair && (
        <>
          <Button disabled={isBusy} onClick={() => decide({ to: 'accept', keep: 'older' })}>
            <span>
              <span className={css['long']}>Keep the </span>older
            </span>
            <kbd>o</kbd>
          </Button>
          <Button disabled={isBusy} onClick={() => decide({ to: 'accept', keep: 'both' })}>
            <span>
              Both<span className={css['long']}> hold</span>
            </span>
            <kbd>b</kbd>
          </Button>
        </>
      )}
      <Button look="quiet" className={css['last']} disabled={isBusy} onClick={() => decide({ to: 'reject' })}>
        {reject} <kbd>r</kbd>
      </Button>
    </footer>
  );
}

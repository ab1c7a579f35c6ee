import type { Insight } from '@reverie/shared/contract/dreams/dreams';
import { useQuery } from '@tanstack/react-query';
import { useNow } from '../../platform/clock.ts';
import { Unfetched } from '../../platform/queries/Fetched.tsx';
import { formatDate } from '../../platform/format.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Button, IconButton } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Marked } from '../../ui/text/Marked.tsx';
import type { MarkedText } from '../../ui/text/marked.ts';
import { Banner } from '../../ui/Message.tsx';
import { Time } from '../../ui/Time.tsx';
import type { InsightDecision } from './deciding.ts';
import { differing, sentenceOf, titleMarks } from './differing.ts';
import css from './InsightDetail.module.css';
import { daysUntil, nearness } from './due.ts';
import { insightQuery, isSnoozed } from './queries.ts';
import { isTitleBelow } from './said-once.ts';
import { Sheets } from './Sheets.tsx';
import { changeWords, choicesOf } from './words.ts';

interface DetailProps {
  id: string;
  canWrite: boolean;
  isBusy: boolean;
  onDecide: (insight: Insight, decision: InsightDecision) => void;
  /** Asks until when it is put off. */
  onSnooze: (insight: Insight) => void;
  /** Undefined where there is no list to go back to. */
  onClose?: () => void;
}

/** One proposal on the desk, large: what it says, what it rests on side by side, and the decision. */
export function InsightDetail({ id, canWrite, isBusy, onDecide, onSnooze, onClose }: DetailProps) {
  const now = useNow();
  const fetched = useQuery(insightQuery(id));
  if (!fetched.data) return <Unfetched of={fetched} lines={8} />;
  const { data: insight } = fetched;
  const { body, due_on, snoozed_until, status } = insight;
  return (
    <article className={css['desk']} aria-label={insight.title}>
      <div className={css['read']}>
        <p className={css['kind']}>
          {onClose && (
            <IconButton icon="back" label="Back to the list" onClick={onClose} className={css['back']} />
          )}
          <Icon name={due_on === null ? 'moon' : 'today'} />
          {insight.heading}
          {status !== 'proposed' && <Badge tone={status === 'accepted' ? 'good' : 'plain'}>{status}</Badge>}
          {status === 'proposed' && snoozed_until !== null && isSnoozed(insight, now) && (
            <Badge tone="plain">{`until ${formatDate(snoozed_until)}`}</Badge>
          )}
        </p>
        <h2 className={isTitleBelow(insight) ? 'sr-only' : css['title']} dir="auto">
          <Marked {...titleOf(insight)} />
        </h2>
        {due_on !== null && (
          <p className={css['due']}>
            <strong>{nearness(daysUntil(due_on, now)).said}</strong>, {formatDate(due_on)}
          </p>
        )}
        {body !== '' && (
          <p className={css['why']} dir="auto">
            {body}
          </p>
        )}
        {insight.stale.length > 0 && (
          <Banner tone="warn">
            Since it was accepted, {insight.stale.join(', ')} {insight.stale.length === 1 ? 'was' : 'were'}{' '}
            changed or deleted: what it says may no longer hold.
          </Banner>
        )}
        <Sheets insight={insight} />
        <p className={css['soft']}>
          {insight.status === 'proposed' && `${changeWords(insight)} `}
          Found in <bdi>{insight.namespace}</bdi> <Time at={insight.created_at} />.
        </p>
      </div>
      {canWrite && <Choices insight={insight} isBusy={isBusy} onDecide={onDecide} onSnooze={onSnooze} />}
    </article>
  );
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
  onSnooze,
}: Pick<DetailProps, 'isBusy' | 'onDecide' | 'onSnooze'> & { insight: Insight }) {
  const now = useNow();
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
    <footer className={css['choices']} data-pair={isPair}>
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
      <span className={css['gap']} />
      {isSnoozed(insight, now) ? (
        <Button icon="history" disabled={isBusy} onClick={() => decide({ to: 'wake' })}>
          Bring it back <kbd>z</kbd>
        </Button>
      ) : (
        <Button icon="clock" disabled={isBusy} onClick={() => onSnooze(insight)}>
          Later <kbd>s</kbd>
        </Button>
      )}
      <Button look="quiet" disabled={isBusy} onClick={() => decide({ to: 'reject' })}>
        {reject} <kbd>r</kbd>
      </Button>
    </footer>
  );
}

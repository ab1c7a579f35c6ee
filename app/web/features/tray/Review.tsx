import type { Insight } from '@reverie/shared/contract/dreams/dreams';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Unfetched } from '../../platform/queries/Fetched.tsx';
import { formatCount } from '../../platform/format.ts';
import { useShortcuts } from '../../platform/shortcuts.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { Message } from '../../ui/Message.tsx';
import { backOf, type InsightDecision, useDecide } from '../dreams/deciding.ts';
import { InsightDetail } from '../dreams/InsightDetail.tsx';
import { allWaitingQuery } from '../dreams/queries.ts';
import { SnoozeDialog } from '../dreams/SnoozeDialog.tsx';
import css from './TrayView.module.css';
import type { TrayTarget } from './target.ts';

interface ReviewProps {
  canWrite: boolean;
  onOpen: (target: TrayTarget) => void;
}

/** What dreams propose, one at a time: decided, or left for later, and the next comes. */
export function Review({ canWrite, onOpen }: ReviewProps) {
  const proposals = useQuery(allWaitingQuery);
  const [openId, setOpenId] = useState<string>();
  /** What was decided last, while it can be taken back. */
  const [last, setLast] = useState<{ insight: Insight; back: InsightDecision }>();
  const [snoozing, setSnoozing] = useState<Insight>();
  const deciding = useDecide();
  const insights = proposals.data?.insights ?? [];
  const at = Math.max(
    0,
    insights.findIndex(({ id }) => id === openId),
  );
  const open = insights[at];
  const move = (step: number) =>
    setOpenId(insights[Math.min(insights.length - 1, Math.max(0, at + step))]?.id);
  const decide = (decision: InsightDecision) => {
    if (!canWrite || !open || deciding.isPending) return;
    // Of two that disagree one is kept, or both; of others there is nothing to choose.
    const isChoice = decision.to === 'accept' && decision.keep !== undefined;
    if (isChoice && open.change?.kind !== 'disagree') return;
    const next = insights[at + 1] ?? insights[at - 1];
    const back = backOf(decision);
    setLast(back && { insight: open, back });
    deciding.mutate({ insight: open, decision }, { onSuccess: () => setOpenId(next?.id) });
  };
  // Also while the decision is on its way: the two are sent one after the other.
  const takeBack = () => {
    if (!last) return;
    setLast(undefined);
    const { insight, back } = last;
    deciding.mutate({ insight, decision: back }, { onSuccess: () => setOpenId(insight.id) });
  };
  useShortcuts({
    j: () => move(1),
    k: () => move(-1),
    a: () => decide({ to: 'accept' }),
    o: () => decide({ to: 'accept', keep: 'older' }),
    b: () => decide({ to: 'accept', keep: 'both' }),
    r: () => decide({ to: 'reject' }),
    s: () => canWrite && setSnoozing(open),
    z: takeBack,
  });
  if (!proposals.data) return <Unfetched of={proposals} lines={6} />;
  if (!open)
    return (
      <Message icon="moon" title="Nothing to decide">
        <p>What dreams notice waits here: what disagrees, stands there twice, or belongs together.</p>
        <Button onClick={() => onOpen({ to: '/dreams', search: {} })}>Open Dreams</Button>
      </Message>
    );
  return (
    <div className={css['review']}>
      <div className={css['steps']}>
        <IconButton
          icon="back"
          label="The one before"
          shortcut="k"
          disabled={at === 0}
          onClick={() => move(-1)}
        />
        <span>
          {at + 1} of {formatCount(proposals.data.waiting)}
        </span>
        <IconButton
          icon="right"
          label="Leave it for later"
          shortcut="j"
          disabled={at === insights.length - 1}
          onClick={() => move(1)}
        />
      </div>
      <InsightDetail
        key={open.id}
        id={open.id}
        canWrite={canWrite}
        isBusy={deciding.isPending}
        onDecide={(_insight, decision) => decide(decision)}
        onSnooze={setSnoozing}
      />
      {snoozing && (
        <SnoozeDialog
          onChoose={(until) => decide({ to: 'snooze', until })}
          onClose={() => setSnoozing(undefined)}
        />
      )}
    </div>
  );
}

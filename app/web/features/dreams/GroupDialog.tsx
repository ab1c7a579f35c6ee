import { type Insight, mostDecided } from '@reverie/shared/contract/dreams/dreams';
import { useState } from 'react';
import { Button } from '../../ui/Button.tsx';
import { Dialog, DialogActions } from '../../ui/Dialog.tsx';
import { Banner } from '../../ui/Message.tsx';
import type { GroupDecision, useDecideAll } from './deciding.ts';
import css from './GroupDialog.module.css';
import { effectOf, groupChoicesOf } from './words.ts';

interface GroupProps {
  heading: string;
  insights: readonly Insight[];
  deciding: ReturnType<typeof useDecideAll>['decide'];
  /** What was decided on. */
  onDecided: (insights: readonly Insight[]) => void;
  onClose: () => void;
}

/** All proposals of one kind at once: what would become of each, then one decision; what was refused is named. */
export function GroupDialog({ heading, insights, deciding, onDecided, onClose }: GroupProps) {
  // As it was opened: what is decided on leaves the list behind it.
  const [some] = useState(() => insights.slice(0, mostDecided));
  const [refused, setRefused] = useState<readonly { title: string; why: string }[]>();
  const decide = (to: GroupDecision) =>
    deciding.mutate(
      { insights: some, to },
      {
        onSuccess: (reply) => {
          onDecided(reply.insights);
          if (reply.refused.length === 0) return onClose();
          setRefused(
            reply.refused.map(({ id, message }) => ({
              title: some.find((one) => one.id === id)?.title ?? id,
              why: message,
            })),
          );
        },
      },
    );
  const { accept, reject } = groupChoicesOf(some[0]?.change ?? null);
  if (refused)
    return (
      <Dialog title={`${heading}: not all`} onClose={onClose}>
        <Banner tone="warn">These are as they were:</Banner>
        <ul className={css['list']} role="list" aria-label="Refused">
          {refused.map(({ title, why }, at) => (
            <li key={at}>
              <bdi>{title}</bdi>
              <span className={css['effect']}>{why}</span>
            </li>
          ))}
        </ul>
        <DialogActions>
          <Button data-first look="strong" onClick={onClose}>
            Close
          </Button>
        </DialogActions>
      </Dialog>
    );
  return (
    <Dialog title={`${heading} · ${some.length}`} onClose={onClose}>
      {some.length < insights.length && <p>These are the first {some.length}; the others come after them.</p>}
      {/* It scrolls, so it can be reached by keyboard. */}
      <ul className={css['list']} role="list" aria-label={`If you choose “${accept}”`} tabIndex={0}>
        {some.map((insight) => (
          <li key={insight.id}>
            <bdi>{insight.title}</bdi>
            <span className={css['effect']}>{effectOf(insight)}</span>
          </li>
        ))}
      </ul>
      <p className={css['effect']}>Nothing is deleted, and Undo takes back all of it.</p>
      <DialogActions>
        <Button disabled={deciding.isPending} onClick={() => decide('reject')}>
          {reject}
        </Button>
        <Button data-first look="strong" disabled={deciding.isPending} onClick={() => decide('accept')}>
          {accept}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

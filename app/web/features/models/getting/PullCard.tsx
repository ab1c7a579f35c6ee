import {
  type FoundServer,
  type ModelPull,
  pullModel,
  stopPulling,
} from '@reverie/shared/contract/system/models';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { call } from '../../../platform/daemon/api.ts';
import { wallClock } from '../../../platform/clock.ts';
import { notify } from '../../../platform/notices.ts';
import { Badge } from '../../../ui/Badge.tsx';
import { Button } from '../../../ui/Button.tsx';
import { useActing } from '../acting.ts';
import { useFocusAfter, useLedTo } from '../focus.ts';
import css from '../ModelsView.module.css';
import { paceOf, progressWords, type TransferCounts, withBytes } from './pace.ts';
import { foundQuery } from '../queries.ts';
import { isSameServer } from '../words.ts';

const STATES = {
  running: { tone: 'accent', word: 'downloading' },
  stopped: { tone: 'plain', word: 'stopped' },
  done: { tone: 'good', word: 'here' },
  failed: { tone: 'bad', word: 'failed' },
} as const;

interface PullProps {
  pull: ModelPull;
  /** Undefined while they are not known. */
  servers: readonly FoundServer[] | undefined;
}

/** A model that Ollama is getting: how far it is, how long it takes, and how to stop it or to go on. */
export function PullCard({ pull, servers }: PullProps) {
  const queries = useQueryClient();
  const { server, name, status } = pull;
  useEffect(() => {
    // It can be used now, and is not offered any more.
    if (status === 'done') void queries.invalidateQueries({ queryKey: foundQuery.queryKey });
  }, [status, queries]);
  const isListed = servers?.some(
    ({ url, models }) => isSameServer(url, server) && models.some((model) => model.name === name),
  );
  // Once it can be used it stands among what runs here.
  if (status === 'done' && isListed !== false) return null;
  return <Card pull={pull} />;
}

function Card({ pull }: { pull: ModelPull }) {
  const { name, status, error } = pull;
  const pace = usePace(pull);
  const section = useFocusAfter<HTMLElement>('models-found');
  useLedTo('pull', section);
  const { tone, word } = STATES[status];
  return (
    <section ref={section} className={css['card']} aria-label={`Getting ${name}`} tabIndex={-1}>
      <div className={css['line']}>
        <h2>
          <bdi>{name}</bdi>
        </h2>
        <Badge tone={tone}>{word}</Badge>
        <span className={css['actions']}>{status !== 'done' && <StopOrGoOn pull={pull} />}</span>
      </div>
      {status !== 'done' && (
        <>
          <progress className={css['progress']} aria-label={`How much of ${name} is here`} {...barOf(pull)} />
          <p className={css['soft']}>
            {progressWords(pull, status === 'running' ? pace : undefined)}
            {status === 'stopped' && ' · what is there already is kept'}
          </p>
        </>
      )}
      {status === 'failed' && (
        <p className={css['bad']} role="alert">
          {error ?? 'Ollama does not say why'}
        </p>
      )}
    </section>
  );
}

/** How far the bar is; while nobody knows how much there is, it only moves. */
function barOf({ status, bytes_done, bytes_total }: ModelPull): { max?: number; value?: number } {
  if (bytes_total !== null) return { max: Math.max(1, bytes_total), value: bytes_done };
  return status === 'running' ? {} : { value: 0 };
}

/** One button, so that the focus stays on it when what it does changes. */
function StopOrGoOn({ pull: { server, name, status } }: { pull: ModelPull }) {
  const isRunning = status === 'running';
  const act = useActing(() =>
    isRunning ? call(stopPulling, {}) : call(pullModel, { body: { server, name } }),
  );
  const button = useFocusAfter<HTMLButtonElement>('models-found');
  const onError = (failed: Error) =>
    notify('bad', `${isRunning ? 'It was not stopped' : 'It does not go on'}: ${failed.message}`);
  return (
    <Button
      ref={button}
      look={isRunning ? 'plain' : 'strong'}
      aria-disabled={act.isPending}
      onClick={() => !act.isPending && act.mutate(undefined, { onError })}
    >
      {isRunning ? 'Stop' : status === 'stopped' ? 'Resume' : 'Try again'}
    </Button>
  );
}

/** Bytes a second, from what this page has seen of it. */
function usePace({ name, started_at, bytes_done }: ModelPull): number | undefined {
  const [progress, setProgress] = useState<TransferCounts>([]);
  useEffect(() => setProgress([]), [name, started_at]);
  useEffect(() => {
    setProgress((before) => withBytes(before, { at: wallClock.now(), bytes: bytes_done }));
  }, [name, started_at, bytes_done]);
  return paceOf(progress);
}

import { ApiError } from '@reverie/shared/client';
import type { Memory } from '@reverie/shared/contract/memories';
import { restoreVersion, type Version } from '@reverie/shared/contract/history';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ToggleGroup } from 'radix-ui';
import { useState } from 'react';
import { call } from '../../../platform/api.ts';
import { notify } from '../../../platform/notices.ts';
import { Trouble } from '../../../platform/Trouble.tsx';
import { Button } from '../../../ui/Button.tsx';
import { Banner, Skeleton } from '../../../ui/Message.tsx';
import choice from '../../../ui/Choice.module.css';
import { Time } from '../../../ui/Time.tsx';
import { DiffView } from '../../../ui/DiffView.tsx';
import { printMetadata } from '../writing/draft.ts';
import css from './History.module.css';
import { historyQuery, refresh } from '../queries.ts';
import { ValueText } from './ValueText.tsx';

interface HistoryProps {
  memory: Memory;
  canWrite: boolean;
  onDone: () => void;
}

/** What a memory said before: every kept version against the one of now, and the way back to it. */
export default function History({ memory, canWrite, onDone }: HistoryProps) {
  const { namespace, key } = memory;
  const { data: versions, error, isError, refetch } = useQuery(historyQuery(namespace, key));
  const [chosen, setChosen] = useState<number>();
  if (isError) return <Trouble error={error} retry={() => void refetch()} />;
  if (!versions) return <Skeleton lines={6} />;
  const current = versions.find((version) => version.current) ?? versions[0];
  const shown =
    versions.find(({ version }) => version === chosen) ?? versions.find((version) => !version.current);
  if (!current || !shown)
    return <p className={css['none']}>This memory was never changed, so there is nothing before it.</p>;
  return (
    <div className={css['history']}>
      <ol className={css['versions']} aria-label="Versions" role="list">
        {versions.map(({ version, updated_at, current: isCurrent }) => (
          <li key={version}>
            <button
              type="button"
              className={css['version']}
              aria-current={version === shown.version ? 'true' : undefined}
              onClick={() => setChosen(version)}
            >
              <span>Version {version}</span>
              <span className={css['when']}>
                {isCurrent ? 'now · ' : ''}
                <Time at={updated_at} />
              </span>
            </button>
          </li>
        ))}
      </ol>
      <OneVersion
        key={shown.version}
        memory={memory}
        version={shown}
        current={current}
        canWrite={canWrite}
        onDone={onDone}
      />
    </div>
  );
}

interface OneProps extends HistoryProps {
  version: Version;
  current: Version;
}

function OneVersion({ memory, version, current, canWrite, onDone }: OneProps) {
  const [show, setShow] = useState<'changes' | 'text'>('changes');
  const restore = useRestore(memory, version, onDone);
  const before = printMetadata(version.metadata);
  const after = printMetadata(current.metadata);
  return (
    <section aria-label={`Version ${version.version}`} className={css['one']}>
      <div className={css['bar']}>
        <ToggleGroup.Root
          type="single"
          className={choice['group']}
          aria-label="What to show"
          value={show}
          onValueChange={(next) => setShow(next === 'text' ? 'text' : 'changes')}
        >
          <ToggleGroup.Item value="changes" className={choice['one']}>
            Changes since
          </ToggleGroup.Item>
          <ToggleGroup.Item value="text" className={choice['one']}>
            Its text
          </ToggleGroup.Item>
        </ToggleGroup.Root>
        {canWrite && !version.current && (
          <Button icon="history" disabled={restore.isPending} onClick={() => restore.mutate()}>
            Restore this version
          </Button>
        )}
      </div>
      {restore.isError && <Banner tone="bad">Not restored: {whyNot(restore.error)}</Banner>}
      {show === 'text' ? (
        <ValueText value={version.value} />
      ) : (
        <>
          <DiffView before={version.value} after={current.value} />
          {before !== after && (
            <>
              <h3>Metadata</h3>
              <DiffView before={before} after={after} />
            </>
          )}
        </>
      )}
    </section>
  );
}

function useRestore({ namespace, key, updated_at }: Memory, { version }: Version, onDone: () => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => call(restoreVersion, { body: { namespace, key, version, if_updated_at: updated_at } }),
    onSuccess: async () => {
      notify('good', `Version ${version} is restored; what stood there is in the history.`);
      onDone();
    },
    // Also after a refusal: then the memory is newer than what is shown.
    onSettled: () => refresh(queries, [namespace]),
  });
}

function whyNot(error: Error): string {
  if (error instanceof ApiError && error.code === 'conflict')
    return 'the memory was changed elsewhere meanwhile. Look at it as it is now, then restore again.';
  return `${error.message}.`;
}

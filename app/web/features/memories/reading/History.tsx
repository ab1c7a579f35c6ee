import { ApiError } from '@reverie/shared/client';
import { authorName } from '@reverie/shared/contract/author';
import type { Memory } from '@reverie/shared/contract/memories/memories';
import { restoreVersion, type Version } from '@reverie/shared/contract/memories/history';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Slider, ToggleGroup } from 'radix-ui';
import { useState } from 'react';
import { call } from '../../../platform/daemon/api.ts';
import { notify } from '../../../platform/notices.ts';
import { Trouble } from '../../../platform/Trouble.tsx';
import { Button, IconButton } from '../../../ui/Button.tsx';
import { Banner, Skeleton } from '../../../ui/Message.tsx';
import choice from '../../../ui/Choice.module.css';
import { WrittenTime } from '../../../ui/Time.tsx';
import { DiffView } from '../../../ui/text/DiffView.tsx';
import { printMetadata } from '../writing/drafts/draft.ts';
import css from './History.module.css';
import { historyQuery, refresh } from '../queries.ts';
import { PlainText } from '../../../ui/reading/PlainText.tsx';

interface HistoryProps {
  memory: Memory;
  canWrite: boolean;
  onDone: () => void;
}

/** What a memory said before: a slider from the oldest version to the one of now, what changed, and the way back. */
export default function History({ memory, canWrite, onDone }: HistoryProps) {
  const { namespace, key } = memory;
  const { data: versions, error, isError, refetch } = useQuery(historyQuery(namespace, key));
  const [chosen, setChosen] = useState<number>();
  if (isError) return <Trouble error={error} retry={() => void refetch()} />;
  if (!versions) return <Skeleton lines={6} />;
  const oldestFirst = versions.toSorted((a, b) => a.version - b.version);
  const current = oldestFirst.find((version) => version.current) ?? oldestFirst.at(-1);
  const last = oldestFirst.length - 1;
  const known = oldestFirst.findIndex(({ version }) => version === chosen);
  const at = known >= 0 ? known : last - 1;
  const shown = oldestFirst[at];
  if (!current || !shown)
    return <p className={css['none']}>This memory was never changed, so there is nothing before it.</p>;
  const go = (index: number) => setChosen(oldestFirst[Math.max(0, Math.min(last, index))]?.version);
  return (
    <div className={css['history']}>
      <div className={css['slide']}>
        <IconButton icon="back" label="Earlier version" disabled={at === 0} onClick={() => go(at - 1)} />
        <Slider.Root
          className={css['slider']}
          min={0}
          max={last}
          step={1}
          value={[at]}
          onValueChange={([next = 0]) => go(next)}
        >
          <Slider.Track className={css['track']}>
            <Slider.Range className={css['range']} />
          </Slider.Track>
          <Slider.Thumb
            className={css['thumb']}
            aria-label="Version"
            aria-valuetext={`Version ${shown.version} of ${current.version}`}
          />
        </Slider.Root>
        <IconButton icon="right" label="Later version" disabled={at === last} onClick={() => go(at + 1)} />
      </div>
      <p className={css['said']} role="status">
        <strong>
          Version {shown.version} of {current.version}
        </strong>
        <span>
          {shown.current ? 'as it is now, since ' : ''}
          <WrittenTime at={shown.updated_at} full />
          {shown.author && (
            <>
              , by <bdi>{authorName(shown.author)}</bdi>
            </>
          )}
        </span>
      </p>
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
      {show === 'text' ? <PlainText text={version.value} /> : <Changes since={version} now={current} />}
    </section>
  );
}

/** What was changed since a version: its text, and its metadata where they differ. */
function Changes({ since, now }: { since: Version; now: Version }) {
  if (since.current)
    return <p className={css['none']}>This is how it stands now. Move back to see what changed.</p>;
  const before = printMetadata(since.metadata);
  const after = printMetadata(now.metadata);
  return (
    <>
      <DiffView before={since.value} after={now.value} />
      {before !== after && (
        <>
          <h3>Metadata</h3>
          <DiffView before={before} after={after} />
        </>
      )}
    </>
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

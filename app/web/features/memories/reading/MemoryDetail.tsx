import { ApiError } from '@reverie/shared/client';
import type { Memory } from '@reverie/shared/contract/memories';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useState } from 'react';
import { Unfetched } from '../../../platform/Fetched.tsx';
import { wallClock } from '../../../platform/clock.ts';
import { useGo } from '../../../platform/place.ts';
import { useShortcuts } from '../../../platform/shortcuts.ts';
import { useStore } from '../../../platform/store.ts';
import { Button } from '../../../ui/Button.tsx';
import { Frame } from '../../../ui/Frame.tsx';
import { Banner, Message, Skeleton } from '../../../ui/Message.tsx';
import { offerUndo } from '../acting/undoing.ts';
import { nameOf } from '../address.ts';
import { knownInLists, memoryQuery } from '../queries.ts';
import { beginDraft, draftId, drafts, isChanged } from '../writing/draft.ts';
import { Anchors } from './Anchors.tsx';
import { Around } from './Around.tsx';
import { Crumb } from './Crumb.tsx';
import { DetailActions } from './DetailActions.tsx';
import type { DetailProps } from './detail-props.ts';
import { Heading } from './Heading.tsx';
import css from './MemoryDetail.module.css';
import { MetadataTable } from './MetadataTable.tsx';
import { useMarks } from './use-marks.ts';
import { useSettled } from './use-settled.ts';
import { tagsOf } from '../tags.ts';
import { ValueText } from './ValueText.tsx';

/** How long a memory is shown before the window is called by it, ms. */
const TITLED_MS = 200;

const History = lazy(() => import('./History.tsx'));
const Editor = lazy(() => import('../writing/Editor.tsx'));

/** One memory: what it says, what is known about it, what it said before, and changing it. */
export function MemoryDetail(props: DetailProps) {
  const { at, mode, shown, onMode, onClose } = props;
  const go = useGo();
  const client = useQueryClient();
  const [known] = useState(() => knownInLists(client, at));
  const isSettled = useSettled();
  // What the list holds whole is read from there; it is asked for when the keyboard stays.
  const fetched = useQuery({
    ...memoryQuery(at.namespace, at.key),
    ...(known && { placeholderData: known }),
    enabled: isSettled || known === undefined,
  });
  const { data: memory, error } = fetched;
  useEffect(() => {
    shown.current = memory;
  }, [shown, memory]);
  const name = memory ? nameOf(memory) : at.key;
  // The browser takes longer to write it than the page to show the memory, so it is done when the keyboard rests.
  useEffect(() => wallClock.after(TITLED_MS, () => void (document.title = `${name} · Reverie`)), [name]);
  const crumb = <Crumb at={at} />;
  if (error instanceof ApiError && error.code === 'memory_not_found')
    return (
      <Frame title={at.key} crumb={crumb} onClose={onClose}>
        <Message icon="search" title="This memory does not exist">
          <p>
            There is no such key in <bdi>{at.namespace}</bdi>. It may have been deleted, or never written.
          </p>
          <Button onClick={onClose}>Back to the list</Button>
          {props.acts.canWrite && (
            <Button
              look="strong"
              onClick={() => {
                beginDraft(at);
                go({ namespace: at.namespace, in: undefined, key: undefined, mode: 'new' });
              }}
            >
              Write it
            </Button>
          )}
        </Message>
      </Frame>
    );
  if (!memory)
    return (
      <Frame title={at.key} crumb={crumb} onClose={onClose}>
        <Unfetched of={fetched} lines={8} />
      </Frame>
    );
  const title = memory.title === '' ? memory.key : memory.title;
  if (mode === 'edit')
    return (
      <Frame title={title} crumb={crumb} onClose={onClose}>
        <h2 className="sr-only">{title}</h2>
        <Suspense fallback={<Skeleton lines={8} />}>
          <Editor
            key={memory.key}
            base={memory}
            namespace={at.namespace}
            onSaved={() => onMode('read')}
            onCancel={() => onMode('read')}
          />
        </Suspense>
      </Frame>
    );
  return (
    <Frame
      title={title}
      crumb={crumb}
      onClose={onClose}
      actions={<DetailActions {...props} memory={memory} />}
    >
      <div className={css['measure']}>
        <Heading
          memory={memory}
          name={title}
          canWrite={props.acts.canWrite}
          onHistory={() => onMode('history')}
        />
        {mode === 'history' ? (
          <Suspense fallback={<Skeleton lines={8} />}>
            <History memory={memory} canWrite={props.acts.canWrite} onDone={() => onMode('read')} />
          </Suspense>
        ) : (
          <Reading key={memory.key} memory={memory} known={props.known} onEdit={() => onMode('edit')} />
        )}
      </div>
    </Frame>
  );
}

interface ReadingProps {
  memory: Memory;
  known: readonly string[];
  onEdit: () => void;
}

function Reading({ memory, known, onEdit }: ReadingProps) {
  const [isSource, setSource] = useState(false);
  const marks = useMarks(memory);
  useShortcuts({ s: () => setSource(!isSource) });
  const draft = useStore(drafts).get(draftId(memory.namespace, memory.key));
  const isSettled = useSettled();
  return (
    <>
      {draft && isChanged(draft) && (
        <div className={css['draft']}>
          <Banner tone="plain">
            You began to change this memory. <Button onClick={onEdit}>Go on editing</Button>
          </Banner>
        </div>
      )}
      <section aria-label="Text" className={css['text']}>
        <ValueText
          memory={memory}
          tags={tagsOf(memory.metadata)}
          of={memory}
          known={known}
          isSource={isSource}
          marks={marks}
          offerUndo={offerUndo}
        />
      </section>
      <Anchors anchors={memory.anchors} />
      {isSettled && <Around memory={memory} />}
      <MetadataTable memory={memory} />
    </>
  );
}

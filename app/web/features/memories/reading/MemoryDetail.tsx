import { ApiError } from '@reverie/shared/client';
import type { Memory } from '@reverie/shared/contract/memories';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useRef, useState, type ReactNode, type RefObject } from 'react';
import { Unfetched } from '../../../platform/Fetched.tsx';
import { useGo } from '../../../platform/place.ts';
import { isTaken, useShortcuts } from '../../../platform/shortcuts.ts';
import { useStore } from '../../../platform/store.ts';
import { Button } from '../../../ui/Button.tsx';
import { Frame } from '../../../ui/Frame.tsx';
import { Banner, Message, Skeleton } from '../../../ui/Message.tsx';
import { offerUndo } from '../acting/undoing.ts';
import { nameOf } from '../address.ts';
import { memoryQuery } from '../queries.ts';
import { beginDraft, draftId, drafts, isChanged } from '../writing/draft.ts';
import { entryOf, type Entry } from '../writing/entry.ts';
import { useWhyNotWritten } from '../writing/writable.ts';
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
import { textAt } from './without-title.ts';

const History = lazy(() => import('./History.tsx'));
const WritingSheet = lazy(() => import('../writing/WritingSheet.tsx'));

/** One memory: what it says, what is known about it, what it said before, and changing it. */
export function MemoryDetail(props: DetailProps) {
  const { at, mode, shown, onMode, onClose } = props;
  const go = useGo();
  const fetched = useQuery(memoryQuery(at.namespace, at.key));
  const { data, error } = fetched;
  const isGone = error instanceof ApiError && error.code === 'memory_not_found';
  // Deleted elsewhere while one writes, it can be stored again.
  const held = mode === 'edit' && isGone ? drafts.get().get(draftId(at.namespace, at.key))?.base : undefined;
  const memory = data ?? held;
  const entry = useRef<Entry>(undefined);
  useEffect(() => {
    shown.current = memory;
    document.title = `${memory ? nameOf(memory) : at.key} · Reverie`;
  }, [shown, memory, at.key]);
  const crumb = <Crumb at={at} />;
  if (isGone && !held)
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
  const name = memory.title === '' ? memory.key : memory.title;
  const heading = (isUntitled: boolean) => (
    <Heading
      memory={memory}
      name={name}
      isUntitled={isUntitled}
      canWrite={props.acts.canWrite}
      onHistory={() => onMode('history')}
    />
  );
  const reading = (
    <Reading
      key={memory.key}
      memory={memory}
      known={props.known}
      onEdit={(from) => {
        entry.current = from;
        onMode('edit');
      }}
    />
  );
  return (
    <Frame
      title={name}
      crumb={crumb}
      onClose={onClose}
      actions={<DetailActions {...props} memory={memory} />}
    >
      <div className={css['measure']} data-writing={mode === 'edit'}>
        {mode === 'edit' ? (
          <Writable
            memory={memory}
            isGone={isGone}
            entry={entry}
            heading={heading}
            reading={reading}
            onLeave={() => {
              entry.current = undefined;
              onMode('read');
            }}
          />
        ) : (
          <>
            {heading(false)}
            {mode === 'history' ? (
              <Suspense fallback={<Skeleton lines={8} />}>
                <History memory={memory} canWrite={props.acts.canWrite} onDone={() => onMode('read')} />
              </Suspense>
            ) : (
              reading
            )}
          </>
        )}
      </div>
    </Frame>
  );
}

interface WritableProps {
  memory: Memory;
  isGone: boolean;
  entry: RefObject<Entry | undefined>;
  /** What stands above the text; without the title where the text says that. */
  heading: (isUntitled: boolean) => ReactNode;
  reading: ReactNode;
  onLeave: () => void;
}

/** A memory that is written, or why it cannot be. Until the parts for it are there it is read on. */
function Writable({ memory, isGone, entry, heading, reading, onLeave }: WritableProps) {
  const whyNot = useWhyNotWritten(memory);
  const isTitled = textAt(memory) > 0;
  // What the text says is decided when writing begins: a heading that is typed then stays where it is.
  const [hasTitle] = useState(isTitled);
  const read = (
    <>
      {heading(false)}
      {reading}
    </>
  );
  if (whyNot !== undefined)
    return (
      <>
        <Banner tone="plain">{whyNot}</Banner>
        {read}
      </>
    );
  return (
    <Suspense fallback={read}>
      {!hasTitle && heading(false)}
      <section aria-label="Text" className={css['text']}>
        <WritingSheet
          memory={memory}
          isGone={isGone}
          entry={entry.current}
          facts={hasTitle ? heading(true) : undefined}
          onLeave={onLeave}
        />
      </section>
    </Suspense>
  );
}

interface ReadingProps {
  memory: Memory;
  known: readonly string[];
  /** `from` is the place that was pointed at. */
  onEdit: (from?: Entry) => void;
}

function Reading({ memory, known, onEdit }: ReadingProps) {
  const [isSource, setSource] = useState(false);
  const marks = useMarks(memory);
  useShortcuts({ s: () => setSource(!isSource) });
  const draft = useStore(drafts).get(draftId(memory.namespace, memory.key));
  const isSettled = useSettled();
  const canWrite = useWhyNotWritten(memory) === undefined;
  useEnterOnSheet(() => onEdit());
  return (
    <>
      {draft && isChanged(draft) && draft.value !== memory.value && (
        <div className={css['draft']}>
          <Banner tone="plain">
            You began to change this memory. <Button onClick={() => onEdit()}>Go on editing</Button>
          </Banner>
        </div>
      )}
      <section
        aria-label="Text"
        className={css['text']}
        onClick={(event) => {
          const from = canWrite ? entryOf(event, memory.value) : undefined;
          if (from) onEdit(from);
        }}
      >
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

/** Enter on the sheet itself, not on something in it. */
function useEnterOnSheet(act: () => void): void {
  const current = useRef(act);
  useEffect(() => {
    current.current = act;
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || isTaken(event)) return;
      if (!(event.target instanceof HTMLElement) || event.target.tagName !== 'ARTICLE') return;
      event.preventDefault();
      current.current();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}

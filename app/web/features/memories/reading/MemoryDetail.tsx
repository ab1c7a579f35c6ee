import { ApiError } from '@reverie/shared/client';
import type { Memory } from '@reverie/shared/contract/memories/memories';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Suspense, useEffect, useRef, useState, type ReactNode, type RefObject } from 'react';
import { latePart } from '../../../platform/late-part.ts';
import { Unfetched } from '../../../platform/queries/Fetched.tsx';
import { wallClock } from '../../../platform/clock.ts';
import { useGo } from '../../../platform/place.ts';
import { isTaken, useShortcuts } from '../../../platform/shortcuts.ts';
import { useStore } from '../../../platform/store.ts';
import { Button } from '../../../ui/Button.tsx';
import { Frame } from '../../../ui/Frame.tsx';
import { Banner, Message, Skeleton } from '../../../ui/Message.tsx';
import { isSentence, ownTitle } from '../../../ui/reading/own-title.ts';
import { offerUndo } from '../acting/undoing.ts';
import { nameOf } from '../address.ts';
import { knownInLists, memoryQuery } from '../queries.ts';
import { beginDraft, draftId, drafts, isChanged } from '../writing/drafts/draft.ts';
import { entryOf, type Entry } from '../writing/entry.ts';
import { useWhyNotWritten } from '../writing/writable.ts';
import { Anchors } from './Anchors.tsx';
import { Around } from './Around.tsx';
import { Crumb } from './Crumb.tsx';
import { DetailActions } from './DetailActions.tsx';
import type { DetailProps } from './detail-props.ts';
import { Facts, Title } from './Heading.tsx';
import css from './MemoryDetail.module.css';
import { MetadataTable } from './MetadataTable.tsx';
import { useMarks } from './use-marks.ts';
import { useSettled } from './use-settled.ts';
import { tagsOf } from '../tags.ts';
import { ValueText } from './ValueText.tsx';

/** How long a memory is shown before the window is called by it, ms. */
const TITLED_MS = 200;

const History = latePart(() => import('./History.tsx'));
const WritingSheet = latePart(() => import('../writing/WritingSheet.tsx'));

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
    placeholderData: () => known,
    enabled: isSettled || known === undefined,
  });
  const { data, error } = fetched;
  const isGone = error instanceof ApiError && error.code === 'memory_not_found';
  // Deleted elsewhere while one writes, it can be stored again.
  const held = mode === 'edit' && isGone ? drafts.get().get(draftId(at.namespace, at.key))?.base : undefined;
  const memory = data ?? held;
  const entry = useRef<Entry>(undefined);
  useEffect(() => {
    shown.current = memory;
  }, [shown, memory]);
  const name = memory ? nameOf(memory) : at.key;
  // The browser takes longer to write it than the page to show the memory, so it is done when the keyboard rests.
  useEffect(() => wallClock.after(TITLED_MS, () => void (document.title = `${name} · Reverie`)), [name]);
  const crumb = <Crumb at={at} />;
  if (isGone && !held)
    return (
      <Frame title={at.key} crumb={crumb} onClose={onClose}>
        <Message icon="search" title="This memory does not exist">
          <p>
            There is no such note in <bdi>{at.namespace}</bdi>. It may have been deleted, or never written.
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
  const facts = <Facts memory={memory} canWrite={props.acts.canWrite} onHistory={() => onMode('history')} />;
  const reading = (
    <Reading
      key={memory.key}
      memory={memory}
      known={props.known}
      facts={facts}
      onEdit={(from) => {
        entry.current = from;
        onMode('edit');
      }}
    />
  );
  return (
    <Frame
      title={title}
      crumb={crumb}
      onClose={onClose}
      isWide
      actions={<DetailActions {...props} memory={memory} />}
    >
      {mode === 'history' && (
        <div className={css['columns']}>
          <div>
            <Title>{title}</Title>
            {facts}
            <Suspense fallback={<Skeleton lines={8} />}>
              <History memory={memory} canWrite={props.acts.canWrite} onDone={() => onMode('read')} />
            </Suspense>
          </div>
        </div>
      )}
      {mode === 'edit' && (
        <Writable
          key={memory.key}
          memory={memory}
          isGone={isGone}
          entry={entry}
          facts={facts}
          reading={reading}
          onLeave={() => {
            entry.current = undefined;
            onMode('read');
          }}
        />
      )}
      {mode !== 'history' && mode !== 'edit' && reading}
    </Frame>
  );
}

interface WritableProps {
  memory: Memory;
  isGone: boolean;
  entry: RefObject<Entry | undefined>;
  facts: ReactNode;
  reading: ReactNode;
  onLeave: () => void;
}

/** A memory that is written, or why it cannot be. Until the parts for it are there it is read on. */
function Writable({ memory, isGone, entry, facts, reading, onLeave }: WritableProps) {
  const whyNot = useWhyNotWritten(memory);
  // How it is set is decided when writing begins: a heading that is typed then stays where it is.
  const [{ own, isShort }] = useState({ own: ownTitle(memory), isShort: isSentence(memory) });
  if (whyNot !== undefined)
    return (
      <>
        <Banner tone="plain">{whyNot}</Banner>
        {reading}
      </>
    );
  const isInText = own?.isHeading === true;
  return (
    <Suspense fallback={reading}>
      <div className={css['columns']} data-writing>
        <div className={css['note']} data-sentence={isShort}>
          {own && own.textAt === 0 && <Title>{own.words}</Title>}
          {!isShort && !isInText && facts}
          <section aria-label="Text" className={css['text']}>
            <WritingSheet
              memory={memory}
              isGone={isGone}
              entry={entry.current}
              facts={
                isInText ? (
                  <>
                    <h2 className="sr-only">{own.words}</h2>
                    {facts}
                  </>
                ) : undefined
              }
              onLeave={onLeave}
            />
          </section>
        </div>
      </div>
    </Suspense>
  );
}

interface ReadingProps {
  memory: Memory;
  known: readonly string[];
  facts: ReactNode;
  /** `from` is the place that was pointed at. */
  onEdit: (from?: Entry) => void;
}

/** What a memory says: below its title, or, where it is a sentence, that alone; around it what belongs to it. */
function Reading({ memory, known, facts, onEdit }: ReadingProps) {
  const [isSource, setSource] = useState(false);
  const marks = useMarks(memory);
  useShortcuts({ s: () => setSource(!isSource) });
  const draft = useStore(drafts).get(draftId(memory.namespace, memory.key));
  const isSettled = useSettled();
  const own = ownTitle(memory);
  const isShort = isSentence(memory);
  const canWrite = useWhyNotWritten(memory) === undefined;
  useEnterOnSheet(() => onEdit());
  return (
    <div className={css['columns']}>
      <div className={css['note']} data-sentence={isShort}>
        {own && <Title>{own.words}</Title>}
        {!isShort && facts}
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
        {isShort && facts}
        <Anchors anchors={memory.anchors} />
      </div>
      <div className={css['about']}>
        <MetadataTable memory={memory} />
      </div>
      <div className={css['margin']}>{isSettled && <Around memory={memory} />}</div>
    </div>
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

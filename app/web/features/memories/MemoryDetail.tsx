import { ApiError } from '@reverie/shared/client';
import { byteLength } from '@reverie/shared/contract/fields';
import type { Memory } from '@reverie/shared/contract/memories';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useMemo, useState, type RefObject } from 'react';
import { formatBytes, formatCount } from '../../platform/format.ts';
import { useGo } from '../../platform/place.ts';
import { Trouble } from '../../platform/Trouble.tsx';
import { useShortcuts } from '../../platform/shortcuts.ts';
import { useStore } from '../../platform/store.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { Frame } from '../../ui/Frame.tsx';
import { Banner, Message, Skeleton } from '../../ui/Message.tsx';
import { asMarkdown } from '../../ui/reading/as-markdown.ts';
import { kindOf } from '../../ui/reading/kind-of.ts';
import { Time } from '../../ui/Time.tsx';
import { ClassBadge } from './ClassBadge.tsx';
import { draftId, drafts, isChanged } from './draft.ts';
import css from './MemoryDetail.module.css';
import { MetadataTable } from './MetadataTable.tsx';
import { memoryQuery } from './queries.ts';
import { useMarks } from './use-marks.ts';
import { ValueText } from './ValueText.tsx';

const History = lazy(() => import('./History.tsx'));
const Editor = lazy(() => import('./Editor.tsx'));

export interface DetailProps {
  namespace: string;
  memoryKey: string;
  mode: 'read' | 'edit' | 'history';
  canWrite: boolean;
  /** The namespaces that links of a note may name. */
  known: readonly string[];
  /** Told what is shown, so that the keyboard can act on it. */
  shown: RefObject<Memory | undefined>;
  onMode: (mode: 'read' | 'edit' | 'history') => void;
  onDelete: (memory: Memory) => void;
  onClose: () => void;
}

/** One memory: what it says, what is known about it, what it said before, and changing it. */
export function MemoryDetail(props: DetailProps) {
  const { namespace, memoryKey, mode, shown, onMode, onClose } = props;
  const { data: memory, error, isError, refetch } = useQuery(memoryQuery(namespace, memoryKey));
  useEffect(() => {
    shown.current = memory;
  }, [shown, memory]);
  if (isError && error instanceof ApiError && error.code === 'memory_not_found') return <Gone {...props} />;
  if (!memory)
    return (
      <Frame title={memoryKey} onClose={onClose}>
        {isError ? <Trouble error={error} retry={() => void refetch()} /> : <Skeleton lines={8} />}
      </Frame>
    );
  if (mode === 'edit')
    return (
      <Frame title={memoryKey} onClose={onClose}>
        <Suspense fallback={<Skeleton lines={8} />}>
          <Editor
            key={memoryKey}
            base={memory}
            namespace={namespace}
            onSaved={() => onMode('read')}
            onCancel={() => onMode('read')}
          />
        </Suspense>
      </Frame>
    );
  return (
    <Frame title={memory.key} onClose={onClose} actions={<Actions {...props} memory={memory} />}>
      <Facts memory={memory} />
      {mode === 'history' ? (
        <Suspense fallback={<Skeleton lines={8} />}>
          <History memory={memory} canWrite={props.canWrite} onDone={() => onMode('read')} />
        </Suspense>
      ) : (
        <Reading key={memory.key} memory={memory} known={props.known} onEdit={() => onMode('edit')} />
      )}
    </Frame>
  );
}

function Actions({ memory, mode, canWrite, onMode, onDelete }: DetailProps & { memory: Memory }) {
  const toMap = useGo('/map');
  return (
    <>
      <CopyButton text={memory.key} what="key" />
      <IconButton
        icon="map"
        label="Show on the map"
        onClick={() => toMap({ namespace: memory.namespace, key: memory.key, q: undefined, mode: undefined })}
      />
      <IconButton
        icon="history"
        label={mode === 'history' ? 'Hide history' : 'History'}
        aria-pressed={mode === 'history'}
        onClick={() => onMode(mode === 'history' ? 'read' : 'history')}
      />
      {canWrite && (
        <>
          <IconButton icon="edit" label="Edit" shortcut="e" onClick={() => onMode('edit')} />
          <IconButton icon="trash" label="Delete" shortcut="#" onClick={() => onDelete(memory)} />
        </>
      )}
    </>
  );
}

function Facts({ memory }: { memory: Memory }) {
  return (
    <dl className={css['facts']}>
      <div>
        <dt className="sr-only">Class</dt>
        <dd>
          <ClassBadge of={memory.class} />
        </dd>
      </div>
      <div>
        <dt>Namespace</dt>
        <dd>
          <bdi>{memory.namespace}</bdi>
        </dd>
      </div>
      <div>
        <dt>Changed</dt>
        <dd>
          <Time at={memory.updated_at} />
        </dd>
      </div>
      <div>
        <dt>Made</dt>
        <dd>
          <Time at={memory.created_at} />
        </dd>
      </div>
      {memory.expires_at !== undefined && (
        <div>
          <dt>Expires</dt>
          <dd>
            <Time at={memory.expires_at} />
          </dd>
        </div>
      )}
    </dl>
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
  const copied = useMemo(() => copyOf(memory), [memory]);
  useShortcuts({ s: () => setSource(!isSource) });
  const draft = useStore(drafts).get(draftId(memory.namespace, memory.key));
  return (
    <>
      {draft && isChanged(draft) && (
        <div className={css['draft']}>
          <Banner tone="plain">
            You began to change this memory. <Button onClick={onEdit}>Go on editing</Button>
          </Banner>
        </div>
      )}
      <section aria-label="Value" className={css['section']}>
        <ValueText memory={memory} known={known} isSource={isSource} marks={marks} />
        <p className={css['measure']}>
          {formatCount(memory.value.length)} characters · {formatBytes(byteLength(memory.value))}
          <Button icon="code" aria-pressed={isSource} onClick={() => setSource(!isSource)}>
            Source <kbd>s</kbd>
          </Button>
          <CopyButton {...copied} wide />
        </p>
      </section>
      <section aria-label="Metadata" className={css['section']}>
        <h3>Metadata</h3>
        <MetadataTable metadata={memory.metadata} />
      </section>
      <section aria-label="Times" className={css['section']}>
        <h3>Times</h3>
        <dl className={css['times']}>
          <dt>Made</dt>
          <dd>
            <Time at={memory.created_at} full />
          </dd>
          <dt>Last changed</dt>
          <dd>
            <Time at={memory.updated_at} full />
          </dd>
        </dl>
      </section>
    </>
  );
}

/** What is taken elsewhere: a note with its title, or a value of a program as it is. */
function copyOf({ value, title }: Memory): { text: string; what: string } {
  const kind = kindOf(value);
  const isNote = kind === 'markdown' || kind === 'text';
  return isNote ? { text: asMarkdown(value, title), what: 'Markdown' } : { text: value, what: 'value' };
}

function Gone({ namespace, memoryKey, onClose }: DetailProps) {
  return (
    <Frame title={memoryKey} onClose={onClose}>
      <Message icon="search" title="This memory does not exist">
        <p>
          There is no such key in <bdi>{namespace}</bdi>. It may have been deleted, or never written.
        </p>
        <Button onClick={onClose}>Back to the list</Button>
      </Message>
    </Frame>
  );
}

import type { Memory } from '@reverie/shared/contract/memories';
import { lazy, Suspense, useEffect, useRef, type ReactNode } from 'react';
import { useGo, usePlace } from '../../platform/place.ts';
import { allows, session } from '../../platform/session.ts';
import { useShortcuts } from '../../platform/shortcuts.ts';
import { useStore } from '../../platform/store.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { Frame } from '../../ui/Frame.tsx';
import { Message, Skeleton } from '../../ui/Message.tsx';
import { Split, SplitBody } from '../../ui/Split.tsx';
import { BrowseList } from './BrowseList.tsx';
import { EmptyNamespace } from './EmptyNamespace.tsx';
import { FilterBar } from './FilterBar.tsx';
import css from './MemoriesView.module.css';
import { MemoryDetail } from './MemoryDetail.tsx';
import { classOf, type Row, type View } from './queries.ts';
import { SearchBox, type SearchHandle } from './SearchBox.tsx';
import { SearchList } from './SearchList.tsx';
import { trashing } from './trash.ts';
import type { ListHandle } from '../../ui/VirtualList.tsx';

const Editor = lazy(() => import('./Editor.tsx'));
const Trash = lazy(() => import('./Trash.tsx'));

interface MemoriesViewProps {
  namespace: string;
  known: readonly string[];
  /** Whether nothing is stored anywhere. */
  isStart: boolean;
  /** Stands beside the search in narrow windows: the choice of the namespace. */
  chooser: ReactNode;
}

/** The list of a namespace and, beside or above it, the memory that is open. */
export default function MemoriesView({ namespace, known, isStart, chooser }: MemoriesViewProps) {
  const place = usePlace();
  const go = useGo();
  const canWrite = allows(useStore(session), 'write');
  const list = useRef<ListHandle<Row>>(null);
  const search = useRef<SearchHandle>(null);
  const opened = useRef<Memory>(undefined);
  const { key: openKey, mode } = place;
  const isDetail = openKey !== undefined || mode === 'new' || mode === 'trash';
  const wasDetail = useRef(isDetail);
  useEffect(() => {
    // Back to where it was opened from; only now is the list of a narrow window there again.
    if (wasDetail.current && !isDetail) list.current?.focus();
    wasDetail.current = isDetail;
  }, [isDetail]);
  useEffect(() => {
    document.title = `${openKey ?? namespace} · Reverie`;
  }, [openKey, namespace]);
  const view: View = { namespace, class: classOf(place.class), order: place.order ?? 'updated' };
  const query = place.q ?? '';

  const open = (row: Row) =>
    go({ namespace, key: row.key, mode: undefined }, { replace: openKey !== undefined });
  const close = () => {
    go({ key: undefined, mode: undefined });
  };
  const startNew = () => canWrite && go({ namespace, key: undefined, mode: 'new' });
  const remove = (memory: Pick<Memory, 'namespace' | 'key' | 'updated_at'>) => {
    if (!canWrite) return;
    void trashing.move(memory);
    if (memory.key === openKey) close();
  };
  const removeShown = () => {
    // The list has the focus: the row under the keyboard is meant. Else it is what is open.
    const row = list.current?.active();
    if ((list.current?.hasFocus() || openKey === undefined) && row) remove(row);
    else if (openKey !== undefined && opened.current?.key === openKey) remove(opened.current);
  };
  const edit = () => {
    const row = list.current?.hasFocus() || openKey === undefined ? list.current?.active() : undefined;
    const key = row?.key ?? openKey;
    if (canWrite && key !== undefined) go({ namespace, key, mode: 'edit' });
  };
  const escape = () => {
    if (mode === 'edit' || mode === 'history') go({ mode: undefined });
    else if (isDetail) close();
    else if (query !== '') go({ q: undefined }, { replace: true });
  };
  const undo = () => {
    const last = trashing.moved.get().at(-1);
    if (last) void trashing.undo(last.id);
  };
  useShortcuts({
    '/': () => search.current?.focus(),
    j: () => list.current?.move(1),
    k: () => list.current?.move(-1),
    n: startNew,
    e: edit,
    u: undo,
    '#': removeShown,
    Delete: removeShown,
    Escape: escape,
  });

  const rows = { handle: list, openKey, onOpen: open, onDelete: remove };
  return (
    <Split
      labels={['Memories', 'Open memory']}
      isOpen={isDetail}
      isAlone={isStart}
      tools={
        <>
          <div className={css['chooser']}>{chooser}</div>
          <div className={css['searchLine']}>
            <SearchBox
              key={namespace}
              handle={search}
              namespace={namespace}
              query={query}
              onSearch={(q) => go({ namespace, q: q === '' ? undefined : q }, { replace: true })}
              onLeave={() => list.current?.focus()}
            />
            {canWrite && (
              <IconButton icon="plus" look="strong" label="New memory" shortcut="n" onClick={startNew} />
            )}
            <IconButton
              icon="trash"
              label="Trash"
              aria-pressed={mode === 'trash'}
              onClick={() => (mode === 'trash' ? close() : go({ namespace, key: undefined, mode: 'trash' }))}
            />
          </div>
          <FilterBar
            only={view.class}
            onClass={(only) => go({ class: only }, { replace: true })}
            order={view.order}
            onOrder={(order) => go({ order: order === 'created' ? order : undefined }, { replace: true })}
            searching={query !== ''}
          />
        </>
      }
      list={
        query === '' ? (
          <BrowseList
            {...rows}
            key={JSON.stringify(view)}
            view={view}
            empty={
              <SplitBody>
                <EmptyNamespace
                  namespace={namespace}
                  only={view.class}
                  isStart={isStart}
                  canWrite={canWrite}
                  onNew={startNew}
                  onAll={() => go({ class: undefined }, { replace: true })}
                />
              </SplitBody>
            }
          />
        ) : (
          <SearchList
            {...rows}
            key={namespace}
            view={view}
            query={query}
            onWiden={() => go({ class: undefined }, { replace: true })}
            onNew={startNew}
            onNamespace={(other) => go({ namespace: other, key: undefined, mode: undefined })}
          />
        )
      }
      detail={
        mode === 'new' ? (
          <Frame title="New memory" onClose={close}>
            <Suspense fallback={<Skeleton lines={8} />}>
              <Editor
                key={namespace}
                namespace={namespace}
                known={known}
                onSaved={(saved) => go({ ...saved, mode: undefined }, { replace: true })}
                onCancel={close}
              />
            </Suspense>
          </Frame>
        ) : mode === 'trash' ? (
          <Frame title="Trash" onClose={close}>
            <Suspense fallback={<Skeleton lines={8} />}>
              <Trash key={namespace} namespace={namespace} canWrite={canWrite} />
            </Suspense>
          </Frame>
        ) : openKey !== undefined ? (
          <MemoryDetail
            key={JSON.stringify([namespace, openKey])}
            namespace={namespace}
            memoryKey={openKey}
            mode={mode ?? 'read'}
            canWrite={canWrite}
            known={known}
            shown={opened}
            onMode={(next) => go({ mode: next === 'read' ? undefined : next })}
            onDelete={remove}
            onClose={close}
          />
        ) : (
          <div className={css['nothing']}>
            <Message title="Choose a memory to read it">
              <p>
                <kbd>j</kbd> and <kbd>k</kbd> move, <kbd>Enter</kbd> opens, <kbd>?</kbd> shows all keys.
              </p>
              {canWrite && (
                <Button icon="plus" onClick={startNew}>
                  New memory
                </Button>
              )}
            </Message>
          </div>
        )
      }
    />
  );
}

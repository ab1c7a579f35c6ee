import { EVERY_NAMESPACE } from '@reverie/shared/contract/fields';
import { Suspense, useEffect, useRef, useState, type ReactNode } from 'react';
import { latePart } from '../../platform/late-part.ts';
import { BESIDE, useMedia } from '../../platform/media.ts';
import { useGo, usePlace } from '../../platform/place.ts';
import { allows, session } from '../../platform/daemon/session.ts';
import { useStore } from '../../platform/store.ts';
import { IconButton } from '../../ui/Button.tsx';
import { RowsHead } from '../../ui/lists/Rows.tsx';
import { Split } from '../../ui/lists/Split.tsx';
import type { ListHandle } from '../../ui/lists/VirtualList.tsx';
import type { DialogProps } from './acting/targets.ts';
import { isSame } from './address.ts';
import { ListHead } from './list/ListHead.tsx';
import { MemoryList } from './list/MemoryList.tsx';
import type { SearchHandle } from './list/SearchBox.tsx';
import { useSelection } from './list/selecting.ts';
import { SelectionBar } from './list/SelectionBar.tsx';
import { lookingAt, placeOfMemory } from './looking.ts';
import css from './MemoriesView.module.css';
import { OpenPane } from './OpenPane.tsx';
import type { ListRow } from './queries.ts';
import { trees, treeOf } from './tree/remembered.ts';
import { useActing } from './use-acting.ts';
import { useKeys } from './use-keys.ts';
import { useOpening } from './use-opening.ts';

const Acting = latePart(() => import('./acting/Acting.tsx'));

interface MemoriesViewProps {
  /** One, or `*` for every one. */
  namespace: string;
  known: readonly string[];
  /** Where what is written goes while every namespace is shown. */
  home: string;
  /** Whether nothing is stored anywhere. */
  isStart: boolean;
  /** The choice of the namespace, where there is no sidebar. */
  chooser: ReactNode;
}

/** The list of a namespace and, beside or above it, the memory that is open. */
export default function MemoriesView({
  namespace: chosen,
  known,
  home,
  isStart,
  chooser,
}: MemoriesViewProps) {
  const go = useGo();
  const canWrite = allows(useStore(session), 'write');
  const isBeside = useMedia(BESIDE);
  const list = useRef<ListHandle<ListRow>>(null);
  const search = useRef<SearchHandle>(null);
  const pane = useRef<HTMLDivElement>(null);
  const [entered, setEntered] = useState<string>();
  const looking = lookingAt(usePlace(), chosen);
  const { namespace, query, view, isBrowsing, isTrash, open } = looking;
  const selection = useSelection(looking.listId);
  const opening = useOpening(looking, list);
  const { acts, meant, shown, doing, onDo, onDone } = useActing({ looking, opening, selection, list });
  const tree = treeOf(useStore(trees), namespace);
  // What narrows a list leaves no folder whole.
  const isWhole = namespace !== EVERY_NAMESPACE && view.class === undefined && view.operators === '';
  const isTree = isBrowsing && isWhole && tree.isShown;
  // What is open when it is taken back is not what was open when it was moved.
  const reading = useRef<{ namespace: string; open: typeof open }>(undefined);
  useEffect(() => {
    reading.current = { namespace, open };
    return () => {
      reading.current = undefined;
    };
  }, [namespace, open]);
  const onMoved: DialogProps['onMoved'] = (moved) => {
    const { current: at } = reading;
    const read = at?.open;
    const now = read && moved.find(({ from }) => isSame(from, read))?.to;
    if (at && now) go(placeOfMemory(at.namespace, now), { replace: true });
  };
  const onNew = () => canWrite && go({ key: undefined, in: undefined, mode: 'new' });
  useKeys({ looking, list, search, selection, acts, meant, onNew, onClose: opening.close });
  return (
    <>
      <Split
        labels={['Memories', 'Open memory']}
        isOpen={looking.isDetail}
        isAlone={isStart && !isTrash && query === ''}
        tools={
          isTrash ? (
            <TrashHead namespace={namespace} />
          ) : (
            <ListHead
              chosen={chosen}
              view={view}
              query={query}
              canWrite={canWrite}
              chooser={chooser}
              onNew={onNew}
              handle={search}
              isOrdered={isBrowsing}
              isTree={isTree}
              onLeave={(left) => {
                setEntered(left);
                list.current?.focus();
              }}
            />
          )
        }
        list={
          <>
            <MemoryList
              looking={looking}
              isTree={isTree}
              onMoved={onMoved}
              isStart={isStart}
              entered={entered}
              canWrite={canWrite}
              onNew={onNew}
              open={open}
              selection={selection}
              acts={acts}
              handle={list}
              onOpen={opening.open}
              onEnter={(row) => {
                opening.openNow(row);
                pane.current?.querySelector('article')?.focus();
              }}
              // Alone in the window, the list would be gone after the first step.
              onFollow={(row) => isBeside && opening.rest(row)}
            />
            {!isTrash && <SelectionBar selection={selection} acts={acts} />}
          </>
        }
        detail={
          <div ref={pane} className={css['pane']}>
            <OpenPane
              namespace={namespace}
              known={known}
              home={home}
              open={open}
              canWrite={canWrite}
              shown={shown}
              acts={acts}
              onDo={onDo}
              onClose={opening.close}
            />
          </div>
        }
      />
      {doing && (
        <Suspense fallback={null}>
          <Acting {...doing} known={known} onDone={selection.clear} onMoved={onMoved} onClose={onDone} />
        </Suspense>
      )}
    </>
  );
}

/** Above the trash: of which namespace it is, and the way out. */
function TrashHead({ namespace }: { namespace: string }) {
  const go = useGo();
  return (
    <RowsHead title={namespace === EVERY_NAMESPACE ? 'Trash' : `Trash of ${namespace}`}>
      <IconButton
        icon="close"
        label="Close the trash"
        shortcut="Escape"
        onClick={() => go({ key: undefined, mode: undefined })}
      />
    </RowsHead>
  );
}

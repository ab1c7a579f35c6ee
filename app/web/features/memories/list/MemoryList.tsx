import { EVERY_NAMESPACE } from '@reverie/shared/contract/fields';
import { Suspense } from 'react';
import { latePart } from '../../../platform/late-part.ts';
import { useGo } from '../../../platform/place.ts';
import { Button } from '../../../ui/Button.tsx';
import { SplitBody } from '../../../ui/lists/Split.tsx';
import type { DialogProps } from '../acting/targets.ts';
import { EmptyNamespace } from '../EmptyNamespace.tsx';
import type { Looking } from '../looking.ts';
import { BrowseList } from './BrowseList.tsx';
import { SearchList } from './SearchList.tsx';
import type { ListProps } from './VirtualRows.tsx';

const TrashList = latePart(() => import('../trash/TrashList.tsx'));
const TreeList = latePart(() => import('../tree/TreeList.tsx'));

interface MemoryListProps extends ListProps {
  looking: Looking;
  /** Whether all of a namespace are shown by their folders. */
  isTree: boolean;
  onMoved: DialogProps['onMoved'];
  /** Whether nothing is stored anywhere. */
  isStart: boolean;
  /** The query that was left for what it finds. */
  entered: string | undefined;
  canWrite: boolean;
  onNew: () => void;
}

/** The list that is looked at: the trash, all of a view, or what a search found. */
export function MemoryList({
  looking,
  isTree,
  onMoved,
  isStart,
  entered,
  canWrite,
  onNew,
  ...list
}: MemoryListProps) {
  const go = useGo();
  const { namespace, query, view, listId } = looking;
  if (looking.isTrash)
    return (
      <Suspense fallback={null}>
        <TrashList key={namespace} namespace={namespace} canWrite={canWrite} />
      </Suspense>
    );
  const foot = (
    <Button look="quiet" icon="trash" onClick={() => go({ key: undefined, in: undefined, mode: 'trash' })}>
      Trash
    </Button>
  );
  const empty = (
    <SplitBody>
      <EmptyNamespace
        namespace={namespace}
        narrowed={view.class ?? (query === '' ? undefined : query)}
        isStart={isStart}
        canWrite={canWrite}
        onNew={onNew}
        onAll={() => go({ class: undefined, q: undefined }, { replace: true })}
      />
    </SplitBody>
  );
  if (isTree)
    return (
      <Suspense fallback={null}>
        <TreeList
          {...list}
          key={namespace}
          namespace={namespace}
          foot={foot}
          empty={empty}
          onMoved={onMoved}
        />
      </Suspense>
    );
  if (looking.isBrowsing) return <BrowseList {...list} key={listId} view={view} foot={foot} empty={empty} />;
  return (
    <SearchList
      {...list}
      key={namespace}
      view={view}
      query={query}
      isEntered={entered === query}
      canWrite={canWrite}
      onWiden={() => go({ class: undefined }, { replace: true })}
      onEverywhere={() => go({ namespace: EVERY_NAMESPACE, key: undefined, in: undefined })}
      onNew={onNew}
      onElsewhere={(best) => go({ ...best, in: undefined, mode: undefined })}
      foot={foot}
    />
  );
}

import type { Memory } from '@reverie/shared/contract/memories/memories';
import { useRef, useState, type RefObject } from 'react';
import { BESIDE, useMedia } from '../../platform/media.ts';
import { useGo } from '../../platform/place.ts';
import { allows, session } from '../../platform/daemon/session.ts';
import { useStore } from '../../platform/store.ts';
import type { ListHandle } from '../../ui/lists/VirtualList.tsx';
import type { ActKind } from './acting/Acting.tsx';
import type { ActionTarget } from './acting/targets.ts';
import { useActs } from './acting/use-acts.ts';
import { isSame } from './address.ts';
import type { Selection } from './list/selecting.ts';
import { placeInList, type Looking } from './looking.ts';
import type { ListRow } from './queries.ts';
import type { Opening } from './use-opening.ts';

interface ActingDeps {
  looking: Looking;
  opening: Opening;
  selection: Selection;
  list: RefObject<ListHandle<ListRow> | null>;
}

/** What is done to memories of the view: the acts, the window in which one is under way, and what they would be done to. */
export function useActing({ looking: { namespace, open }, opening, selection, list }: ActingDeps) {
  const go = useGo();
  const canWrite = allows(useStore(session), 'write');
  const isBeside = useMedia(BESIDE);
  const shown = useRef<Memory>(undefined);
  const [doing, setDoing] = useState<{ kind: ActKind; targets: readonly ActionTarget[] }>();
  const onDo = (kind: ActKind, targets: readonly ActionTarget[]) => setDoing({ kind, targets });
  const acts = useActs({
    canWrite,
    onOpen: opening.open,
    onEdit: (target) => go({ ...placeInList(namespace, target), mode: 'edit' }),
    onDo,
    onTrashed: (gone) => {
      selection.clear();
      if (!open || !gone.some((one) => isSame(one, open))) return;
      const next = isBeside ? list.current?.following() : undefined;
      if (next && !gone.some((one) => isSame(one, next))) opening.open(next);
      else opening.close();
    },
  });
  /** What keys act on: what is selected, else what is shown. */
  const meant = (): readonly ActionTarget[] => {
    if (selection.rows.length > 0) return selection.rows;
    const row = list.current?.active();
    if (row && (list.current?.hasFocus() || !open)) return [row];
    return open && shown.current && isSame(shown.current, open) ? [shown.current] : [];
  };
  return { acts, meant, shown, doing, onDo, onDone: () => setDoing(undefined) };
}

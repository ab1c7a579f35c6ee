import { memoryKeys } from '@reverie/shared/contract/memories/memory-keys';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../platform/daemon/api.ts';
import { countOf } from '../../../platform/format.ts';
import { notify } from '../../../platform/notices.ts';
import { type MoveOutcome, moveAll } from '../acting/moving.ts';
import type { DialogProps } from '../acting/targets.ts';
import { reasonOf } from '../acting/undoing.ts';
import { useMoveBack } from '../acting/use-move-back.ts';
import type { MemoryAddress } from '../address.ts';
import { refresh } from '../queries.ts';
import { remember, trees, treeOf } from './remembered.ts';
import { foldersAbove, type TreeRow } from './rows.ts';

/** How far a move is that is under way. */
interface MoveProgress {
  done: number;
  all: number;
}

/** Keys that are asked for at once. */
const PAGE = 10_000;

async function keysIn(namespace: string, folder: string): Promise<string[]> {
  const keys: string[] = [];
  for (let after: string | null | undefined; after !== null;) {
    const query = { namespace, prefix: folder, limit: PAGE, ...(after !== undefined && { after }) };
    const page = await call(memoryKeys, { query });
    keys.push(...page.keys);
    after = page.next;
  }
  return keys;
}

/** Gives a memory, or all of a folder, another path: links follow, and it can be taken back. One move at a time. */
export function useTreeMoves(namespace: string, onMoved: DialogProps['onMoved']) {
  const queries = useQueryClient();
  const offerBack = useMoveBack();
  const [progress, setProgress] = useState<MoveProgress>();

  const move = async ({ kind, path }: Pick<TreeRow, 'kind' | 'path'>, to: string): Promise<void> => {
    if (progress) return;
    setProgress({ done: 0, all: 1 });
    const moving = async (): Promise<MoveOutcome<MemoryAddress>> => {
      const keys = kind === 'key' ? [path] : await keysIn(namespace, path);
      return moveAll(
        call,
        keys.map((key) => ({ namespace, key })),
        {
          whereTo: ({ key }) => ({ namespace, key: to + key.slice(path.length) }),
          onStep: (done) => setProgress({ done, all: keys.length }),
        },
      );
    };
    const { moved, taken, mended, failure } = await moving().catch((error: unknown) => ({
      moved: [],
      taken: [],
      mended: 0,
      failure: error,
    }));
    setProgress(undefined);
    if (moved.length > 0) {
      const { open } = treeOf(trees.get(), namespace);
      const followed = open.map((one) =>
        kind === 'folder' && one.startsWith(path) ? to + one.slice(path.length) : one,
      );
      remember(namespace, { open: [...new Set([...followed, ...foldersAbove(to)])] });
      const links = mended === 0 ? '' : ` Links in ${countOf(mended, 'note', 'notes')} follow.`;
      offerBack(`${countOf(moved.length, 'memory was', 'memories were')} moved.${links}`, moved, onMoved);
      onMoved(moved);
    }
    if (taken.length > 0)
      notify(
        'bad',
        `${countOf(taken.length, 'memory', 'memories')} stayed, for there is another of the same name. Rename one of the two first.`,
      );
    if (failure !== undefined)
      notify('bad', `Not all was moved: ${reasonOf(failure)}. What was not is where it was.`);
    void refresh(queries, [namespace]);
  };
  return { move, progress };
}

import type { AccountId } from '@reverie/shared/accounts/caller';
import type { AnchorNow } from '@reverie/shared/contract/memories/anchor-now';
import type { Memory } from '@reverie/shared/contract/memories/memories';
import type { Store } from '../../db/open-store.ts';
import { anchorRoutes } from '../../features/anchors/anchors.routes.ts';
import { anchorsNow, noteFolder } from '../../features/anchors/anchors.service.ts';
import { createAnchorCheck } from '../../features/anchors/checking.ts';
import { repositoryHistory } from '../../features/anchors/repository.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import { type Project, projectOf } from '../../platform/project.ts';
import type { TellAnchors } from '../../platform/tell-anchors.ts';
import type { Part } from '../parts.ts';

export interface AnchorsParts {
  store: Store;
  clock: Clock;
  log: Log;
  environment: NodeJS.ProcessEnv;
  isMachine: (account: AccountId) => boolean;
}

/** Ms that a reply waits for anchors at most: one takes some 1 ms, but a disk may be slow, and git is asked where a file is gone. */
const PATIENCE = { hook: 250, reply: 1_000 } as const;

export interface AnchorsPart extends Part {
  readonly tell: TellAnchors;
  /** What became of the code of memories, for an agent that works in a project. */
  forHook(
    account: AccountId,
    memories: readonly Memory[],
    here: Project | undefined,
  ): Promise<Map<Memory, AnchorNow[]>>;
  /** A hook was called in a project. */
  seen(account: AccountId, project: Project): void;
}

/** Joins the anchors of memories to code; the composition root holds it. */
export function createAnchors({ store, clock, log, environment, isMachine }: AnchorsParts): AnchorsPart {
  const history = repositoryHistory(clock, environment);
  const check = createAnchorCheck({ history, log });
  const deps = { store, log, check, history, world: { isMachine, projectOf } };
  return {
    async tell(account, memories) {
      // Of one memory all is told at once; a page of hits does not wait for git.
      const wanted = { memories, patience: PATIENCE.reply, forCommits: memories.length === 1 };
      const told = await anchorsNow(deps, account, wanted);
      return memories.map((memory) => {
        const anchors = told.get(memory);
        return anchors ? { ...memory, anchors } : memory;
      });
    },
    forHook: (account, memories, here) =>
      anchorsNow(deps, account, { memories, here, patience: PATIENCE.hook, forCommits: false }),
    seen: (account, project) => noteFolder({ store }, account, project),
    serve: ({ mount }) => anchorRoutes(mount, deps),
  };
}

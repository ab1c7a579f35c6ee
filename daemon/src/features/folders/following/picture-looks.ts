import type { AttachmentLeftOut } from '@reverie/shared/contract/memories/attachments';
import type { FolderIssue } from '@reverie/shared/contract/memories/folders';
import type { Stop } from '../../../platform/clock.ts';
import type { Log } from '../../../platform/log.ts';
import { type Ignores, messageOf } from '@reverie/memory-formats/reader';
import type { FolderRow } from '../folders.store.ts';
import type { TakePictures } from '../pictures.ts';
import { lookAtRoot } from '../root.ts';
import type { Schedule } from './missing.ts';

/** How long changes of a folder gather before its pictures are looked at, ms: each look goes through the whole folder. */
const GATHER = 1_500;
/** How long until what failed is tried again, ms. */
const TRY_AGAIN = 30_000;
/** Files that are named of those that no note names. */
const NAMED = 5;

/** Looks at the pictures of a folder, beside its notes and after them. */
export interface PictureLooks {
  /** Something changed in the folder. */
  poke(): void;
  issues(): FolderIssue[];
  stop: Stop;
}

export interface PictureLooksDeps {
  take: TakePictures;
  schedule: Schedule;
  log: Log;
}

/** Looks at the pictures of a folder whenever it is poked, once what happens has settled, until it is stopped. */
export function startPictureLooks(
  { take, schedule, log }: PictureLooksDeps,
  { id, account, namespace, path: root }: FolderRow,
  ignores: Ignores,
): PictureLooks {
  let issues: FolderIssue[] = [];
  let timer: Stop | undefined;
  let [isRunning, isWanted, isStopped] = [false, false, false];

  function poke(ms = GATHER): void {
    if (isRunning) isWanted = true;
    else if (!isStopped)
      timer ??= schedule(ms, () => {
        timer = undefined;
        void look();
      });
  }

  async function look(): Promise<void> {
    isRunning = true;
    let again: number | undefined;
    try {
      const found = await lookAtRoot(root);
      if (found.kind === 'away' || found.isEmpty || isStopped) return;
      const { left } = await take({
        account,
        namespace,
        root,
        ignores,
        removes: true,
        isStopped: () => isStopped,
      });
      issues = issuesOf(left);
      if (left.some(({ reason }) => reason === 'changed')) again = GATHER;
    } catch (error) {
      if (isStopped) return;
      log.warn({ err: error, folder: id }, 'the pictures of a folder could not be stored; it is tried again');
      const detail = `pictures cannot be stored, and are tried again: ${messageOf(error)}`;
      issues = [{ path: '.', reason: 'attachment', detail }];
      again = TRY_AGAIN;
    } finally {
      isRunning = false;
      if (isWanted) again = GATHER;
      isWanted = false;
      if (again !== undefined) poke(again);
    }
  }

  return {
    poke,
    issues: () => issues,
    stop() {
      isStopped = true;
      timer?.();
    },
  };
}

/** What is named of pictures that were left out; those that no note names, in one sentence. */
function issuesOf(left: readonly AttachmentLeftOut[]): FolderIssue[] {
  const others = left.filter(({ reason }) => reason !== 'not_named');
  const unnamed = left.filter(({ reason }) => reason === 'not_named').map(({ path }) => path);
  const issues = others.map(({ path, detail }): FolderIssue => ({ path, reason: 'attachment', detail }));
  if (unnamed.length === 0) return issues;
  const more = unnamed.length > NAMED ? ` and ${unnamed.length - NAMED} more` : '';
  const detail = `no note names ${unnamed.slice(0, NAMED).join(', ')}${more}: pictures and PDFs are stored where a note names them`;
  return [...issues, { path: '.', reason: 'attachment', detail }];
}

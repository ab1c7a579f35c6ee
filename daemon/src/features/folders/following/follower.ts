import path from 'node:path';
import type { FolderIssue, FolderState } from '@reverie/shared/contract/memories/folders';
import type { Stop } from '../../../platform/clock.ts';
import type { Log } from '../../../platform/log.ts';
import { isAttachmentName } from '@reverie/memory-formats/notes/attachment-kinds';
import { messageOf } from '@reverie/memory-formats/reader';
import { readerOf, showsPictures } from '@reverie/memory-formats/readers';
import { countSources, findFileCount, type FolderRow, saveFileCount } from '../folders.store.ts';
import { createHolding } from './holding.ts';
import { createIgnoring, isIgnoreFile } from './ignoring.ts';
import { noteNames } from './note-names.ts';
import { createMissing, type Schedule } from './missing.ts';
import { createNotesPass } from './notes.ts';
import type { PassWorld, PassWork } from './pass.ts';
import { createRecordsPass } from './records.ts';
import { lookAtRoot } from '../root.ts';
import type { TakePictures } from '../pictures.ts';
import { startPictureLooks } from './picture-looks.ts';
import type { TakingDeps } from './taking.ts';
import type { FolderWatch } from './watching.ts';
import { createWritingOut } from '../writing/writing-out.ts';

export interface FollowerDeps {
  taking: TakingDeps;
  log: Log;
  schedule: Schedule;
  take: TakePictures;
  watch: (watch: FolderWatch) => Stop;
}

/** One folder, followed until it is stopped. */
export interface FolderFollower {
  state(): FolderState;
  issues(): FolderIssue[];
  /** Something was written here: it may concern the folder. */
  changedHere(): void;
  /** What is missing is meant to be gone. False where nothing is held back. */
  prune(): boolean;
  /** Looks at the whole folder, for what the system did not tell. */
  sweep(): void;
  stop: Stop;
}

/** How long changes gather before they are looked at, ms: an editor makes several for one. */
const SETTLE = 120;
/** How long until what is new is looked at again, ms: the system is asked to tell of it only once it is there. */
const LISTENED_TO = 1000;
/** How long until a folder that was away is looked for again, ms. */
const LOOK_AGAIN = 1000;
/** Files that are named of those that are gone at once. */
const NAMED = 3;
/** How long until what failed is tried again, ms. */
const TRY_AGAIN = 5000;

/**
 * Follows a folder. What is heard of a change only says where to look; what is so is read from the files, one look after the other, so that
 * the order in which changes are told does not matter.
 */
export function startFollowing(deps: FollowerDeps, folder: FolderRow): FolderFollower {
  const { taking, log, schedule } = deps;
  let state: FolderState = { kind: 'catching_up', done: 0, of: 0 };
  let touched = new Set<string>();
  let owes: Omit<PassWork, 'touched'> = { isWhole: true, isDeep: true };
  let timer: Stop | undefined;
  let fresh: { files: Set<string>; stop: Stop } | undefined;
  let unwatch: Stop | undefined;
  let deaf: FolderIssue | undefined;
  let files = taking.store.read((db) => findFileCount(db, folder.id));
  let lookingAgain: Stop | undefined;
  let emptiness: 'there are files' | 'in doubt' | 'meant' = 'there are files';
  let [isRunning, isWanted, isStopped] = [false, false, false];

  const issues = new Map<string, FolderIssue>();
  const ignoring = createIgnoring(folder.path, (file, error) => {
    const detail = `its rules cannot be read, so nothing is ignored by them: ${messageOf(error)}`;
    issues.set(file, { path: file, reason: 'unreadable', detail });
  });
  const heard = (file: string) => {
    touched.add(file);
    poke();
  };
  const world: PassWorld = {
    deps: taking,
    issues,
    places: new Map(),
    holding: createHolding(() => taking.clock.now(), files),
    missing: createMissing(schedule, (paths) => {
      for (const one of paths) touched.add(path.join(folder.path, one));
      poke(0);
    }),
    progress(done, of) {
      if (state.kind === 'catching_up') state = { kind: 'catching_up', done, of };
    },
    again: heard,
    isStopped: () => isStopped,
  };
  const isNote = noteNames(folder.format);
  const pass = isNote
    ? createNotesPass(world, folder, { isNote, ignoring })
    : createRecordsPass(world, folder, { reader: readerOf(folder.format), ignoring });
  const writeOut =
    folder.sync === 'both' && isNote ? createWritingOut(world, folder, { isNote, ignoring }) : undefined;

  const pictures = showsPictures(folder.format)
    ? startPictureLooks(deps, folder, ignoring.ignores)
    : undefined;

  const countMemories = () => taking.store.read((db) => countSources(db, folder.id));

  function poke(ms = SETTLE): void {
    if (isStopped || timer) return;
    if (isRunning) isWanted = true;
    else
      timer = schedule(ms, () => {
        timer = undefined;
        void run();
      });
  }

  async function run(): Promise<void> {
    isRunning = true;
    try {
      await look();
    } catch (error) {
      if (isStopped) return;
      log.warn({ err: error, folder: folder.id }, 'a folder could not be followed; it is tried again');
      pause(messageOf(error), TRY_AGAIN);
    } finally {
      isRunning = false;
    }
    if (isWanted) {
      isWanted = false;
      poke();
    }
  }

  /** Changes nothing until a later look; then everything is read anew. */
  function pause(reason: string, ms: number): void {
    state = { kind: 'paused', reason };
    unwatch?.();
    unwatch = undefined;
    world.missing.forget();
    owes = { isWhole: true, isDeep: true };
    isWanted = false;
    timer?.();
    timer = schedule(ms, () => {
      timer = undefined;
      void run();
    });
  }

  async function look(): Promise<void> {
    const root = await lookAtRoot(folder.path);
    if (isStopped) return;
    if (root.kind === 'away') return pause(root.reason, LOOK_AGAIN);
    if (!root.isEmpty) emptiness = 'there are files';
    else if (emptiness !== 'meant' && countMemories() > 0) {
      emptiness = 'in doubt';
      return pause(
        `${folder.path} is empty; its disk may not be connected. Where it is meant to be empty, \`reverie folders prune\` moves its memories to the trash`,
        LOOK_AGAIN,
      );
    }
    const hasNewRules = [...touched].some(isIgnoreFile);
    if (hasNewRules || owes.isWhole) ignoring.reload();
    if (hasNewRules) {
      unwatch?.();
      unwatch = undefined;
    }
    // Before the files are looked at, so that nothing happens between the two.
    unwatch ??= watch();
    const work: PassWork = { ...owes, isWhole: owes.isWhole || hasNewRules, touched };
    touched = new Set();
    owes = { isWhole: false, isDeep: false };
    if (work.isDeep) state = { kind: 'catching_up', done: 0, of: 0 };
    const wasHolding = world.holding.held().size > 0;
    await pass(work);
    if (isStopped) return;
    const held = world.holding.held();
    if (held.size > 0) return hold(held);
    const count = world.holding.count();
    if (count !== undefined && count !== files) {
      files = count;
      taking.store.write((db) => saveFileCount(db, folder.id, count));
    }
    // What was away may be another disk, of which nothing is heard by the old watch.
    if (wasHolding) {
      unwatch?.();
      unwatch = watch();
    }
    await writeOut?.();
    if (isStopped) return;
    state = { kind: 'watching' };
    pictures?.poke();
  }

  /** Takes what is there, removes nothing and writes nothing; looks again for what may be there again without a word. */
  function hold(held: ReadonlySet<string>): void {
    state = {
      kind: 'holding',
      gone: held.size,
      of: countMemories(),
      files: [...held].sort().slice(0, NAMED),
    };
    lookingAgain ??= schedule(TRY_AGAIN, () => {
      lookingAgain = undefined;
      owes = { ...owes, isWhole: true };
      poke(0);
    });
  }

  /** An edit right after a file was made may not be heard. */
  function appeared(file: string): void {
    fresh ??= {
      files: new Set(),
      stop: schedule(LISTENED_TO, () => {
        for (const one of fresh?.files ?? []) touched.add(one);
        fresh = undefined;
        poke(0);
      }),
    };
    fresh.files.add(file);
  }

  function watch(): Stop {
    deaf = undefined;
    return deps.watch({
      root: folder.path,
      ignores: isUnwatched,
      happened: heard,
      appeared,
      // Its own look at the folder took a while, in which it heard nothing.
      ready() {
        owes = { ...owes, isWhole: true };
        poke();
      },
      failed(error) {
        // The system may say so once a folder.
        if (!deaf) log.warn({ err: error, folder: folder.id }, 'changes of a folder may not be heard');
        const detail = `the system does not tell of every change, so the folder is looked at each minute: ${messageOf(error)}`;
        deaf = { path: '.', reason: 'unreadable', detail };
      },
    });
  }

  function isUnwatched(file: string, kind: 'folder' | 'file' | undefined): boolean {
    const relative = path.relative(folder.path, file).split(path.sep).join('/').normalize('NFC');
    if (relative === '' || kind === undefined) return false;
    if (kind === 'file' && isIgnoreFile(relative)) return false;
    const isPicture = pictures !== undefined && isAttachmentName(relative);
    if (kind === 'file' && isNote && !isNote(relative) && !isPicture) return true;
    return ignoring.ignores(relative, kind === 'folder');
  }

  poke(0);
  return {
    state: () => state,
    issues: () => [...(deaf ? [deaf] : []), ...issues.values(), ...(pictures?.issues() ?? [])],
    changedHere() {
      if (writeOut) poke();
    },
    prune() {
      if (world.holding.held().size === 0 && emptiness !== 'in doubt') return false;
      world.holding.approve();
      if (emptiness === 'in doubt') emptiness = 'meant';
      owes = { ...owes, isWhole: true };
      poke(0);
      return true;
    },
    sweep() {
      owes = { ...owes, isWhole: true };
      poke(0);
    },
    stop() {
      isStopped = true;
      pictures?.stop();
      timer?.();
      fresh?.stop();
      lookingAgain?.();
      unwatch?.();
      world.missing.forget();
    },
  };
}

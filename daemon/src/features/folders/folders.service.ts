import type { AccountId } from '@reverie/shared/accounts/caller';
import type { Folder, FolderFormat, FolderIssue } from '@reverie/shared/contract/memories/folders';
import { Problem } from '@reverie/shared/contract/problems';
import type { Stop } from '../../platform/clock.ts';
import { newUlid } from '../../platform/ids.ts';
import { isDiskFull } from '../../platform/home/room.ts';
import { ImportError } from '@reverie/memory-formats/reader';
import {
  countSources,
  deleteFolder,
  findLastChange,
  type FolderRow,
  insertFolder,
  listAllFolders,
  listFolderRows,
  withoutMemory,
  withUnreadFrontmatter,
} from './folders.store.ts';
import { type FolderFollower, type FollowerDeps, startFollowing } from './following/follower.ts';
import { noteNames } from './following/note-names.ts';
import type { TakenPictures } from './pictures.ts';
import { checkRoot } from './root.ts';
import { deletedIssue } from './following/taking.ts';

export interface FoldersDeps extends FollowerDeps {
  /** The home of Reverie, which no followed folder may hold. */
  home: string;
}

interface Wanted {
  path: string;
  namespace: string;
  format?: FolderFormat | undefined;
  prune: boolean;
  sync: Folder['sync'];
}

/** The folders that are followed while this runs. */
export interface Folders {
  add(account: AccountId, wanted: Wanted): Promise<Folder>;
  list(account: AccountId): Folder[];
  remove(account: AccountId, id: string): void;
  /** The files of a folder that are gone at once are meant to be gone: their memories go to the trash. */
  prune(account: AccountId, id: string): Folder;
  /** Stores the pictures of a folder whose notes were imported. */
  takePictures(account: AccountId, from: { path: string; namespace: string }): Promise<TakenPictures>;
  /** Something was written here. */
  changedHere(): void;
  start(): void;
  /** Ends all of it: nothing is written from then on. */
  end(): void;
}

/** Issues that are listed; how many there are is always said. */
const LISTED = 200;
const SWEEP = 60_000;

/** Follows the folders that were added, and those of earlier runs once it is started. */
export function createFolders(deps: FoldersDeps): Folders {
  const { store, clock } = deps.taking;
  const followers = new Map<string, FolderFollower>();
  let sweeping: { stop: Stop } | undefined;
  let isEnded = false;
  const follow = (row: FolderRow) => {
    if (!isEnded) followers.set(row.id, startFollowing(deps, row));
  };
  const shown = (row: FolderRow): Folder => {
    const follower = followers.get(row.id);
    const issues = [...(follower?.issues() ?? []), ...deletedHere(row), ...unreadFrontmatter(row)];
    const lastChange = store.read((db) => findLastChange(db, row.id));
    return {
      id: row.id,
      path: row.path,
      namespace: row.namespace,
      format: row.format,
      sync: row.sync,
      prune: row.prune === 1,
      created_at: new Date(row.created_at).toISOString(),
      state: follower?.state() ?? { kind: 'paused', reason: 'Reverie is starting' },
      memories: store.read((db) => countSources(db, row.id)),
      last_change_at: lastChange === null ? null : new Date(lastChange).toISOString(),
      issues: issues.slice(0, LISTED),
      issues_total: issues.length,
    };
  };

  function deletedHere(row: FolderRow): FolderIssue[] {
    if (row.sync === 'both') return [];
    const named = new Set(
      followers
        .get(row.id)
        ?.issues()
        .map(({ path }) => path),
    );
    return store
      .read((db) => withoutMemory(db, row))
      .filter(({ path, renamed_to }) => renamed_to === null && !named.has(path))
      .map(deletedIssue);
  }

  function unreadFrontmatter(row: FolderRow): FolderIssue[] {
    // The rules of agents have one of their own, which is no YAML: `globs: *.ts`.
    if (row.format === 'agent-files') return [];
    return store
      .read((db) => withUnreadFrontmatter(db, row))
      .map(({ path, detail }) => ({ path, reason: 'frontmatter', detail }));
  }

  return {
    async add(account, { path, namespace, format, prune, sync }) {
      const others = () => store.read(listAllFolders);
      const root = await checkRoot(path, { home: deps.home, others: others() });
      const row: FolderRow = {
        id: `fld_${newUlid(clock.now())}`,
        account,
        path: root,
        namespace,
        sync,
        format: format ?? (await formatOf(root, sync)),
        prune: prune ? 1 : 0,
        created_at: clock.now(),
        last_change_at: null,
      };
      refuseMixture(row, others());
      // Another request may have added one while the folder was looked at.
      await checkRoot(path, { home: deps.home, others: others() });
      store.write((db) => insertFolder(db, row));
      follow(row);
      return shown(row);
    },
    list: (account) => store.read((db) => listFolderRows(db, account)).map(shown),
    remove(account, id) {
      if (!store.write((db) => deleteFolder(db, account, id))) throw notFollowed(id);
      followers.get(id)?.stop();
      followers.delete(id);
    },
    prune(account, id) {
      const row = store.read((db) => listFolderRows(db, account)).find((one) => one.id === id);
      if (!row) throw notFollowed(id);
      if (!followers.get(id)?.prune())
        throw new Problem(
          'conflict',
          `Nothing of ${row.path} is held back: the memory of a file that is removed there goes to the trash by itself`,
        );
      return shown(row);
    },
    async takePictures(account, { path, namespace }) {
      const root = await checkRoot(path, { home: deps.home, others: [] });
      try {
        return await deps.take({ account, namespace, root, removes: false, isStopped: () => isEnded });
      } catch (cause) {
        if (!isDiskFull(cause)) throw cause;
        const message = `The disk that holds ${deps.home} is full, so not all pictures were stored. Free some space and import again.`;
        throw new Problem('disk_full', message, { cause });
      }
    },
    changedHere() {
      for (const follower of followers.values()) follower.changedHere();
    },
    start() {
      for (const row of store.read(listAllFolders)) follow(row);
      sweeping = clock.every(SWEEP, () => {
        for (const follower of followers.values()) follower.sweep();
      });
    },
    end() {
      isEnded = true;
      sweeping?.stop();
      for (const follower of followers.values()) follower.stop();
      followers.clear();
    },
  };
}

function notFollowed(id: string): Problem {
  return new Problem(
    'folder_not_found',
    `No folder ${JSON.stringify(id)} is followed; the list of folders has their ids`,
  );
}

/** The format of a folder; Markdown where it is not clear, as of one that is empty yet, or where no file of it could be written. */
async function formatOf(root: string, sync: Folder['sync']): Promise<FolderFormat> {
  const { detectFormat } = await import('@reverie/memory-formats/detect-format');
  try {
    const { format } = await detectFormat(root);
    return sync === 'both' && !noteNames(format) ? 'markdown' : format;
  } catch (error) {
    if (error instanceof ImportError) return 'markdown';
    throw error;
  }
}

/** Throws where a folder that is written to is in no format for that, or shares its namespace. */
function refuseMixture({ format, sync, namespace }: FolderRow, others: readonly FolderRow[]): void {
  if (sync === 'both' && !noteNames(format)) {
    const message = `is "both"; a folder in the format ${format} is read only: leave it at "in"`;
    throw new Problem('invalid_request', `sync: ${message}`, { errors: [{ path: 'sync', message }] });
  }
  const met = others.find((one) => one.namespace === namespace && (sync === 'both' || one.sync === 'both'));
  if (met)
    throw new Problem(
      'conflict',
      `The namespace ${JSON.stringify(namespace)} is that of ${met.path} (${met.id}) already, and one that is written into files has one folder; choose another namespace`,
    );
}

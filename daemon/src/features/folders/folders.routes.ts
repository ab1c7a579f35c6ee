import type { AccountId, Caller } from '@reverie/shared/accounts/caller';
import * as contract from '@reverie/shared/contract/memories/folders';
import { Problem } from '@reverie/shared/contract/problems';
import type { Mount } from '@reverie/shared/http/mount';
import type { Folders } from './folders.service.ts';

/** Files that were left out and are listed. */
const LISTED = 1_000;

/** Owners of other accounts are refused: the files are this machine's. */
export function folderRoutes(
  mount: Mount<Caller>,
  folders: Folders,
  isMachine: (account: AccountId) => boolean,
): void {
  const ofMachine = ({ key, account }: Caller) => {
    if (!isMachine(key.account) || !isMachine(account))
      throw new Problem(
        'forbidden_scope',
        "Only for this machine's own account may folders be followed, with its owner key",
      );
  };
  mount(contract.addFolder, ({ caller, body }) => {
    ofMachine(caller);
    return folders.add(caller.account, body);
  });
  mount(contract.listFolders, ({ caller }) => {
    ofMachine(caller);
    return { folders: folders.list(caller.account) };
  });
  mount(contract.takeFolderAttachments, async ({ caller, body }) => {
    ofMachine(caller);
    const { stored, unchanged, left } = await folders.takePictures(caller.account, body);
    return { stored, unchanged, left: left.slice(0, LISTED), left_total: left.length };
  });
  mount(contract.pruneFolder, ({ caller, params }) => {
    ofMachine(caller);
    return folders.prune(caller.account, params.id);
  });
  mount(contract.removeFolder, ({ caller, params }) => {
    ofMachine(caller);
    folders.remove(caller.account, params.id);
    return { success: true as const, id: params.id };
  });
}

import type { AccountId } from '@reverie/shared/accounts/caller';
import type { AttachmentLeftOut } from '@reverie/shared/contract/memories/attachments';
import type { Ignores } from '@reverie/memory-formats/reader';

/** What became of the pictures and PDFs of a folder. */
export interface TakenPictures {
  stored: number;
  unchanged: number;
  left: AttachmentLeftOut[];
}

/** Stores the pictures and PDFs below a folder that notes of its namespace name, and names those that it leaves out. */
export type TakePictures = (folder: {
  account: AccountId;
  namespace: string;
  /** Its real path. */
  root: string;
  ignores?: Ignores;
  /** Whether what is gone there is taken away here. */
  removes: boolean;
  isStopped?: () => boolean;
}) => Promise<TakenPictures>;

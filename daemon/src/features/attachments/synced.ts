import fs from 'node:fs';
import type { ReadDb } from '../../db/open-store.ts';
import { HEAD_BYTES, typeOf } from '../../portable/attachment-kinds.ts';
import {
  attachmentAt,
  type AttachmentRow,
  bytesOfAccount,
  deleteAttachment,
  FROM_DEVICES,
  linksToFiles,
  listAttachments,
  type NamespaceAt,
  saveAttachment,
} from './attachments.store.ts';
import { filesByName, resolveFile } from './naming.ts';
import { MOST_BYTES, type TakingDeps } from './taking.ts';

/** Why a file of another device is not kept. */
type NotKept = 'wrong_bytes' | 'other_type' | 'full';

/** A file of another device. */
type FileThere = Pick<AttachmentRow, 'path' | 'hash' | 'size'>;

/** The pictures and PDFs of namespaces, as they go between devices (0069); `kept` is told after each that was kept. */
export function syncedFiles({ store, files }: TakingDeps, kept: () => void) {
  const isHere = (hash: string) => fs.existsSync(files.fileOf(hash));
  return {
    all: (at: NamespaceAt) =>
      store
        .read((db) => listAttachments(db, at))
        .map(({ path, hash, size, source }) => ({ path, hash, size, isOwn: source !== FROM_DEVICES })),
    named(at: NamespaceAt, paths: readonly string[]) {
      const find = filesByName(paths);
      const links = store.read((db) => linksToFiles(db, at));
      return new Set(links.flatMap((link) => resolveFile(link, link.from, find) ?? []));
    },
    fileOf: (hash: string) => (isHere(hash) ? files.fileOf(hash) : undefined),
    async keep(
      at: NamespaceAt,
      { path, hash, size }: FileThere,
      bytes: () => Promise<AsyncIterable<Uint8Array>>,
    ): Promise<'kept' | NotKept> {
      if (size > MOST_BYTES.file) return 'wrong_bytes';
      const isFull = (db: ReadDb) => bytesOfAccount(db, at.account) + size > MOST_BYTES.account;
      if (store.read(isFull)) return 'full';
      const come = isHere(hash) ? undefined : await files.receive(await bytes(), size);
      try {
        if (come && (come.kind === 'too_large' || come.hash !== hash || come.size !== size))
          return 'wrong_bytes';
        return store.write((db): 'kept' | NotKept => {
          if (isFull(db)) return 'full';
          come?.place();
          const type = typeOf(headOf(files.fileOf(hash)));
          // Nothing that is kept is of no kind, so that nobody else names it.
          if (!type) {
            files.remove(hash);
            return 'other_type';
          }
          const row = attachmentAt(db, at, path);
          // A folder of this machine has a file there by now.
          if (row && row.source !== FROM_DEVICES) return 'kept';
          saveAttachment(db, at, { path, hash, size, type, source: FROM_DEVICES, stamp: '' });
          db.afterCommit(kept);
          return 'kept';
        });
      } finally {
        if (come?.kind === 'received') come.discard();
      }
    },
    drop(at: NamespaceAt, path: string) {
      store.write((db) => {
        if (attachmentAt(db, at, path)?.source === FROM_DEVICES) deleteAttachment(db, at, path);
      });
    },
  };
}

function headOf(file: string): Buffer {
  const handle = fs.openSync(file, 'r');
  try {
    const head = Buffer.alloc(HEAD_BYTES);
    return head.subarray(0, fs.readSync(handle, head, 0, HEAD_BYTES, 0));
  } finally {
    fs.closeSync(handle);
  }
}

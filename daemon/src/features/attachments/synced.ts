import fs from 'node:fs';
import type { ReadDb } from '../../db/open-store.ts';
import { HEAD_BYTES, typeOf } from '@reverie/memory-formats/notes/attachment-kinds';
import {
  attachmentAt,
  type AttachmentRow,
  bytesOfAccount,
  deleteAttachment,
  FROM_DEVICES,
  changesOf,
  findAttachment,
  linksBehind,
  listAttachments,
  type NamespaceAt,
  type PlacedLink,
  saveAttachment,
} from './attachments.store.ts';
import { createYielding } from '../../platform/yielding.ts';
import { lastPart } from '../../language/notes/note-names.ts';
import { createFileResolver, fileNamed } from './naming.ts';
import { MOST_BYTES, type TakingDeps } from './taking.ts';

/** Why a file of another device is not kept. */
type NotKept = 'wrong_bytes' | 'other_type' | 'full';

/** A file of another device. */
type FileThere = Pick<AttachmentRow, 'path' | 'hash' | 'size'>;

/** Links that are read in one turn. */
const LINKS_AT_ONCE = 500;

/** The pictures and PDFs of namespaces, as they go between devices (0069); `kept` is told after each that was kept. */
export function syncedFiles({ store, files }: TakingDeps, kept: () => void) {
  const isHere = (hash: string) => fs.existsSync(files.fileOf(hash));
  return {
    all: (at: NamespaceAt) =>
      store
        .read((db) => listAttachments(db, at))
        .map(({ path, hash, size, source }) => ({ path, hash, size, isOwn: source !== FROM_DEVICES })),
    linksVersion: ({ account }: NamespaceAt) => store.read((db) => changesOf(db, account)),
    async named(at: NamespaceAt, paths: readonly string[]) {
      const turn = createYielding();
      const here = store.read((db) => listAttachments(db, at)).map(({ path }) => path);
      const resolve = createFileResolver(new Set([...here, ...paths]));
      const asked = new Set(paths);
      const named = new Set<string>();
      for (const name of new Set(paths.map((path) => lastPart(fileNamed(path).path)))) {
        let page: PlacedLink[];
        let behind = { memory: 0, position: -1 };
        do {
          page = store.read((db) => linksBehind(db, at, { name, ...behind, limit: LINKS_AT_ONCE }));
          for (const link of page) {
            const path = resolve(link, link.from);
            if (path !== undefined && asked.has(path)) named.add(path);
            await turn();
          }
          behind = page.at(-1) ?? behind;
        } while (page.length === LINKS_AT_ONCE);
        await turn();
      }
      return named;
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
      // What others of this machine have is fetched all the same: to leave that out would tell that it is here, and hand it to whoever knows its hash.
      const isOurs = store.read((db) => findAttachment(db, at, hash)) !== undefined && isHere(hash);
      if (isOurs && fs.statSync(files.fileOf(hash)).size !== size) return 'wrong_bytes';
      const come = isOurs ? undefined : await files.receive(await bytes(), size);
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

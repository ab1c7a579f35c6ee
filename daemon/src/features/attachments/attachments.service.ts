import fs from 'node:fs';
import type { AccountId } from '@reverie/shared/accounts/caller';
import type {
  getAttachment,
  listAttachments,
  memoryAttachments,
} from '@reverie/shared/contract/memories/attachments';
import { Problem } from '@reverie/shared/contract/problems';
import type { Parsed, Reply } from '@reverie/shared/contract/route';
import { FileReply } from '@reverie/shared/http/mount';
import type { ReadDb, Store } from '../../db/open-store.ts';
import { lastPart } from '../../language/notes/note-names.ts';
import type { HashedFiles } from '../../platform/home/hashed-files.ts';
import {
  type AttachmentRow,
  attachmentsNamed,
  deleteAbandoned,
  findAttachment,
  forgetFreed,
  freedHashes,
  isNamed,
  linksToFilesOf,
  listAttachments as listRows,
} from './attachments.store.ts';
import { fileNamed, resolveFile } from './naming.ts';
import { releaseTexts, textOf } from './texts/texts.store.ts';

export interface AttachmentsDeps {
  store: Store;
  files: HashedFiles;
}

/** Nothing of an attachment runs, and nothing of it is fetched, wherever it is opened. */
const POLICY = "sandbox; default-src 'none'; style-src 'unsafe-inline'";

function shown(db: ReadDb, account: AccountId, { path, hash, size, type }: AttachmentRow) {
  const read = type === 'application/pdf' ? textOf(db, { account, hash }) : undefined;
  const text = read && {
    pages: read.pages,
    characters: read.characters,
    ...(read.left_out && { left_out: read.left_out }),
  };
  return { path, hash, size, type, ...(text && { text }) };
}

/** The attachments of a namespace, a page of them. */
export function attachmentsIn(
  { store }: AttachmentsDeps,
  account: AccountId,
  { namespace, after, limit }: Parsed<typeof listAttachments>['query'],
): Reply<typeof listAttachments> {
  return store.read((db) => {
    const rows = listRows(db, { account, namespace }, { after, limit: limit + 1 });
    const page = rows.slice(0, limit);
    return {
      attachments: page.map((row) => shown(db, account, row)),
      next: rows.length > limit ? (page.at(-1)?.path ?? null) : null,
    };
  });
}

/** The pictures and documents that a note names, by what stands in its links. Throws `memory_not_found`. */
export function attachmentsOfNote(
  { store }: AttachmentsDeps,
  account: AccountId,
  { namespace, key }: Parsed<typeof memoryAttachments>['query'],
): Reply<typeof memoryAttachments> {
  const at = { account, namespace };
  return store.read((db) => {
    const note = linksToFilesOf(db, at, key);
    if (!note) throw new Problem('memory_not_found', `No memory ${key} in ${namespace}`);
    const rows = new Map<string, AttachmentRow>();
    const find = (name: string) =>
      attachmentsNamed(db, at, name).map((row) => {
        rows.set(row.path, row);
        return fileNamed(row.path);
      });
    const attachments = new Map(
      note.links.flatMap((link) => {
        const row = rows.get(resolveFile(link, note.from, find) ?? '');
        return row ? [[link.target, { link: link.target, ...shown(db, account, row) }] as const] : [];
      }),
    );
    return { attachments: [...attachments.values()] };
  });
}

/** The bytes of an attachment of a namespace. Throws `not_found`, whatever the reason is that it is not there for who asks. */
export function attachmentFile(
  { store, files }: AttachmentsDeps,
  account: AccountId,
  { hash, namespace }: Parsed<typeof getAttachment>['params'] & Parsed<typeof getAttachment>['query'],
): FileReply {
  const row = store.read((db) => findAttachment(db, { account, namespace }, hash));
  const file = files.fileOf(hash);
  if (!row || !fs.existsSync(file)) throw new Problem('not_found', 'No such attachment');
  const name = encodeURIComponent(lastPart(row.path)).replaceAll(
    /['()*]/gu,
    (sign) => `%${sign.charCodeAt(0).toString(16)}`,
  );
  const isPicture = row.type.startsWith('image/');
  return new FileReply(() => fs.createReadStream(file), {
    type: row.type,
    size: row.size,
    etag: hash,
    headers: {
      'Content-Disposition': `${isPicture ? 'inline' : 'attachment'}; filename*=UTF-8''${name}`,
      'Content-Security-Policy': POLICY,
    },
  });
}

/** Removes files whose rows were taken away and that nobody else names, and what they say from accounts that do not. */
export function removeFreed({ store, files }: AttachmentsDeps, released: (account: AccountId) => void): void {
  for (const hash of store.read(freedHashes))
    store.write((db) => {
      const accounts = releaseTexts(db, hash);
      db.afterCommit(() => {
        for (const account of accounts) released(account);
      });
      // In the transaction, so that nobody names it meanwhile.
      if (!isNamed(db, hash)) files.remove(hash);
      forgetFreed(db, hash);
    });
}

/** Takes away what is of namespaces that are gone, and files that no row names, as an end in the midst of something leaves them. */
export function removeStrays({ store, files }: AttachmentsDeps): void {
  store.write(deleteAbandoned);
  const strays = store.read((db) => files.hashes().filter((hash) => !isNamed(db, hash)));
  for (const hash of strays)
    store.write((db) => {
      if (!isNamed(db, hash)) files.remove(hash);
    });
}

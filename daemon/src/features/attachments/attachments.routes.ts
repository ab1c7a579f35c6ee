import type { Caller } from '@reverie/shared/accounts/caller';
import * as contract from '@reverie/shared/contract/memories/attachments';
import type { Mount } from '@reverie/shared/http/mount';
import {
  attachmentFile,
  type AttachmentsDeps,
  attachmentsIn,
  attachmentsOfNote,
} from './attachments.service.ts';

export function attachmentRoutes(mount: Mount<Caller>, deps: AttachmentsDeps): void {
  mount(contract.listAttachments, ({ query, caller }) => attachmentsIn(deps, caller.account, query));
  mount(contract.memoryAttachments, ({ query, caller }) => attachmentsOfNote(deps, caller.account, query));
  mount(contract.getAttachment, ({ params, query, caller }) =>
    attachmentFile(deps, caller.account, { ...params, ...query }),
  );
}

import * as files from '@reverie/shared/contract/relay/relay-files';
import type { Mount } from '@reverie/shared/http/mount';
import { blobOf, createBlobTaking, type FilesDeps, filesOf, nameFiles } from '../files/files.service.ts';
import type { Caller } from './callers.ts';

/** The files that notes of rooms name, and what they hold. */
export function fileRoutes(mount: Mount<Caller>, deps: FilesDeps): void {
  const taking = createBlobTaking(deps);
  const at = (room: string, { account }: Caller) => ({ room, account });
  mount(files.listFiles, ({ params: { id }, caller }) => filesOf(deps, at(id, caller)));
  mount(files.nameFiles, ({ params: { id }, body, caller }) => nameFiles(deps, at(id, caller), body));
  mount(files.sendBlob, async ({ params: { id, hash }, file, caller }) => {
    await taking.take({ ...at(id, caller), hash }, file);
    return { success: true as const };
  });
  mount(files.getBlob, ({ params: { id, hash }, caller }) => blobOf(deps, { ...at(id, caller), hash }));
}

import type { Caller } from '@reverie/shared/accounts/caller';
import { readTexts } from '@reverie/shared/contract/system/models';
import type { Mount } from '@reverie/shared/http/mount';
import { type ModelFor, readWithModel } from './reading.service.ts';

export function readingRoutes(
  mount: Mount<Caller>,
  modelFor: ModelFor,
  ofMachine: (caller: Caller) => void,
): void {
  mount(readTexts, ({ caller, body }) => {
    ofMachine(caller);
    return readWithModel(modelFor, caller.account, body);
  });
}

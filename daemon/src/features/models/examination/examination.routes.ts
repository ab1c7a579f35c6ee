import type { Caller } from '@reverie/shared/accounts/caller';
import * as contract from '@reverie/shared/contract/system/models';
import type { Mount } from '@reverie/shared/http/mount';
import type { Examining } from './examination.ts';

/** `ofMachine` refuses owners of other accounts: the models are the machine's. */
export function examinationRoutes(
  mount: Mount<Caller>,
  examining: Examining,
  ofMachine: (caller: Caller) => void,
): void {
  mount(contract.examineModel, ({ caller, body }) => {
    ofMachine(caller);
    return examining.start(body, caller.account);
  });
  mount(contract.stopExamining, ({ caller }) => {
    ofMachine(caller);
    return examining.stop();
  });
}

import type { Caller } from '@reverie/shared/accounts/caller';
import * as contract from '@reverie/shared/contract/models';
import type { Mount } from '@reverie/shared/http/mount';
import type { Found } from './found/found.service.ts';
import type { Pulls } from './pull/pull.service.ts';

/** Finding model servers on this machine, and having Ollama get a model. */
export function gettingRoutes(
  mount: Mount<Caller>,
  { find, pulls }: { find: () => Promise<Found>; pulls: Pulls },
): void {
  mount(contract.findModels, () => find());
  mount(contract.pullModel, ({ body }) => pulls.start(body));
  mount(contract.stopPulling, () => pulls.stop());
}

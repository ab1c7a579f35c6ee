import { examineModel } from '@reverie/shared/contract/system/models';
import { call } from '../../platform/daemon/api.ts';
import { notify } from '../../platform/notices.ts';
import { useActing } from './acting.ts';
import { leadTo } from './focus.ts';
import type { NamedModel } from './words.ts';

interface Examined extends NamedModel {
  /** Whether somebody agreed that its made-up notes go to a server beyond this machine. */
  isBeyond?: boolean;
}

/** Has a model examined, and says why not where that cannot be begun. */
export function useExamining() {
  const examine = useActing(async ({ server, name, isBeyond = false }: Examined) => {
    await call(examineModel, { body: { server, name, beyond_this_machine: isBeyond } });
    leadTo('examination');
  });
  return {
    isPending: examine.isPending,
    mutate: (given: Examined) =>
      examine.mutate(given, {
        onError: (error) => notify('bad', `${given.name} is not examined: ${error.message}`),
      }),
  };
}

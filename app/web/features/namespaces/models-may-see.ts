import { type NamespaceModels, changeNamespace } from '@reverie/shared/contract/memories/memories';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../platform/daemon/api.ts';
import { notify } from '../../platform/notices.ts';
import { namespacesQuery } from './queries.ts';

/** Which models may see a namespace, as it is chosen. */
export const MAY_SEE: readonly { value: NamespaceModels; label: string }[] = [
  { value: 'any', label: 'Any' },
  { value: 'local', label: 'On this machine' },
  { value: 'none', label: 'None' },
];

interface Choice {
  namespace: string;
  models: NamespaceModels;
  before: NamespaceModels;
}

/** Which models may see a namespace from now on, in a sentence. */
export function maySeeWords({ namespace, models }: Pick<Choice, 'namespace' | 'models'>): string {
  switch (models) {
    case 'any':
      return `Any model that is used may see ${namespace}.`;
    case 'local':
      return `Only models on this machine may see ${namespace}.`;
    case 'none':
      return `No model may see ${namespace}.`;
  }
}

/** Says which models may see a namespace; can be taken back at once. */
export function useModelsMaySee() {
  const queries = useQueryClient();
  const choose = useMutation({
    mutationFn: ({ namespace, models }: Choice) =>
      call(changeNamespace, { params: { namespace }, body: { models } }),
    onSuccess: async (_said, choice) => {
      await queries.invalidateQueries({ queryKey: namespacesQuery.queryKey });
      const undo = { ...choice, models: choice.before, before: choice.models };
      notify('good', maySeeWords(choice), { label: 'Undo', run: () => choose.mutate(undo) });
    },
    onError: ({ message }, { namespace }) =>
      notify('bad', `Which models may see ${namespace} was not changed: ${message}`),
  });
  return choose;
}

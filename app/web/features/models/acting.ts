import { useMutation, useQueryClient } from '@tanstack/react-query';
import { modelsQuery } from './queries.ts';

/** Does something with models, and then looks at how they stand: also where it failed, for another tab may have been first. */
export function useActing<Given = void, Got = unknown>(act: (given: Given) => Promise<Got>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: act,
    onSettled: () => queries.invalidateQueries({ queryKey: modelsQuery.queryKey }),
  });
}

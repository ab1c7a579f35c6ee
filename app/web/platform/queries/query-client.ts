import { QueryClient } from '@tanstack/react-query';

/**
 * The cache of what the daemon said. No retries here: `platform/daemon/recovery.ts` asks until the daemon is back,
 * then everything that is on screen is fetched again.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    // `always`: the daemon is on this machine and answers without any network.
    queries: { retry: false, staleTime: 2_000, networkMode: 'always', refetchOnWindowFocus: 'always' },
    mutations: { retry: false, networkMode: 'always' },
  },
});

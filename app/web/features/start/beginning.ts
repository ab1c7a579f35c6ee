import type { ApiKey } from '@reverie/shared/contract/keys';

/** The key that a program used last, if any did: neither the owner's own nor that of the page. */
export function agentKey(keys: readonly ApiKey[]): ApiKey | undefined {
  return keys
    .filter(
      ({ scope, open_sessions, last_used_at }) => scope !== 'owner' && open_sessions === null && last_used_at,
    )
    .toSorted((a, b) => (b.last_used_at ?? '').localeCompare(a.last_used_at ?? ''))[0];
}

/** A call that stores a memory, as it is typed into a shell of an address; the key is on no command line. */
export function curlExample(origin: string): string {
  return [
    `curl ${origin}/v1/memory-set \\`,
    `  -H @<(printf 'Authorization: Bearer %s' \\`,
    `    "$REVERIE_API_KEY") \\`,
    `  -H "Content-Type: application/json" \\`,
    `  -d '{"key": "note:hello", "value": "My first memory"}'`,
  ].join('\n');
}

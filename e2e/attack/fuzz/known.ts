import type { Furniture } from './furnish.ts';

/** What a field of a request may be that somebody sends who has seen the furniture of an account. */
export function knownIn(
  own: Furniture,
  accounts: readonly string[],
  { name, path }: { name: string; path: string },
): readonly string[] {
  if (name === 'namespace') return ['default', own.namespace, 'fuzzed'];
  if (name === 'key') return own.keys;
  if (name === 'webhook_id') return own.webhooks;
  if (name === 'invite') return ['http://127.0.0.1:1/join/x#y', 'http://127.0.0.1:1/i/inv#secret'];
  if (name !== 'id' && name !== 'ids') return [];
  const [, kind] =
    [
      [/^\/webhooks\/(deliveries|dead)/, own.deliveries] as const,
      [/^\/webhooks/, own.webhooks] as const,
      [/insights/, own.insights] as const,
      [/dream/, own.jobs] as const,
      [/^\/keys/, own.apiKeys] as const,
      [/^\/(accounts|outbox)/, accounts] as const,
      [/^\/inbox/, own.messages] as const,
    ].find(([form]) => form.test(path)) ?? [];
  return kind ?? [];
}

import type { ApiKey } from '@reverie/shared/contract/accounts/keys';

/** The key that a program used last, if any did: neither the owner's own nor that of the page. */
export function agentKey(keys: readonly ApiKey[]): ApiKey | undefined {
  return keys
    .filter(
      ({ scope, open_sessions, last_used_at }) => scope !== 'owner' && open_sessions === null && last_used_at,
    )
    .toSorted((a, b) => (b.last_used_at ?? '').localeCompare(a.last_used_at ?? ''))[0];
}

/** What can be connected to Reverie, with the command or text that does it once, and a sentence on what to do with that. */
export function connections(origin: string): readonly { name: string; snippet: string; after: string }[] {
  const asCommand = 'Run it in a terminal; `reverie` is a command after `npm install -g .` in its folder.';
  return [
    { name: 'Claude Code', snippet: 'reverie connect claude-code', after: asCommand },
    { name: 'Codex', snippet: 'reverie connect codex', after: asCommand },
    {
      name: 'Another agent',
      snippet: JSON.stringify(
        { mcpServers: { reverie: { command: 'reverie', args: ['mcp'] } } },
        undefined,
        2,
      ),
      after:
        '`reverie connect` lists eight more that it knows. Most others take MCP servers in this form, in a file of theirs.',
    },
    {
      name: 'A program',
      snippet: curlExample(origin),
      after: 'The key stands in the file `api-key` of Reverie’s home; API keys makes one for each program.',
    },
  ];
}

/** A call that stores a memory, as it is typed into a shell of an address; the key is on no command line. */
function curlExample(origin: string): string {
  return [
    `curl ${origin}/v1/memory-set \\`,
    `  -H @<(printf 'Authorization: Bearer %s' \\`,
    `    "$REVERIE_API_KEY") \\`,
    `  -H "Content-Type: application/json" \\`,
    `  -d '{"key": "note:hello", "value": "My first memory"}'`,
  ].join('\n');
}

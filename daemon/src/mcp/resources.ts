import {
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  ResourceTemplate,
} from '@modelcontextprotocol/server';
import { ApiError } from '@reverie/shared/client';
import { getMemory, listMemories, listNamespaces } from '@reverie/shared/contract/memories/memories';
import { memoryKeys } from '@reverie/shared/contract/memories/memory-keys';
import { handOver, listSessions } from '@reverie/shared/contract/sessions/sessions';
import type { ToolDeps } from './tools/answering.ts';
import { successorOf } from './successor.ts';

/** Keys that are offered while one types an address; the protocol allows a hundred. */
const OFFERED = 50;
/** Titles of a namespace that are read at once. */
const TITLES = 200;
/** Sessions that are listed: the newest of the project. */
const SESSIONS = 20;
/** Tokens of a hand-over that is attached. */
const HANDOVER_TOKENS = 4_000;

/** Memories, namespaces and coding sessions as resources, which a person attaches to a conversation. */
export function registerResources(server: McpServer, { client, scope }: ToolDeps): void {
  server.registerResource(
    'memory',
    new ResourceTemplate('reverie://memory/{namespace}/{key}', {
      list: async () => {
        const body = {
          namespace: scope.namespace,
          limit: OFFERED,
          values: false,
          order: 'updated' as const,
        };
        const { memories } = await client(listMemories, { body });
        return {
          resources: memories.map(({ namespace, key, title }) => ({
            uri: uriOf('memory', namespace, key),
            name: key,
            title,
            mimeType: 'text/markdown',
          })),
        };
      },
      complete: {
        namespace: async (begun) => namesLike(begun, await namespaces()),
        key: async (begun, context) => {
          const namespace = context?.arguments?.['namespace'] ?? scope.namespace;
          const { keys } = await client(memoryKeys, { query: { namespace, prefix: begun, limit: OFFERED } });
          return keys;
        },
      },
    }),
    { title: 'A memory', description: 'The whole text of one memory', mimeType: 'text/markdown' },
    async (uri, { namespace, key }) => {
      const address = { namespace: one(namespace), key: one(key) };
      const memory = await found(uri, () => client(getMemory, { body: address }));
      const successor = await successorOf(client, memory);
      const now = successor && {
        uri: uriOf('memory', successor.namespace, successor.key),
        mimeType: 'text/markdown',
        text: successor.value,
      };
      const asked = { uri: uri.href, mimeType: 'text/markdown', text: memory.value };
      return { contents: now ? [now, asked] : [asked] };
    },
  );
  server.registerResource(
    'namespace',
    new ResourceTemplate('reverie://namespace/{namespace}', {
      list: async () => ({
        resources: (await namespaces()).map((name) => ({
          uri: uriOf('namespace', name),
          name,
          mimeType: 'text/markdown',
        })),
      }),
      complete: { namespace: async (begun) => namesLike(begun, await namespaces()) },
    }),
    {
      title: 'A namespace',
      description: 'Titles and keys of its memories, newest change first',
      mimeType: 'text/markdown',
    },
    async (uri, { namespace }) => {
      const body = {
        namespace: one(namespace),
        limit: TITLES,
        values: false,
        order: 'updated' as const,
      };
      const { memories, total } = await found(uri, () => client(listMemories, { body }));
      const lines = memories.map(({ key, title }) => `- ${title} (\`${key}\`)`);
      const rest = total > memories.length ? [`\n${total - memories.length} more: search for them.`] : [];
      return {
        contents: [{ uri: uri.href, mimeType: 'text/markdown', text: [...lines, ...rest].join('\n') }],
      };
    },
  );
  server.registerResource(
    'session',
    new ResourceTemplate('reverie://sessions/{id}', {
      list: async () => ({
        resources: (await sessions(SESSIONS)).map(({ id, title, agent }) => ({
          uri: uriOf('sessions', id),
          name: id,
          title: `${title} (${agent})`,
          mimeType: 'text/markdown',
        })),
      }),
      complete: {
        id: async (begun) =>
          namesLike(
            begun,
            (await sessions(OFFERED)).map(({ id }) => id),
          ),
      },
    }),
    {
      title: 'A coding session',
      description: 'Its hand-over: what was asked, decided, done, failed, which files, what is open',
      mimeType: 'text/markdown',
    },
    async (uri, { id }) => {
      const wanted = { params: { id: one(id) }, query: { max_tokens: HANDOVER_TOKENS } };
      const { markdown } = await found(uri, () => client(handOver, wanted));
      return { contents: [{ uri: uri.href, mimeType: 'text/markdown', text: markdown }] };
    },
  );

  async function sessions(limit: number) {
    return (await client(listSessions, { query: { namespace: scope.namespace, limit } })).sessions;
  }

  async function namespaces(): Promise<string[]> {
    return (await client(listNamespaces, {})).namespaces.map(({ namespace }) => namespace);
  }
}

function uriOf(kind: string, ...parts: readonly string[]): string {
  return `reverie://${kind}/${parts.map(encodeURIComponent).join('/')}`;
}

/** A part of an address is given as it stands there. */
function one(part: string | readonly string[] | undefined): string {
  const [first = ''] = typeof part === 'string' ? [part] : (part ?? []);
  try {
    return decodeURIComponent(first);
  } catch {
    // A lone percent sign is one.
    return first;
  }
}

function namesLike(begun: string, names: readonly string[]): string[] {
  return names.filter((name) => name.startsWith(begun)).slice(0, OFFERED);
}

/** What is not there is wrong parameters of the request, as the protocol has it. */
async function found<T>(uri: URL, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (cause) {
    if (!(cause instanceof ApiError) || cause.status === 0 || cause.status >= 500) throw cause;
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `${uri.href}: ${cause.message}`);
  }
}

import {
  AGENT_DEFAULT,
  agentAddress,
  type AgentKind,
  agentKinds,
  type FoundModel,
  type FoundServer,
} from '@reverie/shared/contract/system/models';
import { adapters } from '../../../models/agents/adapters.ts';
import { findCommand, versionOf } from '../../../models/agents/find-command.ts';

const CHAT: FoundModel['can'] = ['chat'];
const CHAT_BY_SCHEMA: FoundModel['can'] = ['chat', 'schema'];

/** The coding agents whose command is installed, told by their version; nothing else is asked of them, and nothing of theirs read. */
export async function findAgents(
  environment: NodeJS.ProcessEnv,
): Promise<(Omit<FoundServer, 'consent'> & { kind: AgentKind })[]> {
  const found = await Promise.all(
    agentKinds.map(async (kind) => {
      const adapter = adapters[kind];
      const file = findCommand(adapter, environment);
      const version = file === undefined ? undefined : await versionOf(adapter, file, environment);
      if (version === undefined) return undefined;
      return {
        kind,
        url: agentAddress(kind),
        version,
        needs_key: false,
        models: [
          {
            name: AGENT_DEFAULT,
            bytes: null,
            context: null,
            can: adapter.takesSchema ? CHAT_BY_SCHEMA : CHAT,
          },
        ],
      };
    }),
  );
  return found.filter((agent) => agent !== undefined);
}

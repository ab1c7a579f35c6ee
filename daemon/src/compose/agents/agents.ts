import type { AccountId } from '@reverie/shared/accounts/caller';
import type { McpServer } from '@modelcontextprotocol/server';
import type { Store } from '../../db/open-store.ts';
import { serveA2a } from '../../features/agents/a2a/a2a.routes.ts';
import { createWaiting } from '../../features/agents/a2a/waiting.ts';
import { findJob } from '../../features/dreams/jobs/jobs.store.ts';
import { streamsFor } from '../../features/events/stream-limits.ts';
import { serveMcp } from '../../mcp/mcp.routes.ts';
import type { Log } from '../../platform/log.ts';
import { createOpenStreams } from '../../platform/open-streams.ts';
import { VERSION } from '../../version.ts';
import type { Part } from '../parts.ts';

export interface AgentsParts {
  store: Store;
  log: Log;
  sandboxKey: string | undefined;
  isMachine: (account: AccountId) => boolean;
  /** In tests alone: what `/mcp` serves in place of memory, to anybody. */
  mcpFixture: (() => McpServer) | undefined;
}

/** Joins what agents call: MCP, and A2A with the dreams that its calls wait for. */
export function createAgents({ store, log, sandboxKey, isMachine, mcpFixture }: AgentsParts): Part & {
  /** Told once events are on disk: a call may wait for one. */
  wake(): void;
} {
  const isOver = ({ account }: { account: AccountId }, id: string) => {
    const status = store.read((db) => findJob(db, account, id)?.state.status);
    return status !== 'queued' && status !== 'running';
  };
  const waiting = createWaiting();
  const calls = createOpenStreams(streamsFor(isMachine));
  let endMcp: (() => Promise<void>) | undefined;
  return {
    wake: waiting.wake,
    serve({ http, connections, auth: { callerOf } }) {
      endMcp = serveMcp(http, { callerOf, connections, log, version: VERSION, fixture: mcpFixture });
      serveA2a(http, {
        store,
        callerOf,
        connections,
        isOver,
        waiting,
        calls,
        card: { version: VERSION, sandboxKey },
      });
    },
    async cut() {
      await endMcp?.();
      waiting.end();
    },
  };
}

import type { SessionSource } from '@reverie/shared/contract/sessions/session-sources';
import type { SessionAgent } from '@reverie/shared/contract/sessions/sessions';

/** A source that nobody agreed to yet, with what a test does not care for filled in. */
export function madeSource(agent: SessionAgent, given: Partial<SessionSource> = {}): SessionSource {
  return {
    agent,
    name: agent,
    root: `/home/ada/.${agent}/projects`,
    found: true,
    sessions: 128,
    bytes: 412_000_000,
    unread_lines: 0,
    sample: ['-home-ada-halden/0b1e.jsonl', '-home-ada-mira/77fa.jsonl'],
    enabled: false,
    enabled_at: null,
    state: { kind: 'off' },
    memory: [],
    ...given,
  };
}

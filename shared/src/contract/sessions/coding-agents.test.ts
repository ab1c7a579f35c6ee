import { expect, test } from 'vitest';
import { agentTitle } from './coding-agents.ts';

test('an agent that is not known keeps its name', () => {
  expect(['claude-code', 'aider', 'toString'].map(agentTitle)).toEqual(['Claude Code', 'aider', 'toString']);
});

import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';

const asked = (text: string) => ({
  messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }],
});

/** What a person asks an agent to do with memory, in one step. */
export function registerPrompts(server: McpServer): void {
  server.registerPrompt(
    'recall',
    {
      title: 'Recall before work',
      description: 'Look what is known before a task is begun',
      argsSchema: z.object({ task: z.string().describe('What is about to be done') }),
    },
    ({ task }) =>
      asked(
        `Before you begin: search memory (memory_search) for what bears on this task, in two or three wordings, and ask it (memory_ask) what you would else ask me. Tell me in a few lines what you found that matters, each with its key, and what is not known. Then begin.\n\nThe task: ${task}`,
      ),
  );
  server.registerPrompt(
    'save',
    {
      title: 'Save what was learnt',
      description: 'Keep what this conversation taught, and nothing else',
    },
    () =>
      asked(
        'Go through this conversation for what will matter in a later one: decisions with their reasons, preferences of mine, causes of errors and what fixed them, facts about this project that the code does not say. For each, search memory first: change the memory that says it already (memory_set with its key) rather than adding another. Save each as one short note. No secrets. Then list what you saved and changed, with keys.',
      ),
  );
  server.registerPrompt(
    'hand_over',
    {
      title: 'Hand over',
      description: 'Write down where the work stands, for whoever goes on',
      argsSchema: z.object({ to: z.string().optional().describe('Who goes on, if that is known') }),
    },
    ({ to }) =>
      asked(
        `Write a hand-over${to === undefined ? '' : ` for ${to}`} and save it with memory_set under a key that begins with "handover/": what was asked, what was decided and why, what is done, what failed and how, which files matter, what is open and what you would do next. At most 60 lines. Then tell me its key.`,
      ),
  );
}

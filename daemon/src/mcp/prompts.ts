import { completable, type McpServer } from '@modelcontextprotocol/server';
import { nextSheet } from '@reverie/shared/contract/dreams/dreams';
import { handOver, listSessions } from '@reverie/shared/contract/sessions/sessions';
import { z } from 'zod';
import type { ToolDeps } from './tools/answering.ts';
import { nextStep, quotedSheet, SHEET_TOKENS } from './tools/insight-tool.ts';
import { tell } from './reply.ts';

/** How much an agent proposes of a sheet, and reads before it asks. */
const FINDINGS_A_SHEET = 40;
const SHEETS_A_TIME = 10;

const asked = (text: string) => ({
  messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }],
});

/** What a person asks an agent to do with memory, in one step. */
export function registerPrompts(server: McpServer, deps: ToolDeps): void {
  const { client, scope } = deps;
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
  server.registerPrompt(
    'go_on',
    {
      title: 'Go on with a session',
      description: 'Take up what another coding session left, of this agent or of any other',
      argsSchema: z.object({
        session: completable(z.string(), async (begun) =>
          (await newest({ limit: OFFERED }))
            .map(({ title }) => title)
            .filter((title) => title.toLowerCase().startsWith(begun.toLowerCase())),
        )
          .optional()
          .describe('Its id, or words of it; else the newest that is not being written to'),
      }),
    },
    async ({ session }) => {
      const id = session?.startsWith('cs_') ? session : (await meant(session))?.id;
      if (id === undefined)
        return asked(
          `Tell me that no coding session ${session === undefined ? '' : `like ${JSON.stringify(session)} `}is known in the namespace ${JSON.stringify(scope.namespace)}, and ask me what to go on with.`,
        );
      const told = await client(handOver, { params: { id }, query: { max_tokens: HANDOVER_TOKENS } });
      const { text } = tell(
        {
          scope: `namespace: ${JSON.stringify(scope.namespace)}`,
          head: 'Go on with the work of this session. First tell me in a few lines where it stands and what you would do next; look at the files that it names before you change any, for they may have changed since.',
          quoted: [{ of: { session: id }, text: told.markdown }],
        },
        HANDOVER_TOKENS + AROUND_TOKENS,
      );
      return asked(text);
    },
  );
  // It calls a tool that only `?tools=all` has.
  if (deps.hasAllTools) registerTidyUp(server, deps);

  async function newest(wanted: { q?: string; limit: number }) {
    return (await client(listSessions, { query: { namespace: scope.namespace, ...wanted } })).sessions;
  }

  /** The newest session with these words; without any, one that is at rest, for the conversation itself may be the live one. */
  async function meant(words: string | undefined) {
    if (words !== undefined && words.trim() !== '') return (await newest({ q: words, limit: 1 }))[0];
    const sessions = await newest({ limit: OFFERED });
    return sessions.find(({ status }) => status !== 'live') ?? sessions[0];
  }
}

function registerTidyUp(server: McpServer, { client, scope }: ToolDeps): void {
  server.registerPrompt(
    'tidy_up',
    {
      title: 'Tidy up',
      description: 'Read notes sheet by sheet, and propose what belongs together, disagrees or is due',
      argsSchema: z.object({ namespace: z.string().optional().describe('Default: this project') }),
    },
    async ({ namespace = scope.namespace }) => {
      const { sheet } = await client(nextSheet, { query: { namespace } });
      const named = JSON.stringify(namespace);
      if (sheet === null)
        return asked(
          `Tell me that nothing of the namespace ${named} is left to read: there is nothing to tidy up.`,
        );
      const reply = {
        scope: `namespace: ${named}`,
        head: TIDY_UP,
        quoted: [quotedSheet(sheet)],
        tail: nextStep(sheet),
      };
      return asked(tell(reply, SHEET_TOKENS).text);
    },
  );
}

/** What an agent does with a sheet. What it may say stands before the notes, so that nothing in them counts as the task. */
const TIDY_UP = `Read my notes below, one sheet after the other, and propose with insight_propose what I would want to be told:
- disagree: two notes that cannot both hold today; say what would settle it.
- twice: the same thing told in several notes.
- keeps_happening: the same thing three times or more; say what it hangs on.
- belongs_together: cause and effect, need and offer, risk and trigger, in different notes.
- due: what has to be done by a day, with due_on as the last day to act.
- page: three notes or more that deserve a page of their own; the title is its title.
At most ${FINDINGS_A_SHEET} a sheet, the fewer the better: leave out what I know anyway. Quote each note letter by letter; a title has at most ten words, in the language of the notes, and why is one sentence. Go on until no sheet is left; after ${SHEETS_A_TIME} sheets ask me first. You change nothing: I decide.`;

/** Sessions whose titles are offered while one types. */
const OFFERED = 50;
/** Tokens of the hand-over that a conversation begins with, and of what stands around it. */
const HANDOVER_TOKENS = 3_000;
const AROUND_TOKENS = 400;

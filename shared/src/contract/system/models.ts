import { z } from 'zod';
import { agentTitles } from '../sessions/coding-agents.ts';
import { DateTime, inQuery, limitOf, Namespace } from '../fields.ts';
import { route } from '../route.ts';

const tag = 'models';

/** What models are used for; each may have a model of its own. */
export const modelParts = ['ask', 'dreams', 'vectors'] as const;
export const ModelPart = z.enum(modelParts).meta({ id: 'ModelPart' });
export type ModelPart = z.infer<typeof ModelPart>;

const Part = ModelPart.describe('`ask`: questions; `dreams`: insights; `vectors`: what search compares');
const ServerUrl = z
  .url({ protocol: /^https?$/ })
  .max(2048)
  .describe('Where the server answers, without a path: such as http://127.0.0.1:11434');
const ModelName = z.string().min(1).max(300).describe('As its server names it, such as qwen3.5:4b');

/** Coding agents whose own command can be asked as a model, the most used first. */
export const agentKinds = ['claude-code', 'codex', 'gemini', 'opencode', 'copilot', 'qwen'] as const;
export const AgentKind = z.enum(agentKinds);
export type AgentKind = z.infer<typeof AgentKind>;

const AGENT = 'agent:';
/** The model of an agent's command that the agent itself would take. */
export const AGENT_DEFAULT = 'default';

/** The address of an agent's command, such as `agent:codex`. */
export function agentAddress(kind: AgentKind): string {
  return `${AGENT}${kind}`;
}

/** The agent whose command an address names; undefined for the address of a server. */
export function agentAt(address: string): AgentKind | undefined {
  return address.startsWith(AGENT) ? AgentKind.safeParse(address.slice(AGENT.length)).data : undefined;
}

const NO_ADDRESS = `must be the address of a server (http://… or https://…), or ${AGENT} with one of ${agentKinds.join(', ')}`;

/** Where a model is asked: at a server, or by the command of a coding agent of this machine. */
export const ModelAddress = z
  .url({ protocol: /^(?:https?|agent)$/, error: NO_ADDRESS })
  .max(2048)
  .refine((given) => !given.startsWith(AGENT) || agentAt(given) !== undefined, NO_ADDRESS);
const Server = ModelAddress.describe(
  'Where a server answers, without a path, such as http://127.0.0.1:11434; or `agent:` with the kind of a coding agent, whose own command is asked, such as agent:codex',
);

export const ServerKind = z.enum([
  ...agentKinds,
  'ollama',
  'lm-studio',
  'llama-cpp',
  'vllm',
  'openai-compatible',
]);
export type ServerKind = z.infer<typeof ServerKind>;

/** What servers and agents call themselves. */
export const serverTitles: Readonly<Record<ServerKind, string>> = {
  ...agentTitles,
  ollama: 'Ollama',
  'lm-studio': 'LM Studio',
  'llama-cpp': 'llama.cpp',
  vllm: 'vLLM',
  'openai-compatible': 'A server like OpenAI’s',
};

/** What a person agrees to before a coding agent's command is asked. */
export const ModelConsent = z
  .object({
    vendor: z.string().describe('To whom it is sent'),
    text: z
      .string()
      .describe('What is sent to whom, in two sentences; they are shown before a person agrees'),
    given_at: DateTime.nullable().describe('Null: nobody agreed, and it is not asked'),
  })
  .meta({ id: 'ModelConsent' });
export type ModelConsent = z.infer<typeof ModelConsent>;
const Consent = ModelConsent.nullable().describe('Of the command of a coding agent alone');
/** Whether a person agreed to what `consent.text` says. */
const consent = z
  .boolean()
  .default(false)
  .describe('True: a person has read what is sent to whom, and agreed; for the command of a coding agent');

export const FoundModel = z
  .object({
    name: ModelName,
    bytes: z.int().nullable().describe('On the disk of its server; null where it does not say'),
    context: z
      .int()
      .nullable()
      .describe('Tokens that it can read at once; null where its server does not say'),
    can: z
      .array(z.enum(['chat', 'schema', 'tools', 'vectors']))
      .describe('`schema`: its server keeps it to a JSON schema'),
  })
  .meta({ id: 'FoundModel' });
export type FoundModel = z.infer<typeof FoundModel>;

export const FoundServer = z
  .object({
    kind: ServerKind.describe(
      'A server is told by the shape of its answers, never by its port; an agent by its command',
    ),
    url: Server,
    version: z.string().nullable(),
    models: z.array(FoundModel),
    needs_key: z
      .boolean()
      .describe('It answers, and wants a key before it says more; none is sent to find it'),
    consent: Consent,
  })
  .meta({ id: 'FoundServer' });
export type FoundServer = z.infer<typeof FoundServer>;

export const OfferedModel = z
  .object({
    name: ModelName.describe('As Ollama names it'),
    title: z.string(),
    bytes: z.int(),
    licence: z.string(),
    for: z.array(Part),
    about: z.string().describe('A sentence for people'),
  })
  .meta({ id: 'OfferedModel' });
export type OfferedModel = z.infer<typeof OfferedModel>;

export const findModels = route({
  id: 'models_found',
  method: 'GET',
  path: '/models/found',
  scope: 'owner',
  tag,
  summary: 'The coding agents and model servers of this machine, and what can be got',
  description:
    'Runs `--version` of the coding agents that are installed, and asks the usual ports of this machine (and what `OLLAMA_HOST` names there), each with a short time limit and no key; nothing is downloaded. Coding agents come first.',
  status: 200,
  response: z.object({
    servers: z.array(FoundServer),
    offered: z.array(OfferedModel).describe('What Ollama can pull, the best first; none of them is had yet'),
    install: z
      .object({ text: z.string(), url: z.url() })
      .nullable()
      .describe('Where no model server runs: what to install on this system, in two sentences'),
  }),
  problems: [],
});

/** How far what a model is told goes. */
export const modelReaches = ['local', 'beyond'] as const;
export const ModelReach = z
  .enum(modelReaches)
  .describe(
    '`local`: to a server on this machine (loopback); `beyond`: to another machine, to a model that Ollama runs in its cloud, or to the command of a coding agent',
  )
  .meta({ id: 'ModelReach' });
export type ModelReach = z.infer<typeof ModelReach>;

/** What one part uses at present, its limits, and what it spent. */
export const ModelUse = z
  .object({
    part: Part,
    server: Server.nullable().describe('Null: what comes with Reverie'),
    name: z.string().nullable(),
    reach: ModelReach.nullable().describe('Null: what comes with Reverie, or no model'),
    consent: Consent,
    state: z.enum(['ok', 'catching_up', 'down', 'off']).describe('`off`: no model is used'),
    since: DateTime.nullable(),
    error: z.string().nullable().describe('In plain words, where it fails'),
    timeout_ms: z.int().describe('Of one request; what Reverie can say without it is said then'),
    tokens_per_day: z
      .int()
      .nullable()
      .describe('After so many it rests until the next UTC day; null: no limit'),
    tokens_per_month: z
      .int()
      .nullable()
      .describe('After so many it rests until the next UTC month; null: no limit'),
    spent: z.object({
      tokens_today: z.int(),
      tokens_month: z.int().describe('Of the UTC month'),
      calls_month: z.int(),
      failed_month: z.int(),
      by: z
        .array(
          z.object({
            account: z.string().describe('`acc_` and a ULID'),
            name: z.string().describe('Its mail address, else `this machine` or its id'),
            tokens_month: z.int(),
          }),
        )
        .describe(
          'For whose questions and dreams, the most first; accounts that were deleted are counted in the sum alone, and so are vectors, which are made for all',
        ),
    }),
    settings_from: z
      .enum(['file', 'variable', 'flag', 'default'])
      .describe('What a variable or flag of the start sets is changed there alone'),
  })
  .meta({ id: 'ModelUse' });
export type ModelUse = z.infer<typeof ModelUse>;

/** A model that Ollama is getting, at our request. */
export const ModelPull = z
  .object({
    server: ServerUrl,
    name: ModelName,
    status: z
      .enum(['running', 'stopped', 'done', 'failed'])
      .describe('`stopped`: can be taken up where it was left'),
    bytes_done: z.int(),
    bytes_total: z.int().nullable(),
    error: z.string().nullable(),
    started_at: DateTime,
    ended_at: DateTime.nullable(),
  })
  .meta({ id: 'ModelPull' });
export type ModelPull = z.infer<typeof ModelPull>;

/** How a model did in the built-in examination. */
export const Examination = z
  .object({
    server: Server,
    name: ModelName,
    status: z.enum(['running', 'stopped', 'done', 'failed']),
    done: z.int(),
    total: z.int().describe('Questions and pairs'),
    right: z.int(),
    wrong: z.int(),
    declined_rightly: z.int().describe('Of the unanswerable; they count among `right`, too'),
    seconds_median: z.number().nullable().describe('Of one question'),
    tokens: z.int(),
    fit_for: z.array(Part).describe('What it is good and fast enough for; empty until it is done'),
    verdict: z
      .string()
      .nullable()
      .describe('In words, such as "answers well, too slow while you wait: use it for dreams"'),
    error: z.string().nullable(),
    started_at: DateTime,
    ended_at: DateTime.nullable(),
  })
  .meta({ id: 'Examination' });
export type Examination = z.infer<typeof Examination>;

const ModelsState = z.object({
  uses: z.array(ModelUse).describe('One for each part'),
  pull: ModelPull.nullable().describe('The last one'),
  examination: Examination.nullable().describe('The last one'),
});

/** A model as requests name it. */
const ModelThere = z.strictObject({ server: Server, name: ModelName });
/** Whether a server that is not of this machine may be asked. */
const beyond_this_machine = z.boolean().default(false);

export const modelsState = route({
  id: 'models_state',
  method: 'GET',
  path: '/models',
  scope: 'owner',
  tag,
  summary: 'Which model each part uses, its limits and what it spent',
  status: 200,
  response: ModelsState,
  problems: [],
});

export const useModel = route({
  id: 'models_use',
  method: 'POST',
  path: '/models/use',
  scope: 'owner',
  tag,
  summary: 'Use a model from now on',
  description:
    'Writes config.json and applies at once. The server is asked first whether it has the model; a server beyond this machine is taken only where `beyond_this_machine` says so. A key that is kept for another address is never sent to this one. The command of a coding agent is taken only with `consent`, which is kept with its time until no part uses it any more; it is asked for one word to see that it is logged in, with the agent’s own model where `name` is `default`. It makes no vectors.',
  body: ModelThere.extend({
    for: z.array(Part).min(1).default(['ask', 'dreams']),
    beyond_this_machine,
    consent,
    timeout_ms: z.int().min(100).max(600_000).optional(),
    tokens_per_day: z.int().min(0).max(1e9).nullable().optional().describe('Null takes the limit away'),
    tokens_per_month: z.int().min(0).max(1e9).nullable().optional().describe('Null takes the limit away'),
  }),
  status: 200,
  response: ModelsState,
  problems: ['conflict', 'consent_needed', 'model_not_found', 'model_unreachable', 'disk_full'],
});

export const stopUsingModels = route({
  id: 'models_off',
  method: 'DELETE',
  path: '/models/use',
  scope: 'owner',
  tag,
  summary: 'Use no model any more',
  query: z.strictObject({ for: Part.optional().describe('All parts where omitted') }),
  status: 200,
  response: ModelsState,
  problems: ['conflict', 'disk_full'],
});

export const pullModel = route({
  id: 'models_pull',
  method: 'POST',
  path: '/models/pull',
  scope: 'owner',
  tag,
  summary: 'Have Ollama get a model, or go on getting it',
  description: 'One at a time. Its size is compared with what the disk has left before it starts.',
  body: ModelThere.extend({ server: ServerUrl }),
  status: 202,
  response: ModelPull,
  problems: ['conflict', 'model_unreachable', 'disk_full'],
});

export const stopPulling = route({
  id: 'models_pull_stop',
  method: 'DELETE',
  path: '/models/pull',
  scope: 'owner',
  tag,
  summary: 'Stop getting a model; what is there already is kept for the next time',
  status: 200,
  response: ModelPull,
  problems: ['conflict'],
});

export const examineModel = route({
  id: 'models_examine',
  method: 'POST',
  path: '/models/examine',
  scope: 'owner',
  tag,
  summary: 'Examine a model with 24 questions over 30 notes, and 6 pairs to judge',
  description:
    'The notes are made up: nothing of the memory is sent. One at a time. The command of a coding agent is examined with `consent` only, for its some forty calls are paid for.',
  body: ModelThere.extend({ beyond_this_machine, consent }),
  status: 202,
  response: Examination,
  problems: ['conflict', 'consent_needed', 'model_not_found', 'model_unreachable'],
});

export const stopExamining = route({
  id: 'models_examine_stop',
  method: 'DELETE',
  path: '/models/examine',
  scope: 'owner',
  tag,
  summary: 'Stop the examination',
  status: 200,
  response: Examination,
  problems: ['conflict'],
});

const SheetId = z.string().regex(/^sht_[0-9a-z]{26}$/, 'must be the `next` of a page');

/** The receipt of one question that was put to a model. */
export const ModelSheet = z
  .object({
    id: z.string().describe('`sht_` and a ULID'),
    at: DateTime.describe('Written down before it was sent'),
    part: z
      .enum(['ask', 'dreams', 'examination'])
      .describe('`examination`: notes that are made up, none of yours'),
    server: z.string().describe('Whereto: as in `uses` of `GET /models`'),
    model: z.string(),
    reach: ModelReach,
    shown: z.int().describe('Notes that stood on it; those that are deleted since are counted, not listed'),
    notes: z
      .array(z.object({ namespace: z.string(), key: z.string() }))
      .describe('Where they are now; what they say is not kept'),
    tokens: z.int().nullable().describe('Of the question and its answer; null while it is not known'),
    answered: z
      .boolean()
      .nullable()
      .describe('Null where it is not known: it is under way, or Reverie ended before the answer came'),
  })
  .meta({ id: 'ModelSheet' });
export type ModelSheet = z.infer<typeof ModelSheet>;

export const listSheets = route({
  id: 'models_sheets',
  method: 'GET',
  path: '/models/sheets',
  scope: 'owner',
  tag,
  summary:
    'What left for a model: each question that was put to one, with the notes that went along; the last first',
  description:
    'Of the account that asks. Each is written down before it is sent, and what cannot be written down is not sent. Kept for 90 days, and 10,000 at most. Texts of which a server made vectors are not listed.',
  query: z.strictObject({
    limit: inQuery(limitOf(200, 50)),
    cursor: SheetId.optional().describe('The `next` of the page before'),
  }),
  status: 200,
  response: z.object({ sheets: z.array(ModelSheet), next: z.string().nullable() }),
  problems: [],
});

/** A text that a model is given to read, and where it is from. */
const TextToRead = z.strictObject({
  source: z.string().min(1).max(1_000).describe('A path, a commit: what is found in it names it'),
  text: z.string().min(1).max(20_000),
});
/** Characters of all texts that are read at once, at most. */
const READ_AT_ONCE = 100_000;

export const readTexts = route({
  id: 'models_read',
  method: 'POST',
  path: '/models/read',
  scope: 'owner',
  tag,
  summary: 'Have the language model of dreams say what in some texts is worth remembering; nothing is stored',
  description:
    'Each thing rests on a quote that stands in its text letter by letter, but for white space; what has none is left out and counted in `unfounded`. Texts that do not fit what the model reads at once are left out, the last ones first, and counted in `unread`. Where no model is set, or it may not see the namespace, or it fails, `why` says so and nothing is found. The question is listed in `GET /models/sheets`.',
  body: z
    .strictObject({
      namespace: Namespace.describe('Whose memories these would be: it may be kept from models'),
      texts: z.array(TextToRead).min(1).max(200),
      known: z.array(z.string().max(2_000)).max(200).default([]).describe('What need not be said again'),
    })
    .refine(({ texts }) => texts.reduce((sum, { text }) => sum + text.length, 0) <= READ_AT_ONCE, {
      path: ['texts'],
      error: `must have at most ${READ_AT_ONCE} characters in all`,
    }),
  status: 200,
  response: z.object({
    found: z.array(z.object({ source: z.string(), text: z.string(), quote: z.string() })),
    unfounded: z.int(),
    unread: z.int(),
    model: z.string().nullable(),
    why: z.string().nullable().describe('Why no model has read it; null where one has'),
  }),
  problems: [],
});

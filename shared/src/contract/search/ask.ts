import { z } from 'zod';
import { AnchorNow } from '../memories/anchor-now.ts';
import {
  DateTime,
  DateTimeInput,
  limitOf,
  NamespaceOrEvery,
  NotedAt,
  Query,
  TrueOrFalse,
  Wordings,
} from '../fields.ts';
import { Passage } from './passage.ts';
import { RecallSources } from './recall-sources.ts';
import { route } from '../route.ts';
import { Elsewhere } from './search.ts';

/** The stages of an answer, in the order in which they run. */
export const askStages = [
  'query_expansion',
  'vector_search',
  'keyword_fallback',
  'full_context_fallback',
  'rerank',
  'fact_lookup',
] as const;
export type AskStageName = (typeof askStages)[number];

/** What can bring a memory to an answer: meaning, words, neighbours in a session, or that there is little else. */
export const askStreams = ['vectors', 'concepts', 'words', 'session', 'context'] as const;
export type AskStream = (typeof askStreams)[number];

/** How sure an answer is; `none`: nothing in memory answers. */
export const certainties = ['sure', 'likely', 'unsure', 'none'] as const;
export type Certainty = (typeof certainties)[number];

/** Citations where a request names no limit, and at most. */
export const askLimits = { citations: 6, citationsMax: 20 } as const;

export const AskStage = z
  .object({
    name: z.enum(askStages),
    latency_ms: z.number().min(0),
    candidates: z.int().min(0).describe('Memories that are candidates after this stage'),
    skipped: z.string().optional().describe('Why the stage had nothing to do'),
  })
  .meta({ id: 'AskStage' });
export type AskStage = z.infer<typeof AskStage>;

/** A fact of a memory that has words of the question. */
export const AskFact = z
  .object({
    subject: z.string().describe('The heading or the first cell that it stands under, else the key'),
    predicate: z.string().describe('Label, column or property, as written'),
    object: z.string().describe('As written'),
    quote: z.string().describe('The row or line, word for word'),
  })
  .meta({ id: 'AskFact' });
export type AskFact = z.infer<typeof AskFact>;

export const AskWhy = z
  .object({
    streams: z
      .array(z.object({ name: z.enum(askStreams), rank: z.int().min(1) }))
      .describe('What found the memory, and at which place; 1 is the best'),
    boosts: z
      .array(z.object({ name: z.string(), points: z.number() }))
      .describe('What its score is made of: what each feature adds to the log odds'),
    facts: z.array(AskFact).optional(),
  })
  .meta({ id: 'AskWhy' });
export type AskWhy = z.infer<typeof AskWhy>;

export const Citation = z
  .object({
    key: z.string(),
    title: z.string().describe('What the memory is called: as in search'),
    value: z.string(),
    score: z.number().min(0).max(1).describe('How likely this memory answers the question'),
    namespace: z.string(),
    metadata: z.record(z.string(), z.unknown()),
    created_at: DateTime,
    updated_at: DateTime,
    noted_at: NotedAt,
    quote: z
      .string()
      .describe(
        'The passage that answers, in the words of `value` but for white space: a sentence with its paragraph, an item or code with the line that leads to it, a row of a table with its head (`Env: prod · Window: Thursday`)',
      ),
    passage: Passage.optional().describe(
      'Where `value` has what is quoted, with the words of the question that stand in it. Missing where what is quoted is not of the value',
    ),
    date: DateTime.optional().describe('When what it says was so or was said, where the memory tells'),
    session: z
      .object({
        id: z.string(),
        title: z.string(),
        entry: z.string().describe('The id of the entry that is quoted'),
      })
      .optional()
      .describe(
        'Set where a coding session is quoted: `key` is the id of the entry, `title` that of the session, `value` at most 64,000 characters of the entry',
      ),
    wording: z
      .string()
      .optional()
      .describe('The one of `queries` that found it best; missing where that is the question itself'),
    anchors: z.array(AnchorNow).optional(),
    why: AskWhy.optional().describe('With `explain`'),
  })
  .meta({ id: 'Citation' });
export type Citation = z.infer<typeof Citation>;

export const AskReply = z
  .object({
    answer: z
      .string()
      .describe(
        'For people. Without a model: the three passages that are closest, each with its key and date, of those that speak of one subject the newest first; the same with another figure from before stands after `Until 12 August 2026:`. With one: `[1]` names the first citation; what rests on old notes alone ends with their date',
      ),
    citations: z
      .array(Citation)
      .describe(
        'Empty where nothing in memory answers. Without a model: best first. With one: those that its sentences name, in their order, and no others',
      ),
    latency_ms: z.int().min(0),
    found: z.boolean().describe('False where `certainty` is `none` alone'),
    certainty: z
      .enum(certainties)
      .describe(
        'How sure the answer is. `sure` and `likely` are a language model’s alone, whose sentences their quotes bear out (`likely`: it also joins or denies what no quote does); `unsure` quotes what is closest and asserts nothing; `none`: nothing in memory answers; without a language model only where no memory has a word of the question, in any form, and the answer names them',
      ),
    elsewhere: z
      .array(Elsewhere)
      .optional()
      .describe(
        'Where what is closest here is hardly about the question, or nothing is, and other namespaces are likely to answer: at most three, best first',
      ),
    model: z.string().nullable().describe('The language model that put the answer into words, if one did'),
    stages: z.array(AskStage).optional().describe('With `explain`'),
    understood: z
      .object({
        queries: z.array(z.string()).describe('What was looked for beside the question itself'),
        decided_by: z
          .enum(['model', 'search'])
          .describe(
            'What decided: the language model whether memory answers; or search what is closest, where no model is asked or it failed',
          ),
        corrected: z
          .array(z.object({ word: z.string(), read_as: z.array(z.string()).readonly() }))
          .readonly()
          .optional()
          .describe(
            'Without a model: words that no memory has, and what each was read as. Never a word with a capital, nor one that may be a name',
          ),
        cut: z
          .object({ characters: z.int(), of: z.int() })
          .optional()
          .describe(
            'Where the question is longer than what is read of it: its first characters, and how many it has',
          ),
        unsupported: z
          .int()
          .min(0)
          .optional()
          .describe(
            'Sentences of the model that were dropped, for the memories that it named do not support them',
          ),
        kept_from_model: z
          .int()
          .min(1)
          .optional()
          .describe(
            'How many memories that were found the model was not shown, for their namespaces are kept from it',
          ),
        abstained: z.string().optional().describe('Why nothing that was found answers'),
        model_failed: z
          .string()
          .optional()
          .describe('Why the model that is configured gave no answer, or was not asked'),
      })
      .optional()
      .describe('With `explain`'),
  })
  .meta({ id: 'AskReply' });
export type AskReply = z.infer<typeof AskReply>;

export const askMemory = route({
  id: 'memory_ask',
  method: 'POST',
  weight: 'heavy',
  path: '/memory/ask',
  scope: 'read',
  reach: { can: ['read'], absent: ['body.namespace'], filtered: true },
  tag: 'memory',
  summary: 'Ask a question; the answer quotes the memories that it is from',
  description:
    'Six stages: wordings, vectors, keywords, the whole namespace where it is small, rerank, and the facts of what is found. Without a language model the answer quotes the passages that are closest, and claims nothing. A model that is configured decides whether the memories answer, and says it in its own words with the memories that support each sentence; it may be shown further ones once; where it fails or takes too long, the answer is the one without it. Where nothing in memory answers, `found` is false and `citations` is empty. A question is prose: the operators of a search are words in it.',
  body: z.strictObject({
    question: Query,
    queries: Wordings.describe(
      'At most 7 more wordings of the same question, in any language: best in words that the memories themselves may use',
    ),
    namespace: NamespaceOrEvery.default('default'),
    limit: limitOf(askLimits.citationsMax, askLimits.citations).describe(
      'Citations at most, and so the memories that an answer without a model quotes. What a model says cites all that it rests on, whatever the limit: no more than 16',
    ),
    as_of: DateTimeInput.optional().describe(
      'Answer from the past: only memories, versions and facts that were known at this time',
    ),
    now: DateTimeInput.optional().describe(
      'What `last Friday` or `next month` is counted from; `as_of`, else the time of the request, where omitted',
    ),
    sources: RecallSources.describe(
      '`sessions` also looks into coding sessions of the namespace where memories give no `sure` answer: what is closest in them stands behind `In sessions:`, cited beside `limit`, and is shown to no language model',
    ),
    explain: TrueOrFalse.default(false).describe('Also answer the stages, and why each citation is one'),
  }),
  status: 200,
  response: AskReply,
  problems: [],
  costs: 'recall',
});

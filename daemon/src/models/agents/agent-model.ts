import { AGENT_DEFAULT } from '@reverie/shared/contract/system/models';
import { z } from 'zod';
import type { Breaker, ServerState } from '../breaker.ts';
import { jsonIn } from '../json-text.ts';
import { type LanguageModel, ModelFailure, type Prompt, tokensAtMost } from '../language-model.ts';
import type { AgentAdapter, AgentQuestion } from './adapter.ts';
import { agentFailure } from './failures.ts';
import { findCommand } from './find-command.ts';
import type { AgentRunner } from './run-agent.ts';
import { strictSchema } from './strict-schema.ts';

export interface AgentModelDeps {
  adapter: AgentAdapter;
  /** Its model by name, or `default`. */
  model: string;
  timeoutMs: number;
  runner: AgentRunner;
  /** What one part finds out of the command, the other knows. */
  breaker: Breaker;
  /** Whether a person agreed; looked up before each call. */
  isAgreed: () => boolean;
}

/** A language model that is an agent's command, and how it does. */
export interface AgentModel {
  readonly model: LanguageModel;
  state(): ServerState;
  /** Milliseconds until it may be asked again. */
  wait(): number;
}

/** Characters of an answer. */
const LONGEST_TEXT = 262_144;
/** What does not become right by asking often: a login that is missing, a plan that is used up. */
const REFUSED_MS = 60_000;
const IN_WORDS = 'Answer with one JSON object that fits this JSON schema, and with nothing else:';
const ONCE_MORE =
  'Your last answer could not be read: it was not the one JSON object that was asked for. Answer again with that JSON object and nothing else: no thoughts, no words around it.';

/**
 * The command of a coding agent as a language model. It is asked with the schema where it takes one that can be told, else in words;
 * what cannot be read is asked for once more, in the same time.
 */
export function createAgentModel(deps: AgentModelDeps): AgentModel {
  const { adapter, runner, breaker, timeoutMs } = deps;
  const name = deps.model === AGENT_DEFAULT ? undefined : deps.model;
  let takesSchema = adapter.takesSchema;

  /** Why it is not asked at all; undefined where it is. */
  function hindrance(): string | undefined {
    if (!deps.isAgreed())
      return `nobody agreed that ${adapter.title} is asked: run \`reverie models use ${adapter.kind}\``;
    if (findCommand(adapter, runner.environment) === undefined)
      return `the command \`${adapter.command}\` of ${adapter.title} is not found: install it again, or run \`reverie models off\``;
    return undefined;
  }

  /** Runs the command once; a schema that its vendor does not take is told in words from then on. */
  async function answered<T>(prompt: Prompt<T>, until: number): Promise<{ text: string; tokens: number }> {
    const file = findCommand(adapter, runner.environment);
    if (file === undefined) throw new ModelFailure('unreachable', hindrance() ?? 'its command is not found');
    const schema = takesSchema ? strictSchema(prompt.schema) : undefined;
    const question: AgentQuestion = {
      system: schema ? prompt.system : `${prompt.system}\n\n${IN_WORDS}\n${schemaInWords(prompt.schema)}`,
      prompt: prompt.prompt,
      schema,
      model: name,
    };
    const run = await runner.run({
      adapter,
      file,
      askedAt: until - timeoutMs,
      signal: prompt.signal,
      call: (places) => adapter.call(question, places),
      timeoutMs: Math.max(1, Math.ceil(until - performance.now())),
    });
    const reply = adapter.read(run);
    if (reply.kind === 'answer')
      return {
        text: reply.text,
        tokens: reply.tokens ?? tokensAtMost(question.system + question.prompt + reply.text),
      };
    if (!schema || !/schema|response_format/iu.test(reply.words)) throw agentFailure(adapter, reply, name);
    takesSchema = false;
    return answered(prompt, until);
  }

  const title = name === undefined ? adapter.title : `${adapter.title} (${name})`;
  return {
    model: {
      model: title,
      async generate<T>(prompt: Prompt<T>) {
        const why = hindrance();
        if (why !== undefined) throw new ModelFailure('refused', why);
        const wait = breaker.wait();
        if (wait > 0)
          throw new ModelFailure(
            'unreachable',
            `${adapter.title} is left alone for ${Math.ceil(wait / 1000)} s more: ${breaker.state().error ?? 'it failed'}`,
          );
        const until = performance.now() + timeoutMs;
        let tokens = 0;
        const valueOf = async (asked: Prompt<T>): Promise<T | undefined> => {
          const answer = await answered(asked, until);
          tokens += answer.tokens;
          breaker.succeeded();
          return answer.text.length > LONGEST_TEXT
            ? undefined
            : prompt.schema.safeParse(jsonIn(answer.text)).data;
        };
        try {
          const first = await valueOf(prompt);
          const value =
            first !== undefined || prompt.isAskedOnce === true
              ? first
              : await valueOf({ ...prompt, prompt: `${prompt.prompt}\n\n${ONCE_MORE}` });
          if (value !== undefined) return { value, tokens };
        } catch (cause) {
          if (!(cause instanceof ModelFailure)) throw cause;
          note(breaker, cause);
          throw Object.assign(cause, { tokens: cause.tokens + tokens });
        }
        const said = `${title} answered something that is not what was asked for`;
        throw Object.assign(new ModelFailure('garbage', said), { tokens });
      },
    },
    state() {
      const why = hindrance();
      return why === undefined
        ? breaker.state()
        : { state: 'down', since: breaker.state().since, error: why };
    },
    wait: () => (hindrance() === undefined ? breaker.wait() : REFUSED_MS),
  };
}

function schemaInWords(schema: z.ZodType): string {
  return JSON.stringify(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }));
}

/** Leaves a command alone for a while where it cannot answer; not where nobody waits any more, or it has no words for this. */
function note(breaker: Breaker, { kind, message }: ModelFailure): void {
  if (kind === 'cancelled' || kind === 'garbage') return;
  breaker.failed(message, kind === 'refused' ? REFUSED_MS : 0);
}

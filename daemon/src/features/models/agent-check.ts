import { AGENT_DEFAULT, type AgentKind } from '@reverie/shared/contract/system/models';
import { Problem } from '@reverie/shared/contract/problems';
import { z } from 'zod';
import { createAgentModel } from '../../models/agents/agent-model.ts';
import { adapters } from '../../models/agents/adapters.ts';
import { findCommand } from '../../models/agents/find-command.ts';
import type { AgentRunner } from '../../models/agents/run-agent.ts';
import { createBreaker } from '../../models/breaker.ts';
import { type LanguageModel, ModelFailure } from '../../models/language-model.ts';
import type { Clock } from '../../platform/clock.ts';

export interface AgentCheckDeps {
  runner: AgentRunner;
  clock: Pick<Clock, 'now'>;
}

/** A first answer may take so long, in ms. */
const FIRST_MS = 120_000;

/** The one word that an agent is asked for. */
const Yes = z.object({ yes: z.boolean() });

/** Throws `invalid_request` where a model's name could be taken for something else on a command line. */
export function refuseWrongName(name: string): void {
  if (/^[\w@][\w.:/@+[\]-]*$/u.test(name)) return;
  const message = `must be ${AGENT_DEFAULT}, or a model's name as the agent's own --model takes it`;
  throw new Problem('invalid_request', `name: ${message}`, { errors: [{ path: 'name', message }] });
}

/** An agent's command as a model of its own, as if it had never failed; asked after a consent alone. */
export function freshAgent(
  { runner, clock }: AgentCheckDeps,
  { kind, name, timeoutMs }: { kind: AgentKind; name: string; timeoutMs: number },
): LanguageModel {
  const adapter = adapters[kind];
  if (findCommand(adapter, runner.environment) === undefined)
    throw new Problem(
      'model_unreachable',
      `The command \`${adapter.command}\` of ${adapter.title} is not on this machine's PATH. Install it and log in, then try again. Nothing was changed.`,
    );
  const model = () =>
    createAgentModel({
      adapter,
      model: name,
      timeoutMs,
      runner,
      isAgreed: () => true,
      breaker: createBreaker({ now: clock.now, random: Math.random }),
    }).model;
  return { model: model().model, generate: (prompt) => model().generate(prompt) };
}

/** Has an agent say one word, to see whether it is logged in and has the model. Throws `model_unreachable`. */
export async function reachAgent(
  deps: AgentCheckDeps,
  { kind, name }: { kind: AgentKind; name: string },
): Promise<void> {
  const agent = freshAgent(deps, { kind, name, timeoutMs: FIRST_MS });
  try {
    await agent.generate({
      system: 'You answer with JSON only.',
      prompt: 'Answer {"yes": true}.',
      schema: Yes,
      maxTokens: 50,
    });
  } catch (cause) {
    if (!(cause instanceof ModelFailure)) throw cause;
    throw new Problem('model_unreachable', `${cause.message}. Nothing was changed.`, { cause });
  }
}

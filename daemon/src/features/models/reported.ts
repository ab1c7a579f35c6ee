import { findServer } from './found/find-servers.ts';
import type { ModelChoice } from './choices.ts';
import { staysOnThisMachine, refuseLeaving, serverOf } from './server-address.ts';

/**
 * How many tokens a model reads at once, by what its server on this machine says of it; undefined where it says nothing, or is beyond
 * this machine. Throws where an Ollama here passes the model on to another host and nobody agreed to that, whatever its name.
 */
export async function reportedContext(choice: ModelChoice, mayLeave: boolean): Promise<number | undefined> {
  const server = serverOf(choice.baseUrl);
  if (!staysOnThisMachine(server)) return undefined;
  const found = await findServer(server);
  const model = found?.models.find(({ name }) => name === choice.model || name === `${choice.model}:latest`);
  // Its list has what it runs itself; what it answers to beside those runs elsewhere.
  if (found?.kind === 'ollama' && !model && !mayLeave) refuseLeaving(`${choice.model} runs`);
  return model?.context ?? undefined;
}

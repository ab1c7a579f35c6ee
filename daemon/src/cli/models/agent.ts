import type { Client } from '@reverie/shared/client';
import {
  AGENT_DEFAULT,
  agentAddress,
  agentAt,
  AgentKind,
  findModels,
  type ModelConsent,
  type ModelPart,
  useModel,
} from '@reverie/shared/contract/system/models';
import { Refusal } from '../../platform/home/home.ts';
import { agreed } from '../confirm.ts';
import { inOneLine, note, printJson, visible } from '../print.ts';
import type { Terminal } from '../terminal.ts';
import type { PlaceOptions } from './place.ts';
import { sayUses } from './show.ts';

/** A coding agent's command, and which model of it. */
export interface NamedAgent {
  server: string;
  name: string;
}

/** The agent that is named: by its kind alone, or a model of it with `--server agent:KIND`; undefined where a server is meant. */
export function agentNamed(name: string, { server }: PlaceOptions): NamedAgent | undefined {
  if (server !== undefined) return agentAt(server) ? { server, name } : undefined;
  const { data: kind } = AgentKind.safeParse(name);
  return kind && { server: agentAddress(kind), name: AGENT_DEFAULT };
}

/** What a person agrees to before an agent is asked. Throws where it is not on this machine. */
export async function consentOf(client: Client, { server }: NamedAgent): Promise<ModelConsent> {
  const { servers } = await client(findModels, {});
  const consent = servers.find(({ url }) => url === server)?.consent;
  if (consent) return consent;
  throw new Refusal(
    `The command of ${agentAt(server)} is not found on this machine, or tells no version. Install it and log in; \`reverie models\` lists what there is.`,
  );
}

/** Uses an agent's command, once a person has read what is sent to whom and agreed; it is not examined, for that is paid for. */
export async function useAgent(
  terminal: Terminal,
  client: Client,
  { agent, ...options }: { agent: NamedAgent; for?: ModelPart[] | undefined; yes: boolean; json: boolean },
): Promise<void> {
  const { text } = await consentOf(client, agent);
  const parts: ModelPart[] = options.for ?? ['ask', 'dreams'];
  const what = `${visible(text)}\n${inOneLine(agent.server)} is used for ${parts.join(', ')} from then on.`;
  if (!(await agreed(terminal, { what, type: 'yes', yes: options.yes }))) {
    terminal.exitCode = 1;
    return note(terminal, 'Nothing was changed.');
  }
  const state = await client(useModel, { body: { ...agent, for: parts, consent: true } });
  if (options.json) return printJson(terminal, state);
  sayUses(terminal, state);
}

import type { ModelReach } from '@reverie/shared/contract/system/models';
import { Problem } from '@reverie/shared/contract/problems';
import { isLoopback } from '@reverie/shared/contract/loopback';
import type { ModelChoice } from './choices.ts';

/** What OpenAI's protocol stands below, on all servers that speak another one beside it. */
const USUAL_PATH = '/v1';

/** The address below which OpenAI's protocol is spoken, of a server as a person names it: without a path it is `/v1`. */
export function baseUrlOf(server: string): string {
  const url = new URL(server);
  if (url.pathname === '/') url.pathname = USUAL_PATH;
  return url.href.replace(/\/+$/u, '');
}

/** A server's address as a person would name it, from the configured one: without the usual `/v1`. */
export function serverOf(baseUrl: string): string {
  const url = new URL(baseUrl);
  return url.pathname.replace(/\/+$/u, '') === USUAL_PATH ? url.origin : url.href.replace(/\/+$/u, '');
}

/** Whether what is sent to an address surely stays on this machine; `0.0.0.0`, which is no address of a server, does not count. */
export function staysOnThisMachine(address: string): boolean {
  return isLoopback(new URL(address).hostname);
}

/** Why an address cannot be used: it has a name or password, which would stand in config.json, or a `?` or `#`. Undefined where it can. */
export function whatIsWrongWith(server: string): string | undefined {
  const { username, password, search, hash } = new URL(server);
  if (username !== '' || password !== '')
    return 'must not hold a name or a password; keep the key with `reverie secret set`';
  return search !== '' || hash !== '' ? 'must be without `?` and `#`' : undefined;
}

/**
 * Whether a model that Ollama lists runs elsewhere (https://docs.ollama.com/cloud): its server is here, but what it is told leaves this
 * machine.
 */
export function isOfCloud(name: string): boolean {
  return /[:-]cloud$/u.test(name);
}

/** How far goes what the model at an address is told; an address of no server, such as an agent's command, counts as beyond. */
export function reachOf({ baseUrl, model }: ModelChoice): ModelReach {
  return staysOnThisMachine(baseUrl) && !isOfCloud(model) ? 'local' : 'beyond';
}

/**
 * The model that a request names. Throws where its server's address cannot be used, or where what it is told would leave this machine
 * unasked.
 */
export function namedModel({
  server,
  name,
  beyond_this_machine: mayLeave,
}: {
  server: string;
  name: string;
  beyond_this_machine: boolean;
}): ModelChoice {
  const wrong = whatIsWrongWith(server);
  if (wrong !== undefined)
    throw new Problem('invalid_request', `server: ${wrong}`, {
      errors: [{ path: 'server', message: wrong }],
    });
  if (!mayLeave && reachOf({ baseUrl: server, model: name }) === 'beyond')
    refuseLeaving(isOfCloud(name) ? `${name} runs` : `${server} is`);
  return { baseUrl: baseUrlOf(server), model: name };
}

/**
 * Throws `conflict`, because memories would be sent away unasked; `what` begins the sentence with its subject and verb (`gpt-oss runs`).
 */
export function refuseLeaving(what: string): never {
  throw new Problem(
    'conflict',
    `${what} beyond this machine: questions, and the memories that are read for them, would be sent there. Where that is wanted, say so with \`beyond_this_machine\`: true.`,
  );
}

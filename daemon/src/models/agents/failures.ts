import { ModelFailure } from '../language-model.ts';
import type { AgentAdapter, AgentReply } from './adapter.ts';

type Failed = Extract<AgentReply, { kind: 'failed' }>;

/** A status that stands in a command's words. */
const STATUS = /\b(?:401|403|404|429)\b/u;
/** What the words of the six commands' own messages name, where no status stands in them. */
const NAMED: readonly (readonly [RegExp, number | 'network'])[] = [
  [
    /log ?in|logged|auth (?:method|type)|authenticat|unauthori[sz]ed|api[ _-]?key|environment variable/iu,
    401,
  ],
  [/rate.?limit|quota|usage limit|too many requests/iu, 429],
  [/unknown model|model .{0,80}(?:not found|not exist|not supported|not available)|ModelNotFound/iu, 404],
  [
    /E(?:NOTFOUND|CONNREFUSED|CONNRESET|AI_AGAIN|TIMEDOUT)|fetch failed|connection error|stream disconnected|unable to connect/iu,
    'network',
  ],
];

/** A command's failure in words that people can act on; what it said itself is not repeated, for it may hold a key. */
export function agentFailure(
  { title, vendor, logIn }: AgentAdapter,
  { status, words }: Failed,
  model: string | undefined,
): ModelFailure {
  switch (status ?? statusIn(words)) {
    case 401:
    case 403:
      return new ModelFailure('refused', `${title} is not logged in: run ${logIn}`);
    case 404:
      return new ModelFailure(
        'refused',
        `${title} has no model ${model ?? 'of its own'}; choose another one`,
      );
    case 429:
      return new ModelFailure(
        'refused',
        `${title} may do no more at present: what its login allows is used up`,
      );
    case 'network':
      return new ModelFailure('unreachable', `${title} does not reach ${vendor}`);
    default:
      return new ModelFailure('refused', `${title} failed; run its command by hand to see why`);
  }
}

function statusIn(words: string): number | 'network' | undefined {
  const status = STATUS.exec(words);
  return status ? Number(status[0]) : NAMED.find(([pattern]) => pattern.test(words))?.[1];
}

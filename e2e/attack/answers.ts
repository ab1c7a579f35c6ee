import { problems } from '@reverie/shared/contract/problems';
import type { Route } from '@reverie/shared/contract/route';
import type { Section } from './ledger.ts';
import type { Answer, Sent } from './sending.ts';

/** An operation of an OpenAPI document with the route that it was made from. */
export interface Documented {
  route: Route;
  /** Every status that the document names. */
  statuses: ReadonlySet<number>;
}

/** What takes its time by its contract: `sync_trigger` waits up to 10 s for the relay, a backup copies and checks the whole database. */
const WAITS_MS: Readonly<Record<string, number>> = { sync_trigger: 11_000, backup: 11_000 };
const HANG_MS = 1000;

/** Writes down what of an answer is not as the document says. */
export function checkAnswer(
  section: Section,
  { route, statuses }: Documented,
  asked: { sent: Sent; answer: Answer },
): void {
  const { sent, answer } = asked;
  const at = `${route.method} ${route.path}`;
  const wrong = (what: string) => section.found('wrong', `${at} ${what}`, sent);
  section.did('requests');
  section.answered(answer.status);
  if (answer.ms > (WAITS_MS[route.id] ?? HANG_MS))
    section.found(
      'hung',
      `${at} was answered ${answer.status} after ${(answer.ms / 1000).toFixed(1)} s`,
      sent,
    );
  if (answer.status === 0) {
    // A body above the limit is refused while it is still being sent, and the connection cut.
    const isLarge = sent.body !== undefined && sent.body.length > (route.bodyLimit ?? 8 * 1024 * 1024) / 2;
    if (!isLarge) wrong(`was not answered: ${answer.cut ?? ''}`);
    return;
  }
  if (answer.status >= 500 && !statuses.has(answer.status))
    return section.found('failed', `${at} answered ${answer.status} ${answer.text.slice(0, 200)}`, sent);
  for (const name of ['x-request-id', 'x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'])
    if (answer.headers[name] === undefined) wrong(`answered ${answer.status} without ${name}`);
  if (answer.status === route.status) return checkSuccess(answer, route, wrong);
  if (!statuses.has(answer.status)) wrong(`answered ${answer.status}, which is not documented`);
  // What a link in a mail leads to is a page for browsers, also where it says no.
  const isPage = /^auth_confirm/.test(route.id) && /^text\/html\b/.test(answer.headers['content-type'] ?? '');
  if (!isPage) checkProblem(answer, wrong);
}

function checkSuccess(answer: Answer, { response }: Route, wrong: (what: string) => void): void {
  const type = answer.headers['content-type'] ?? '';
  let body: unknown = answer.text;
  if (/^application\/json\b/.test(type))
    try {
      body = JSON.parse(answer.text);
    } catch {
      return wrong(`answered what is no JSON: ${answer.text.slice(0, 100)}`);
    }
  const parsed = response.safeParse(body);
  if (!parsed.success)
    wrong(
      `answered another shape than its document has: ${parsed.error.issues[0]?.path.join('.')} ${parsed.error.issues[0]?.message}`,
    );
}

/** Whether a refusal is a problem of the table, with its status. */
export function checkProblem(answer: Answer, wrong: (what: string) => void): void {
  if (!/^application\/problem\+json\b/.test(answer.headers['content-type'] ?? ''))
    return wrong(`answered ${answer.status} as ${answer.headers['content-type'] ?? 'nothing'}`);
  const body = parsed(answer.text);
  const code = String(body?.['code']);
  if (!Object.hasOwn(problems, code)) return wrong(`answered ${answer.status} with the unknown code ${code}`);
  if (body?.['status'] !== answer.status)
    wrong(`answered ${answer.status} but says ${String(body?.['status'])}`);
  if (body?.['request_id'] !== answer.headers['x-request-id']) wrong('names another request than its header');
  if (typeof body?.['detail'] !== 'string' || body['detail'] === '')
    wrong(`answered ${code} without a detail`);
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

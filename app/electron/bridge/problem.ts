import { type ProblemCode, problems } from '@reverie/shared/contract/problems';

/** An answer as the daemon would give it, of what did not reach it. */
export function problemAnswer(code: ProblemCode, detail: string): Response {
  const { status, title } = problems[code];
  return new Response(JSON.stringify({ status, code, title, detail }), {
    status,
    headers: { 'Content-Type': 'application/problem+json; charset=utf-8', 'Cache-Control': 'no-store' },
  });
}

/** No daemon proved itself: the page waits and asks again, as it does for one that stops. */
export function unreachable(cause: unknown): Response {
  const answer = problemAnswer('unavailable', cause instanceof Error ? cause.message : String(cause));
  answer.headers.set('Retry-After', '1');
  return answer;
}

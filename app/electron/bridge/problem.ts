import { type ProblemCode, problems } from '@reverie/shared/contract/problems';

/** A problem reply in the daemon's form, for a request that never reached the daemon. */
export function problemAnswer(code: ProblemCode, detail: string): Response {
  const { status, title } = problems[code];
  return new Response(JSON.stringify({ status, code, title, detail }), {
    status,
    headers: { 'Content-Type': 'application/problem+json; charset=utf-8', 'Cache-Control': 'no-store' },
  });
}

/** The `unavailable` reply while no daemon has proved itself: the page waits and asks again, as it does while a daemon stops. */
export function unreachable(cause: unknown): Response {
  const answer = problemAnswer('unavailable', cause instanceof Error ? cause.message : String(cause));
  answer.headers.set('Retry-After', '1');
  return answer;
}

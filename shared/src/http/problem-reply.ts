import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { type FieldError, Problem, type ProblemCode, problems } from '../contract/problems.ts';

/** Answers a failure as `application/problem+json` (RFC 9457) with our `code` and the request's id. */
export function sendProblem(reply: FastifyReply, problem: Problem): FastifyReply {
  return reply
    .status(problem.status)
    .headers(problem.headers)
    .type(PROBLEM_TYPE)
    .send(problemBody(problem, reply.request.id));
}

export const PROBLEM_TYPE = 'application/problem+json; charset=utf-8';

/** The document of a problem, as JSON. */
export function problemBody(problem: Problem, requestId: string, status = problem.status): string {
  return JSON.stringify({
    type: `urn:reverie:problem:${problem.code}`,
    title: problems[problem.code].title,
    status,
    detail: problem.message,
    instance: `urn:reverie:request:${requestId}`,
    code: problem.code,
    request_id: requestId,
    ...(problem.errors && { errors: problem.errors }),
  });
}

/** What fastify itself refuses, in our table; everything else is a bug. */
const fastifyCodes: Record<string, ProblemCode> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_BODY_TOO_LARGE: 'too_large',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'invalid_request',
  FST_ERR_BAD_URL: 'invalid_request',
  FST_ERR_MAX_LIMIT: 'too_large',
  FST_ERR_MAX_PARAM_LENGTH: 'invalid_request',
};

/** Turns whatever a handler threw into a problem; a bug keeps its words out of the reply. */
export function problemOf(error: unknown, request: FastifyRequest): Problem {
  if (error instanceof Problem) return error;
  const given = (error as Partial<FastifyError>).code ?? '';
  const code = fastifyCodes[given];
  // Its own words repeat the address.
  if (given === 'FST_ERR_MAX_PARAM_LENGTH')
    return new Problem('invalid_request', 'A part of the address is too long to be the name of anything');
  if (code === 'unsupported_media_type')
    return new Problem(code, 'Send the body as JSON with the header Content-Type: application/json');
  if (code !== undefined) return new Problem(code, (error as FastifyError).message);
  if (isGone(error, request)) {
    request.log.debug({ err: error }, 'a client went away before its request was whole');
    return new Problem('invalid_request', 'The request ended before it was whole');
  }
  request.log.error({ err: error }, 'a request failed');
  return new Problem('internal', `Something went wrong here; the log has more under the id ${request.id}`);
}

/** Whether a client ended its request: nothing is wrong here then, and nobody hears the answer. */
function isGone(error: unknown, { raw }: FastifyRequest): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return (
    (code === 'ECONNRESET' || code === 'ECONNABORTED') &&
    (raw.destroyed || raw.socket.destroyed) &&
    !raw.complete
  );
}

/** More than any valid request has fields that can be wrong; a body of millions of items makes no reply of 100 MB. */
const MOST_TOLD = 5000;

/** The wrong fields of a request, one by one, with paths such as `items.3.value`. */
export function fieldErrors(error: z.ZodError): (FieldError & { tooLarge?: true })[] {
  const ofWrongType = new Set<string>();
  return error.issues.slice(0, MOST_TOLD).flatMap((issue): (FieldError & { tooLarge?: true })[] => {
    const path = issue.path.map(String).join('.');
    // Of what is no text at all it need not be said that it is too short, too.
    if (ofWrongType.has(path)) return [];
    if (issue.code === 'invalid_type') ofWrongType.add(path);
    if (issue.code === 'unrecognized_keys' && issue.message.startsWith('Unrecognized'))
      return issue.keys.map((name) => ({
        path: path === '' ? name : `${path}.${name}`,
        message: 'is not a field of this request',
      }));
    if (path === '' && issue.code === 'invalid_type' && issue.expected === 'object')
      return [{ path, message: 'must have a JSON object as its body' }];
    const isTooLarge = issue.code === 'custom' && issue.params?.['tooLarge'] === true;
    return [{ path, message: issue.message, ...(isTooLarge && { tooLarge: true as const }) }];
  });
}

const LONGEST_TOLD = 600;

/** Messages quote what was sent, which may be megabytes. */
function cut(text: string): string {
  return text.length > LONGEST_TOLD ? `${text.slice(0, LONGEST_TOLD).toWellFormed()}…` : text;
}

/** A 400 that names every wrong field; 413 where all that is wrong is too much content. */
export function invalidRequest(wrong: readonly (FieldError & { tooLarge?: true })[]): Problem {
  const errors = wrong.map(({ path, message }) => ({ path: cut(path), message: cut(message) }));
  const named = errors
    .slice(0, 5)
    .map(({ path, message }) => (path === '' ? `The request ${message}` : `${path}: ${message}`));
  const more = errors.length > 5 ? ` (and ${errors.length - 5} more)` : '';
  const code = wrong.every(({ tooLarge }) => tooLarge) ? 'too_large' : 'invalid_request';
  return new Problem(code, `${named.join('; ')}${more}`, { errors });
}

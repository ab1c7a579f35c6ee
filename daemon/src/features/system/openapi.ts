import { type ProblemCode, problems } from '@reverie/shared/contract/problems';
import type { Route } from '@reverie/shared/contract/route';
import { routes } from '@reverie/shared/contract/routes';
import { z } from 'zod';
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiResponsesObject } from 'zod-openapi';

const ProblemReply = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    instance: z.string(),
    code: z.enum(Object.keys(problems)),
    request_id: z.string(),
    errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  })
  .meta({ id: 'Problem', description: 'RFC 9457 with a stable `code`' });

const limitHeaders = z.object({
  'X-Request-Id': z.string(),
  'X-RateLimit-Limit': z.string().meta({ description: "Requests of the account's day" }),
  'X-RateLimit-Remaining': z.string(),
  'X-RateLimit-Reset': z.string().meta({ description: 'Unix seconds, UTC' }),
});

const ABOUT =
  'Memory for people and their coding agents, on this machine. `reverie key create NAME` makes a key; the file `api-key` in the home holds one for agents. `x-scope` says which scope a call needs, `x-can` what a key that is narrower than its scope has to be allowed. Namespaces that such a key does not have answer as if they were empty, and a call that would put something there, or that is about the whole account, is refused with 403 `forbidden_scope`.';

/** The OpenAPI 3.1 document of the contract: from the same schemas that validate. Takes some 150 ms, so that `docs/openapi.json` keeps it. */
export function openApiDocument(origin: string): ReturnType<typeof createDocument> {
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {};
  for (const route of routes) (paths[route.path] ??= {})[route.method.toLowerCase()] = operation(route);
  return createDocument({
    openapi: '3.1.0',
    info: {
      title: 'Reverie',
      version: '1.0.0',
      description: ABOUT,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: `${origin}/v1` }],
    security: [{ bearer: [] }],
    paths,
    components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
  });
}

function operation(route: Route): ZodOpenApiOperationObject {
  const parameters = {
    ...(route.params && { path: route.params }),
    ...(route.query && { query: route.query }),
    ...(route.idempotent && { header: z.object({ 'Idempotency-Key': z.string().max(255).optional() }) }),
  };
  return {
    operationId: route.id,
    tags: [route.tag],
    summary: route.summary,
    ...(route.description !== undefined && { description: route.description }),
    ...(route.scope === 'public' ? { security: [] } : { 'x-scope': route.scope }),
    // What a key needs that is narrower than its scope.
    ...(route.reach && route.reach !== 'nothing' && { 'x-can': route.reach.can }),
    ...(Object.keys(parameters).length > 0 && { requestParams: parameters }),
    ...(route.body && {
      requestBody: {
        required: !route.body.safeParse({}).success,
        content: { 'application/json': { schema: route.body } },
      },
    }),
    responses: responses(route),
  };
}

function mediaTypeOf({ answers, response }: Route): string {
  if (answers === 'file') return '*/*';
  return response instanceof z.ZodString ? 'text/plain' : 'application/json';
}

function responses(route: Route): ZodOpenApiResponsesObject {
  // Any route refuses what it does not take, and an account that the caller may not name.
  const codes = new Set<ProblemCode>([...route.problems, 'rate_limited', 'invalid_request']);
  codes.add('forbidden_scope').add('account_not_found');
  if (route.costs) codes.add('quota_exceeded');
  if (route.costs === 'store') codes.add('storage_exceeded');
  // A body is read, and may be refused, also where none is taken; with GET there is none.
  if (route.method !== 'GET')
    for (const code of ['invalid_json', 'too_large', 'unsupported_media_type'] as const) codes.add(code);
  if (route.idempotent) codes.add('conflict');
  if (route.scope !== 'public') codes.add('unauthorized');
  const byStatus = new Map<number, string[]>();
  for (const code of codes) {
    const { status } = problems[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const replies: Record<string, unknown> = {
    [route.status]: {
      description: 'Success',
      headers: limitHeaders,
      content: {
        [mediaTypeOf(route)]: { schema: route.response },
      },
    },
  };
  for (const [status, names] of [...byStatus].sort(([a], [b]) => a - b))
    replies[status] = {
      description: names.map((name) => `\`${name}\``).join(', '),
      content: { 'application/problem+json': { schema: ProblemReply } },
    };
  return replies as ZodOpenApiResponsesObject;
}

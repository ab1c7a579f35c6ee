import type { Route } from '@reverie/shared/contract/route';
import { problems } from '@reverie/shared/contract/problems';
import { routes } from '@reverie/shared/contract/routes';
import * as relay from '@reverie/shared/contract/relay/relay';
import * as rooms from '@reverie/shared/contract/relay/relay-rooms';
import type { Schema } from './from-schema.ts';
import type { Operation } from './requests.ts';

interface DocumentedOperation {
  operationId: string;
  parameters?: { name: string; in: 'path' | 'query' | 'header'; required?: boolean; schema: Schema }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, unknown>;
}

/** An OpenAPI document, as far as it is read here. */
export interface OpenApi {
  paths: Record<string, Record<string, DocumentedOperation>>;
  components?: { schemas?: Record<string, Schema> };
}

/** The operations of the running daemon's own document, each with the route of the contract that it was made from. Throws where one has none. */
export function operationsOf(document: OpenApi): Operation[] {
  const byId = new Map(routes.map((route) => [route.id, route]));
  return Object.values(document.paths).flatMap((methods) =>
    Object.values(methods).map((operation): Operation => {
      const route = byId.get(operation.operationId);
      if (!route) throw new Error(`The contract has no route ${operation.operationId}`);
      return {
        route,
        statuses: new Set(Object.keys(operation.responses).map(Number)),
        parameters: (operation.parameters ?? []).map((one) => ({ ...one, required: one.required ?? false })),
        body: operation.requestBody?.content['application/json']?.schema,
      };
    }),
  );
}

/** Follows the references of a document. */
export function lookUpIn(document: OpenApi): (ref: string) => Schema {
  return (ref) => {
    const found = document.components?.schemas?.[ref.split('/').at(-1) ?? ''];
    if (!found) throw new Error(`The document has no ${ref}`);
    return found;
  };
}

/** The operations of the relay, which has no document: from its contract, by the same rules. */
export function relayOperations(): Operation[] {
  const made: unknown[] = [...Object.values(relay), ...Object.values(rooms)];
  return made.filter(isRoute).map((route): Operation => {
    const schemaOf = (given: Route['body']) =>
      given?.toJSONSchema({ io: 'input', unrepresentable: 'any' }) as Schema;
    const fields = (kind: 'path' | 'query', given: Route['body']) => {
      const { properties = {}, required = [] } = given ? schemaOf(given) : {};
      return Object.entries(properties).map(([name, schema]) => ({
        name,
        in: kind,
        required: required.includes(name),
        schema,
      }));
    };
    const codes = [
      ...route.problems,
      ...([
        'rate_limited',
        'invalid_request',
        'invalid_json',
        'too_large',
        'unsupported_media_type',
      ] as const),
      ...(route.scope === 'public' ? [] : (['unauthorized'] as const)),
    ];
    return {
      route,
      statuses: new Set([route.status, ...codes.map((code) => problems[code].status)]),
      parameters: [...fields('path', route.params), ...fields('query', route.query)],
      ...(route.body && { body: schemaOf(route.body) }),
    };
  });
}

function isRoute(made: unknown): made is Route {
  return typeof made === 'object' && made !== null && 'id' in made && 'path' in made && 'scope' in made;
}

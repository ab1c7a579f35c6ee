import type { z } from 'zod';
import type { ProblemCode } from './problems.ts';

/** What a key may do: each scope includes the ones before it; `public` needs no key. */
export const scopes = ['read', 'write', 'owner'] as const;
export type Scope = (typeof scopes)[number];

/** What a key may do with memories: `set` stores and changes, `delete` takes single ones away, `clear` whole namespaces and the trash. */
export const abilities = ['read', 'set', 'delete', 'clear'] as const;
export type Ability = (typeof abilities)[number];

/** The abilities that a scope has. */
export function abilitiesOf(scope: Scope): readonly Ability[] {
  return scope === 'read' ? ['read'] : abilities;
}

/**
 * Where a request names a namespace, such as `body.items[].namespace`; `insight`, `dream` and `session` stand for the namespace of
 * the one that `params.id` names.
 */
export type NamespaceSource = `${'params' | 'query' | 'body'}.${string}` | 'insight' | 'dream' | 'session';

/**
 * What a key that is narrower than its scope needs for a call. A request that names no namespace is refused to a key that has some only,
 * unless its answer is `filtered`.
 */
export interface Reach {
  can: readonly Ability[];
  /** Namespaces that are answered as if they were empty where the key does not have them. */
  absent?: readonly NamespaceSource[];
  /** Namespaces in which something would be put, or that would be emptied: refused where the key does not have them. */
  refused?: readonly NamespaceSource[];
  /** The handler leaves out what is of other namespaces: see `Caller.readable` and `Caller.within`. */
  filtered?: true;
  /** Where a request says when a memory ends: a deletion, so that it takes `delete`, too. */
  ends?: readonly NamespaceSource[];
}

/**
 * One endpoint, written once: validation, types, the OpenAPI document and the typed client follow from it.
 * `path` is relative to `/v1`, with parameters as `{name}`.
 */
export type Route = Endpoint &
  (
    | { scope: 'owner' | 'public'; reach?: undefined }
    // `nothing`: it tells and changes nothing of memories.
    | { scope: 'read' | 'write'; reach: Reach | 'nothing' }
  );

interface Endpoint {
  id: string;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  tag: string;
  summary: string;
  description?: string;
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodType;
  /** Status of success. */
  status: 200 | 201 | 202;
  response: z.ZodType;
  problems: readonly ProblemCode[];
  /** Accepts `Idempotency-Key`: the same key and body answer the stored reply for 24 h. */
  idempotent?: boolean;
  /**
   * What a call takes of the account's month: one recall, or a store for each memory that it writes.
   * Nothing where omitted.
   */
  costs?: 'recall' | 'store';
  /**
   * `heavy`: it may read or make megabytes, so that an account's are answered a few at a time, the others wait or get 429 `rate_limited`.
   */
  weight?: 'heavy';
  /** Of who runs a relay, by an operator's key, which no device has. */
  isOperators?: true;
  /** The reply is the bytes of a file, of whatever type it has. */
  answers?: 'file';
  /** The body is the bytes of a file, `application/octet-stream`, which the handler reads itself, and bounds. */
  takes?: 'file';
  /** Bytes of body that are read at most; 8 MiB where omitted (1 MiB of value with every byte escaped). */
  bodyLimit?: number;
}

/** Keeps the literal types of a route while checking it. */
export function route<const R extends Route>(definition: R): R {
  return definition;
}

type Input<R, K extends string> = R extends Record<K, z.ZodType> ? { [P in K]: z.input<R[K]> } : object;
type Output<R, K extends string> = R extends Record<K, z.ZodType> ? { [P in K]: z.output<R[K]> } : object;

/** A body of which nothing is needed may be left out. */
type SentBody<R> = R extends { body: z.ZodType }
  ? object extends z.input<R['body']>
    ? { body?: z.input<R['body']> | undefined }
    : Input<R, 'body'>
  : object;
/** What a client sends: defaults may be omitted. */
export type Sent<R extends Route> = Input<R, 'params'> & Input<R, 'query'> & SentBody<R>;
/** What a handler gets: parsed, with defaults filled in. */
export type Parsed<R extends Route> = Output<R, 'params'> &
  Output<R, 'query'> &
  Output<R, 'body'> &
  (R extends { takes: 'file' } ? { file: AsyncIterable<Uint8Array> } : object);
/** What a handler answers. */
export type Reply<R extends Route> = z.input<R['response']>;
/** What a client receives. */
export type Received<R extends Route> = z.output<R['response']>;

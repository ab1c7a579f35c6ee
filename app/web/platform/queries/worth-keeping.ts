import { EVERY_NAMESPACE } from '@reverie/shared/contract/fields';
import type { QueryKey } from '@tanstack/react-query';
import { z } from 'zod';

/** What is kept of an answer for the next visit, and of which namespace it is (`*` where it may be of several). */
export interface Worth {
  namespace: string;
  data: unknown;
}

/** Of memories: pages of lists, and those that were read. */
const OF_MEMORIES = ['page', 'one'];
const OF_DREAMS = ['insights', 'jobs'];

/**
 * What of an answer may be kept on the disk of this browser: lists, what was read, and Today. Nothing of a namespace that is kept from all models,
 * nothing of keys, devices, models, webhooks or searches, and no settings, by which is written. Undefined where nothing of it may.
 */
export function worthKeeping(
  [kind, second, third]: QueryKey,
  data: unknown,
  isPrivate: (namespace: string) => boolean,
): Worth | undefined {
  switch (kind) {
    case 'memories': {
      const namespace = String(second);
      if (!OF_MEMORIES.includes(String(third)) || isPrivate(namespace)) return undefined;
      // A list without some of its rows would be another list.
      return names(data, isPrivate) ? undefined : { namespace, data };
    }
    case 'dreams':
      if (!OF_DREAMS.includes(String(second))) return undefined;
      return { namespace: EVERY_NAMESPACE, data: without(data, isPrivate) };
    case 'namespaces': {
      const rows = without(data, isPrivate);
      // An empty home begins with its first steps, which stay once they are shown.
      return Array.isArray(rows) && rows.length > 0 ? { namespace: EVERY_NAMESPACE, data: rows } : undefined;
    }
    case 'inboxes':
    case 'events':
      if (kind === 'events' && second !== 'since-yesterday') return undefined;
      return { namespace: EVERY_NAMESPACE, data: without(data, isPrivate) };
    default:
      return undefined;
  }
}

/** Whether a row of an answer is of such a namespace. */
function names(data: unknown, isPrivate: (namespace: string) => boolean): boolean {
  if (Array.isArray(data)) return data.some((one) => names(one, isPrivate));
  if (typeof data !== 'object' || data === null) return false;
  if ('namespace' in data && typeof data.namespace === 'string' && isPrivate(data.namespace)) return true;
  return Object.values(data).some((one) => names(one, isPrivate));
}

/** The same without rows of such namespaces. */
function without(data: unknown, isPrivate: (namespace: string) => boolean): unknown {
  if (Array.isArray(data))
    return data.filter((one) => !isOf(one, isPrivate)).map((one) => without(one, isPrivate));
  if (typeof data !== 'object' || data === null) return data;
  return Object.fromEntries(Object.entries(data).map(([name, one]) => [name, without(one, isPrivate)]));
}

function isOf(row: unknown, isPrivate: (namespace: string) => boolean): boolean {
  if (typeof row === 'string') return isPrivate(row);
  return (
    typeof row === 'object' &&
    row !== null &&
    'namespace' in row &&
    typeof row.namespace === 'string' &&
    isPrivate(row.namespace)
  );
}

const Rows = z.array(
  z.object({
    namespace: z.string(),
    count: z.number(),
    bytes: z.number(),
    updated_at: z.string(),
    models: z.string().optional(),
  }),
);

/** Says which namespaces are kept from all models; undefined while it is not known which. */
export function privateIn(namespaces: unknown): ReadonlySet<string> | undefined {
  const rows = Rows.safeParse(namespaces).data;
  return rows && new Set(rows.filter(({ models }) => models === 'none').map(({ namespace }) => namespace));
}

/** The namespaces that are not as they were, or not there any more; undefined where it is not known how they were. */
export function changedSince(before: unknown, now: unknown): ReadonlySet<string> | undefined {
  const [were, are] = [Rows.safeParse(before).data, Rows.safeParse(now).data];
  if (!were || !are) return undefined;
  const rows = new Map(are.map((row) => [row.namespace, JSON.stringify(row)]));
  const changed = were.filter((row) => rows.get(row.namespace) !== JSON.stringify(row));
  const added = are.filter((row) => !were.some(({ namespace }) => namespace === row.namespace));
  return new Set([...changed, ...added].map(({ namespace }) => namespace));
}

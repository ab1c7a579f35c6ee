import { Namespace } from '@reverie/shared/contract/fields';

/** The header with which the namespace of a project is sent, percent-encoded, for a header is ASCII. */
export const PROJECT_HEADER = 'reverie-namespace';

/** Where an agent works, as far as its request says. */
export interface AgentScope {
  namespace: string;
  /** False where the request names no project, so that `default` is used. */
  isNamed: boolean;
  /** The folder in which it works, where that is on this machine and known. */
  folder?: string;
}

/** Reads the namespace of a request from its header, or from `?namespace=`; throws a sentence where it is none. */
export function scopeOf(url: URL, header: string | null): AgentScope {
  const given = header === null ? url.searchParams.get('namespace') : decoded(header);
  if (given === null) return { namespace: 'default', isNamed: false };
  const parsed = Namespace.safeParse(given);
  if (!parsed.success)
    throw new Error(
      `The namespace ${JSON.stringify(given.slice(0, 200))} ${parsed.error.issues[0]?.message ?? 'is none'}`,
    );
  return { namespace: parsed.data, isNamed: true };
}

function decoded(header: string): string {
  try {
    return decodeURIComponent(header);
  } catch {
    // Not percent-encoded: then it is refused, or taken, as it stands.
    return header;
  }
}

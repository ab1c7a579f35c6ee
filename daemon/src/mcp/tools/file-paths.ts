/** Where coding sessions stand. */
export const SESSIONS = '/sessions/';

/** What a path names. `/NAMESPACE/KEY` has slashes in both, so that it may be of several namespaces: the longest comes first. */
export type Place =
  | { kind: 'sessions' }
  | { kind: 'session'; id: string }
  | { kind: 'entry'; id: string; entry: number }
  | {
      kind: 'memories';
      /** The path from the root. */
      path: string;
      /** Namespaces that it stands in, and what is left of it there. */
      within: readonly { namespace: string; rest: string }[];
      /** Namespaces that stand below it. */
      below: readonly string[];
    };

/** Reads a path; one without a slash at its start is of the project, and none at all is the project. */
export function placeOf(
  given: string | undefined,
  { namespace, namespaces }: { namespace: string; namespaces: readonly string[] },
): Place {
  const path = given?.startsWith('/') ? given : `/${namespace}/${given ?? ''}`;
  const session = /^\/sessions\/(cs_[0-9a-z]{26})(?:\/(\d{1,9}))?\/?$/u.exec(path);
  const [, id, entry] = session ?? [];
  if (id !== undefined && entry !== undefined && Number(entry) > 0)
    return { kind: 'entry', id, entry: Number(entry) };
  if (id !== undefined && entry === undefined) return { kind: 'session', id };
  if (path === '/sessions' || path === SESSIONS) return { kind: 'sessions' };
  const folder = path.endsWith('/') ? path : `${path}/`;
  const all = [...new Set([...namespaces, namespace])];
  return {
    kind: 'memories',
    path,
    within: all
      .filter((name) => folder.startsWith(`/${name}/`))
      .sort((a, b) => b.length - a.length)
      .map((name) => ({ namespace: name, rest: path.slice(name.length + 2) })),
    below: namespaces.filter((name) => `/${name}/`.startsWith(folder) && `/${name}/` !== folder),
  };
}

/** The path of a memory. */
export const pathOf = (namespace: string, key: string): string => `/${namespace}/${key}`;

/** The path of an entry of a session. */
export const entryPath = (session: string, entry: number): string => `${SESSIONS}${session}/${entry}`;

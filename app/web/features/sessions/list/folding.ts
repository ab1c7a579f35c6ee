import type { CodingSession } from '@reverie/shared/contract/sessions/sessions';
import { dayOf } from '../../../platform/days.ts';

/** What stands in the list: a day, a project of that day, or a session below it. */
export type ListItem =
  | { kind: 'day'; key: string; label: string }
  | { kind: 'project'; key: string; label: string }
  | { kind: 'session'; key: string; session: CodingSession; depth: number; folded: number; isOpen: boolean };

/**
 * Sessions by the day on which they were written to last, and within it by project. Subagents stand below the session that began
 * them, folded until that is opened; one whose session is not here stands by itself.
 */
export function foldedOf(
  sessions: readonly CodingSession[],
  opened: ReadonlySet<string>,
  now: number,
): readonly ListItem[] {
  const here = new Map(sessions.map((session) => [session.id, session]));
  const children = Map.groupBy(
    sessions.filter(({ parent }) => parent?.kind === 'subagent' && here.has(parent.id)),
    ({ parent }) => parent?.id,
  );
  const below = (session: CodingSession, depth: number, seen: ReadonlySet<string>): ListItem[] => {
    const own = (children.get(session.id) ?? []).filter(({ id }) => !seen.has(id));
    const isOpen = opened.has(session.id);
    const item = { kind: 'session' as const, key: session.id, session, depth, folded: own.length, isOpen };
    const within = new Set([...seen, session.id]);
    return [item, ...(isOpen ? own.flatMap((child) => below(child, depth + 1, within)) : [])];
  };
  const tops = sessions.filter(({ parent }) => parent?.kind !== 'subagent' || !here.has(parent.id));
  const items: ListItem[] = [];
  for (const [day, ofDay] of Map.groupBy(tops, ({ updated_at }) => dayOf(updated_at, now))) {
    items.push({ kind: 'day', key: `day ${day}`, label: day });
    for (const [project, ofProject] of Map.groupBy(ofDay, (one) => one.project)) {
      items.push({ kind: 'project', key: `project ${day} ${project}`, label: project ?? 'No project' });
      items.push(...ofProject.flatMap((session) => below(session, 0, new Set())));
    }
  }
  return items;
}

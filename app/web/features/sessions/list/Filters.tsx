import { agentTitle } from '@reverie/shared/contract/sessions/coding-agents';
import {
  sessionAgents,
  sessionStatuses,
  type CodingSession,
} from '@reverie/shared/contract/sessions/sessions';
import { useGo } from '../../../platform/place.ts';
import type { SessionFilter } from '../queries.ts';
import { STATUS_WORDS } from '../words.ts';
import css from './SessionsView.module.css';

interface FiltersProps {
  filter: SessionFilter;
  /** The sessions that are known, of which the projects are chosen from. */
  sessions: readonly CodingSession[];
}

/** What narrows the list: an agent, a project, and whether they are written to now. */
export function Filters({ filter, sessions }: FiltersProps) {
  const go = useGo('/sessions');
  const among = (known: Iterable<string | null | undefined>) =>
    [...new Set(known)].filter((one) => one !== null && one !== undefined).toSorted();
  const choices = [
    {
      name: 'agent',
      label: 'Agent',
      all: 'All agents',
      options: among([...sessionAgents, ...sessions.map(({ agent }) => agent), filter.agent]).map(
        (one) => [one, agentTitle(one)] as const,
      ),
    },
    {
      name: 'project',
      label: 'Project',
      all: 'All projects',
      options: among([...sessions.map(({ project }) => project), filter.project]).map(
        (one) => [one, one] as const,
      ),
    },
    {
      name: 'status',
      label: 'State',
      all: 'Live or not',
      options: sessionStatuses.map((one) => [one, STATUS_WORDS[one]] as const),
    },
  ] as const;
  return (
    <div className={css['filters']}>
      {choices.map(({ name, label, all, options }) => (
        <select
          key={name}
          aria-label={label}
          dir="auto"
          value={filter[name] ?? ''}
          onChange={({ target }) =>
            go({ [name]: target.value === '' ? undefined : target.value }, { replace: true })
          }
        >
          <option value="">{all}</option>
          {options.map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      ))}
    </div>
  );
}

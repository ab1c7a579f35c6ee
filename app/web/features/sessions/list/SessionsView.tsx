import { sessionStatuses } from '@reverie/shared/contract/sessions/sessions';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { Fetched } from '../../../platform/queries/Fetched.tsx';
import { useGo, usePlace } from '../../../platform/place.ts';
import { useShortcuts } from '../../../platform/shortcuts.ts';
import { Button } from '../../../ui/Button.tsx';
import { LinkButton } from '../../../ui/LinkButton.tsx';
import { Message } from '../../../ui/Message.tsx';
import { JoinSession } from '../acting/JoinSession.tsx';
import { sessionsQuery, type SessionFilter } from '../queries.ts';
import { Filters } from './Filters.tsx';
import { Hits } from './Hits.tsx';
import { SearchSessions } from './SearchSessions.tsx';
import { SessionList } from './SessionList.tsx';
import css from './SessionsView.module.css';
import { useSessionNews } from './use-session-news.ts';

/** What coding agents did, by day and project, and the way to find it again. */
export default function SessionsView({ isOwner }: { isOwner: boolean }) {
  const place = usePlace();
  const [isJoining, setJoining] = useState(false);
  const filter: SessionFilter = {
    agent: place.agent,
    project: place.project,
    status: sessionStatuses.find((one) => one === place.status),
  };
  const list = useInfiniteQuery(sessionsQuery(filter));
  const sessions = list.data?.pages.flatMap((page) => page.sessions) ?? [];
  const isFiltered = Object.values(filter).some((one) => one !== undefined);
  const q = place.q ?? '';
  useEffect(() => {
    document.title = 'Sessions · Reverie';
  }, []);
  useSessionNews();
  useShortcuts({ s: () => document.querySelector<HTMLElement>('[data-search-sessions]')?.focus() });
  return (
    <div className={css['view']}>
      <div className={css['head']}>
        <h1>Sessions</h1>
        <div className={css['acts']}>
          {isOwner && <Button onClick={() => setJoining(true)}>Join one…</Button>}
          <Link to="/sessions/sources" className={css['sources']}>
            Sources
          </Link>
        </div>
      </div>
      <div className={css['tools']}>
        <SearchSessions q={q} />
        <Filters filter={filter} sessions={sessions} />
      </div>
      {q.trim() !== '' ? (
        <Hits q={q} agent={filter.agent} />
      ) : (
        <Fetched of={list} lines={8}>
          {() =>
            sessions.length === 0 ? (
              <Empty isFiltered={isFiltered} />
            ) : (
              <SessionList sessions={sessions} list={list} />
            )
          }
        </Fetched>
      )}
      {isJoining && <JoinSession onClose={() => setJoining(false)} />}
    </div>
  );
}

function Empty({ isFiltered }: { isFiltered: boolean }) {
  const go = useGo('/sessions');
  if (isFiltered)
    return (
      <Message icon="search" title="No such session">
        <p>No session fits these filters.</p>
        <Button
          onClick={() => go({ agent: undefined, project: undefined, status: undefined }, { replace: true })}
        >
          Show all sessions
        </Button>
      </Message>
    );
  return (
    <Message icon="session" title="No sessions yet">
      <p>
        Sessions are talks with coding agents, as they wrote them down. Reverie can read them, so that you can
        find, hand over or share them. It reads none before you agree, agent by agent.
      </p>
      <LinkButton look="strong" to="/sessions/sources">
        See what was found on this machine
      </LinkButton>
    </Message>
  );
}

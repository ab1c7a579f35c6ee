import type { CodingSession } from '@reverie/shared/contract/sessions/sessions';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { Unfetched } from '../../../platform/queries/Fetched.tsx';
import { usePlace } from '../../../platform/place.ts';
import { isGone } from '../is-gone.ts';
import { Message } from '../../../ui/Message.tsx';
import { sessionQuery } from '../queries.ts';
import { Reader } from './Reader.tsx';

interface SessionViewProps {
  id: string;
  canWrite: boolean;
  isOwner: boolean;
}

/** One coding session: read, searched, followed while it happens, and what can be done with it. */
export default function SessionView({ id, canWrite, isOwner }: SessionViewProps) {
  const session = useQuery(sessionQuery(id));
  const place = usePlace();
  useTitle(session.data);
  if (session.isError && isGone(session.error))
    return (
      <Message icon="search" title="This session is not here">
        <p>It may be deleted, or belong to another account.</p>
        <Link to="/sessions" search={{}}>
          To the sessions
        </Link>
      </Message>
    );
  if (!session.data) return <Unfetched of={session} lines={10} />;
  return (
    <Reader
      session={session.data}
      canWrite={canWrite}
      isOwner={isOwner}
      asked={{ entry: place.entry, q: place.q }}
    />
  );
}

function useTitle(session: CodingSession | undefined): void {
  const title = session?.title;
  useEffect(() => {
    document.title = title === undefined ? 'Session · Reverie' : `${title} · Reverie`;
  }, [title]);
}

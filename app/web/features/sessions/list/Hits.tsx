import { agentTitle } from '@reverie/shared/contract/sessions/coding-agents';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Unfetched } from '../../../platform/queries/Fetched.tsx';
import { markedPassage } from '../../../platform/passage.ts';
import { Marked } from '../../../ui/text/Marked.tsx';
import { Message } from '../../../ui/Message.tsx';
import { Time } from '../../../ui/Time.tsx';
import { hitsQuery } from '../queries.ts';
import { KIND_WORDS } from '../words.ts';
import css from './SessionsView.module.css';

/** What was found in sessions: the passage, what it is of, and the session that it stands in. */
export function Hits({ q, agent }: { q: string; agent: string | undefined }) {
  const hits = useQuery(hitsQuery(q, { agent }));
  if (!hits.data) return <Unfetched of={hits} lines={6} />;
  if (hits.data.length === 0)
    return (
      <Message icon="search" title="Nothing was found in sessions">
        <p>Try fewer words, or words that were said in the session.</p>
      </Message>
    );
  return (
    <div className={css['scroll']}>
      <ul role="list" aria-label="Found in sessions" className={css['hits']}>
        {hits.data.map(({ session, entry, at, kind, passage }) => (
          <li key={`${session.id} ${entry}`}>
            <Link
              to="/sessions/$id"
              params={{ id: session.id }}
              search={{ entry, q }}
              className={css['hit']}
              data-session={session.id}
            >
              <span className={css['line']}>
                <bdi className={css['title']}>{session.title}</bdi>
                <span className={css['time']}>
                  <Time at={at} />
                </span>
              </span>
              <span className={css['passage']} dir="auto">
                <Marked {...markedPassage(passage)} isShort />
              </span>
              <span className={css['more']}>
                {[KIND_WORDS[kind], agentTitle(session.agent), session.project]
                  .filter((one) => one !== null)
                  .join(' · ')}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}

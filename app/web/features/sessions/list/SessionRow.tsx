import { agentTitle } from '@reverie/shared/contract/sessions/coding-agents';
import type { CodingSession } from '@reverie/shared/contract/sessions/sessions';
import { Link } from '@tanstack/react-router';
import { Badge } from '../../../ui/Badge.tsx';
import { Icon } from '../../../ui/Icon.tsx';
import { Time } from '../../../ui/Time.tsx';
import { Dot } from '../Dot.tsx';
import { peopleWords, sizeWords } from '../words.ts';
import css from './SessionsView.module.css';

interface SessionRowProps {
  session: CodingSession;
  depth: number;
  /** How many subagents are folded below it. */
  folded: number;
  isOpen: boolean;
  onToggle: () => void;
}

/** A session in the list: what it is called, which agent works in it, how much there is, and who takes part. */
export function SessionRow({ session, depth, folded, isOpen, onToggle }: SessionRowProps) {
  const people = peopleWords(session.participants);
  return (
    <div className={css['row']} data-depth={Math.min(depth, 3)}>
      <Link
        to="/sessions/$id"
        params={{ id: session.id }}
        search={{}}
        className={css['link']}
        data-session={session.id}
      >
        <Dot status={session.status} />
        <span className={css['words']}>
          <span className={css['line']}>
            <bdi className={css['title']}>{session.title}</bdi>
            {session.shared && <Badge tone="violet">shared</Badge>}
            {!session.shared && session.role !== 'owner' && <Badge tone="warn">not shared any more</Badge>}
            <span className={css['time']}>
              <Time at={session.updated_at} />
            </span>
          </span>
          <span className={css['more']}>
            {[
              agentTitle(session.agent),
              session.branch !== null && session.branch,
              sizeWords(session),
              people !== '' && `with ${people}`,
            ]
              .filter((one) => one !== false)
              .join(' · ')}
          </span>
        </span>
      </Link>
      {folded > 0 && (
        <button type="button" className={css['fold']} aria-expanded={isOpen} onClick={onToggle}>
          <Icon name={isOpen ? 'down' : 'right'} />
          {folded === 1 ? '1 subagent' : `${folded} subagents`}
        </button>
      )}
    </div>
  );
}

import { agentTitle } from '@reverie/shared/contract/sessions/coding-agents';
import type { CodingSession } from '@reverie/shared/contract/sessions/sessions';
import { Link } from '@tanstack/react-router';
import { Badge } from '../../../ui/Badge.tsx';
import { Button, IconButton } from '../../../ui/Button.tsx';
import { Icon } from '../../../ui/Icon.tsx';
import { Menu, MenuItem, MenuLine } from '../../../ui/Menu.tsx';
import { Time } from '../../../ui/Time.tsx';
import { Dot } from '../Dot.tsx';
import { parentWords, peopleWords, sizeWords, STATUS_WORDS } from '../words.ts';
import css from './SessionView.module.css';

/** What can be done with a session, each in a window of its own. */
export type SessionDialog = 'share' | 'handover' | 'resume' | 'rename' | 'move' | 'delete' | 'asked';

interface SessionHeadProps {
  session: CodingSession;
  canWrite: boolean;
  isOwner: boolean;
  isBesideOpen: boolean;
  onDo: (what: SessionDialog) => void;
  onFind: () => void;
  onBeside: () => void;
}

/** What the session is, and what can be done with it. */
export function SessionHead(props: SessionHeadProps) {
  const { session, canWrite, isOwner, isBesideOpen, onDo, onFind, onBeside } = props;
  const people = peopleWords(session.participants);
  const canChange = canWrite && session.role !== 'viewer';
  return (
    <header className={css['head']}>
      <Link to="/sessions" search={{}} className={css['back']} aria-label="Back to the sessions">
        <Icon name="back" />
      </Link>
      <div className={css['names']}>
        <div className={css['titleLine']}>
          <h1 className={css['title']} dir="auto">
            {session.title}
          </h1>
          {session.shared && <Badge tone="violet">shared</Badge>}
          {!session.shared && session.role !== 'owner' && <Badge tone="warn">not shared any more</Badge>}
        </div>
        <p className={css['facts']}>
          <Dot status={session.status} />
          {STATUS_WORDS[session.status]}
          {` · ${agentTitle(session.agent)}`}
          {session.project !== null && ` · ${session.project}`}
          {session.branch !== null && ` · ${session.branch}`}
          {` · ${sizeWords(session)} · `}
          <Time at={session.updated_at} />
          {session.models.length > 0 && ` · ${session.models.join(', ')}`}
          {people !== '' && ` · with ${people}`}
          {session.parent && (
            <>
              {' · '}
              <Link to="/sessions/$id" params={{ id: session.parent.id }} search={{}}>
                {parentWords(session.parent.kind)} another session
              </Link>
            </>
          )}
        </p>
      </div>
      <div className={css['actions']}>
        <span className={css['wideOnly']}>
          <Button onClick={() => onDo('handover')}>Hand over</Button>
        </span>
        {isOwner && session.role === 'owner' && (
          <Button look="strong" icon="share" onClick={() => onDo('share')}>
            Share
          </Button>
        )}
        <IconButton icon="search" label="Search in this session" shortcut="/" onClick={onFind} />
        <IconButton
          icon="people"
          label="People and notes"
          shortcut="b"
          aria-expanded={isBesideOpen}
          onClick={onBeside}
        />
        <Menu icon="more" label="More about this session">
          <MenuItem icon="list" shortcut="o" onSelect={() => onDo('asked')}>
            What was asked
          </MenuItem>
          <MenuItem icon="send" shortcut="h" onSelect={() => onDo('handover')}>
            Hand over…
          </MenuItem>
          <MenuItem icon="again" onSelect={() => onDo('resume')}>
            Go on in an agent…
          </MenuItem>
          {canChange && (
            <>
              <MenuItem icon="edit" onSelect={() => onDo('rename')}>
                Rename…
              </MenuItem>
              <MenuItem icon="folder" onSelect={() => onDo('move')}>
                Move to a namespace…
              </MenuItem>
              <MenuLine />
              <MenuItem icon="trash" danger onSelect={() => onDo('delete')}>
                Delete…
              </MenuItem>
            </>
          )}
        </Menu>
      </div>
    </header>
  );
}

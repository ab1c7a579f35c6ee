import { Link, useLocation } from '@tanstack/react-router';
import { Count } from './Count.tsx';
import { allows, session } from '../platform/daemon/session.ts';
import { useStore } from '../platform/store.ts';
import css from './Shell.module.css';
import { Icon } from '../ui/Icon.tsx';
import { useCounts } from './use-counts.ts';
import { viewsOf, type Room } from '../views.ts';

const ROOMS = { review: 'Review', connections: 'Connections', settings: 'Settings' } as const;

/** The views of the room one is in, beside each other; where there is no room for them, the way back to the first. */
export default function RoomViews({ room }: { room: Room }) {
  const { pathname } = useLocation();
  const now = useStore(session);
  const counts = useCounts();
  const [first, ...others] = viewsOf(room).filter(({ scope }) => allows(now, scope));
  if (!first || others.length === 0) return null;
  return (
    <nav className={css['room']} data-room={room} data-first={pathname === first.to} aria-label={ROOMS[room]}>
      {[first, ...others].map((view) => (
        <Link
          key={view.to}
          to={view.to}
          className={css['roomView']}
          activeOptions={{ exact: true, includeSearch: false }}
        >
          <Icon name="back" />
          <span className={css['roomName']}>{'tab' in view ? view.tab : view.label}</span>
          <span className={css['roomBack']}>{ROOMS[room]}</span>
          <Count of={counts[view.to]} className={css['count']} />
        </Link>
      ))}
    </nav>
  );
}

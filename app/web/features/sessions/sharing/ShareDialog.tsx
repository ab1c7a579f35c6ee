import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Fetched } from '../../../platform/queries/Fetched.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { Banner } from '../../../ui/Message.tsx';
import type { ActingProps } from '../acting/acting.ts';
import { isUnlinked } from '../is-gone.ts';
import { shareQuery } from '../queries.ts';
import { FromChoice } from './FromChoice.tsx';
import { MakeLink } from './MakeLink.tsx';
import { Preview } from './Preview.tsx';
import css from './ShareDialog.module.css';
import { Shared } from './Shared.tsx';
import { Waiting } from './Waiting.tsx';

/** Shares a session: what would leave first, then the link; and of a shared one who reads it and how that ends. */
export function ShareDialog({ session, onClose }: ActingProps) {
  const share = useQuery(shareQuery(session.id));
  const [chosen, setFrom] = useState<'start' | 'now'>();
  const isUnlinkedHere = share.isError && isUnlinked(share.error);
  // What is shared already is shared from where it was.
  const from = share.data?.from ?? chosen ?? 'start';
  return (
    <Dialog title="Share this session" isWide onClose={onClose}>
      {isUnlinkedHere ? (
        <NotLinked onClose={onClose} />
      ) : (
        <Fetched of={share} lines={6}>
          {(data) => (
            <>
              {data.ended && <Banner tone="warn">{data.ended.message}.</Banner>}
              {data.waiting > 0 && <Waiting session={session.id} share={data} />}
              {data.shared ? (
                <Shared session={session} share={data} />
              ) : (
                <FromChoice from={from} onFrom={setFrom} />
              )}
            </>
          )}
        </Fetched>
      )}
      {(isUnlinkedHere || share.data) && (
        <section className={css['part']} aria-label="What leaves this machine">
          <h3>{share.data?.shared ? 'What leaves this machine' : 'What would leave this machine'}</h3>
          <Preview session={session.id} from={from} />
        </section>
      )}
      {share.data && <MakeLink session={session.id} from={from} />}
    </Dialog>
  );
}

/** Without a relay there is nobody to share with: says how to link this machine. */
function NotLinked({ onClose }: { onClose: () => void }) {
  return (
    <div className={css['part']}>
      <p>
        Others read a session through a relay, a server that passes it on. Link this machine to one and come
        back: nothing leaves before you make a link.
      </p>
      <p>
        <Link to="/sync" onClick={onClose}>
          Link this machine to a relay
        </Link>
      </p>
    </div>
  );
}

import { useQuery } from '@tanstack/react-query';
import { countOf } from '../../platform/format.ts';
import { Trouble } from '../../platform/Trouble.tsx';
import { Badge } from '../../ui/Badge.tsx';
import { Row, Rows } from '../../ui/lists/Rows.tsx';
import { Time } from '../../ui/Time.tsx';
import css from './Outbox.module.css';
import { outboxQuery } from './queries.ts';

/** The e-mails that were not sent, below the accounts; nothing where there are none. */
export function Outbox({ open, onOpen }: { open: string | undefined; onOpen: (id: string) => void }) {
  const { data, error, isError, refetch } = useQuery(outboxQuery);
  if (isError && !data) return <Trouble error={error} retry={() => void refetch()} />;
  if (!data || data.mails.length === 0) return null;
  return (
    <section aria-label="Outbox">
      <h2 className={css['heading']}>Outbox</h2>
      <p className={css['lead']}>
        {data.transport === 'files' ? (
          <>
            No mail server is set (<code>mail.smtp.host</code>), so{' '}
            {countOf(data.mails.length, 'e-mail waits', 'e-mails wait')} here: open one and pass its link on.
          </>
        ) : (
          'The mail server does not take these; they are tried again.'
        )}
      </p>
      <Rows label="E-mails">
        {data.mails.map((mail) => (
          <Row
            key={mail.id}
            name={mail.to}
            badge={mail.last_error !== null && <Badge tone="bad">not sent</Badge>}
            isOpen={mail.id === open}
            onOpen={() => onOpen(mail.id)}
            more={
              <>
                {mail.subject} · <Time at={mail.created_at} />
              </>
            }
          />
        ))}
      </Rows>
    </section>
  );
}

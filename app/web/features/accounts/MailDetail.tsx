import { useQuery } from '@tanstack/react-query';
import { Fetched } from '../../platform/queries/Fetched.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { Facts } from '../../ui/Facts.tsx';
import { Frame } from '../../ui/Frame.tsx';
import { Snippet } from '../../ui/Message.tsx';
import { Time } from '../../ui/Time.tsx';
import css from './AccountDetail.module.css';
import { mailQuery } from './queries.ts';

/** An e-mail that was not sent: to whom, why, and the link that it is for. */
export function MailDetail({ id, onClose }: { id: string; onClose: () => void }) {
  const mail = useQuery(mailQuery(id));
  return (
    <Frame title={mail.data?.subject ?? 'E-mail'} onClose={onClose}>
      <Fetched of={mail} lines={6}>
        {(data) => (
          <div className={css['parts']}>
            <Facts
              rows={[
                ['To', <bdi>{data.to}</bdi>],
                ['Written', <Time at={data.created_at} full />],
                ['Tries', data.attempts],
                ['Why it was not sent', data.last_error],
                ['Next try', data.next_attempt_at !== null && <Time at={data.next_attempt_at} full />],
                ['File', <code>{data.file}</code>],
              ]}
            />
            {data.link !== null && (
              <section aria-label="The link of this e-mail">
                <h3>The link that it is for</h3>
                <Snippet action={<CopyButton text={data.link} what="link" />}>{data.link}</Snippet>
                <p className={css['soft']}>
                  Give it only to the person of this address: whoever opens it confirms the account.
                </p>
              </section>
            )}
          </div>
        )}
      </Fetched>
    </Frame>
  );
}

import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Fetched } from '../../platform/queries/Fetched.tsx';
import { countOf } from '../../platform/format.ts';
import { useGo, usePlace } from '../../platform/place.ts';
import { Button } from '../../ui/Button.tsx';
import { LinkButton } from '../../ui/LinkButton.tsx';
import { Frame } from '../../ui/Frame.tsx';
import { Message } from '../../ui/Message.tsx';
import { NothingOpen, RowsHead } from '../../ui/lists/Rows.tsx';
import { Split, SplitBody } from '../../ui/lists/Split.tsx';
import css from './InboxView.module.css';
import { MessageDetail } from './MessageDetail.tsx';
import { MessageList } from './MessageList.tsx';
import { inboxesQuery } from './queries.ts';
import type { Thread } from './threads.ts';
import { useInbox } from './use-inbox.ts';
import { useMessageActs } from './use-message-acts.ts';
import { useOpenMessage, type OpenMessage } from './use-open-message.ts';

interface InboxViewProps {
  namespaces: readonly string[];
  canWrite: boolean;
}

/** What agents and programs left for whoever works in a namespace: read, answered, kept and done with. */
export default function InboxView({ namespaces, canWrite }: InboxViewProps) {
  const place = usePlace();
  const namespace = place.namespace === '*' ? undefined : place.namespace;
  const { threads, unread, error, retry, more } = useInbox(namespace);
  const opened = useOpenMessage(threads);
  useEffect(() => {
    document.title = 'Inbox · Reverie';
  }, []);
  return (
    <Split
      labels={['Inbox', 'Open message']}
      isOpen={opened.id !== undefined}
      isAlone={namespace === undefined && threads?.length === 0}
      tools={
        <>
          <RowsHead title="Inbox">
            <span role="status" className={css['count']}>
              {threads &&
                (unread === 0
                  ? 'You have read it all'
                  : countOf(unread, 'unread message', 'unread messages'))}
            </span>
          </RowsHead>
          <Chooser namespaces={namespaces} chosen={namespace} />
        </>
      }
      list={
        <SplitBody>
          <Fetched of={{ data: threads, error, refetch: retry }} lines={6}>
            {(all) =>
              all.length === 0 ? (
                <Empty namespace={namespace} />
              ) : (
                <MessageList
                  threads={all}
                  openId={opened.id}
                  more={more}
                  isOfAll={namespace === undefined}
                  onOpen={opened.open}
                />
              )
            }
          </Fetched>
        </SplitBody>
      }
      detail={<Opened threads={threads} opened={opened} namespaces={namespaces} canWrite={canWrite} />}
    />
  );
}

interface OpenedProps extends InboxViewProps {
  threads: readonly Thread[] | undefined;
  opened: OpenMessage;
}

/** What is open beside the list: a message, or that it is not there. */
function Opened({ threads, opened, namespaces, canWrite }: OpenedProps) {
  const go = useGo('/inbox');
  const { acts, stateOf } = useMessageActs({ threads, opened, canWrite });
  const { thread } = opened;
  if (thread)
    return (
      <MessageDetail
        key={thread.message.id}
        thread={thread}
        namespaces={namespaces}
        canWrite={canWrite}
        acts={acts}
        {...opened.look}
        state={stateOf(thread)}
      />
    );
  if (opened.id === undefined || !threads) return <NothingOpen />;
  return (
    <Frame title="Message" onClose={opened.close}>
      <Message icon="search" title="This message is not here">
        <p>It may be in another namespace, or was read so long ago that it is gone.</p>
        <Button onClick={() => go({ namespace: '*', message: undefined })}>Show all messages</Button>
      </Message>
    </Frame>
  );
}

function Chooser({ namespaces, chosen }: { namespaces: readonly string[]; chosen: string | undefined }) {
  const go = useGo('/inbox');
  const { data: heard = [] } = useQuery(inboxesQuery);
  const names = new Set([...heard, ...namespaces, ...(chosen === undefined ? [] : [chosen])]);
  return (
    <select
      aria-label="Inbox of"
      dir="auto"
      className={css['chooser']}
      value={chosen ?? '*'}
      onChange={(event) => go({ namespace: event.target.value, message: undefined })}
    >
      <option value="*">All namespaces</option>
      {[...names]
        .toSorted((a, b) => a.localeCompare(b))
        .map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
    </select>
  );
}

function Empty({ namespace }: { namespace: string | undefined }) {
  const go = useGo('/inbox');
  return (
    <Message icon="inbox" title="No messages">
      <p>
        Agents and programs leave messages here for you, such as that a build failed or what they would like
        to remember. They appear at once, and can be answered.
      </p>
      {namespace === undefined ? (
        <LinkButton icon="agent" to="/agents">
          Connect an agent
        </LinkButton>
      ) : (
        <Button onClick={() => go({ namespace: '*' })}>Look into all namespaces</Button>
      )}
    </Message>
  );
}

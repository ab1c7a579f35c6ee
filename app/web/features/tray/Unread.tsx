import { Unfetched } from '../../platform/queries/Fetched.tsx';
import { Message } from '../../ui/Message.tsx';
import { MessageList } from '../inbox/MessageList.tsx';
import { useInbox } from '../inbox/use-inbox.ts';
import type { TrayTarget } from './target.ts';

/** What agents and programs left, unread messages first. */
export function Unread({ onOpen }: { onOpen: (target: TrayTarget) => void }) {
  const { threads, error, retry, more } = useInbox(undefined);
  if (!threads) return <Unfetched of={{ error, refetch: retry }} lines={6} />;
  if (threads.length === 0)
    return (
      <Message icon="inbox" title="No messages">
        <p>What agents and programs leave for you appears here at once.</p>
      </Message>
    );
  return (
    <MessageList
      threads={threads}
      openId={undefined}
      isOfAll
      more={more}
      onOpen={(id) => {
        const namespace = threads.find(({ message }) => message.id === id)?.message.namespace;
        onOpen({ to: '/inbox', search: { namespace, message: id } });
      }}
    />
  );
}

import { agentTitle } from '@reverie/shared/contract/sessions/coding-agents';
import type { InboxMessage } from '@reverie/shared/contract/events/inbox';
import { Badge } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { Frame } from '../../ui/Frame.tsx';
import { Pairs } from '../../ui/text/Pairs.tsx';
import { Code } from '../../ui/reading/typeset/Code.tsx';
import { Time } from '../../ui/Time.tsx';
import css from './InboxView.module.css';
import { MessageText } from './MessageText.tsx';
import { kindWords, memoryOf, readPayload } from './reading.ts';
import { Reply } from './Reply.tsx';
import type { MessageState, Thread } from './threads.ts';

/** What can be done with a message; each has a key. */
export interface MessageActs {
  onDone: () => void;
  onUndo: () => void;
  onKeep: () => void;
  /** Begins a reply, or ends it. */
  onReply: (isReplying: boolean) => void;
  onSent: () => void;
  onSource: () => void;
  onClose: () => void;
}

interface DetailProps {
  thread: Thread;
  namespaces: readonly string[];
  canWrite: boolean;
  state: MessageState;
  isSource: boolean;
  isReplying: boolean;
  acts: MessageActs;
}

/** One message: who left it, what it says, what was answered, and what can be done. */
export function MessageDetail({ thread, namespaces, isSource, isReplying, acts, ...can }: DetailProps) {
  const { message, replies } = thread;
  const { from, kind, namespace, created_at } = message;
  return (
    <Frame title={agentTitle(from)} onClose={acts.onClose}>
      <div className={css['parts']}>
        <p className={css['about']}>
          <Badge tone={can.state === 'unread' ? 'accent' : 'plain'}>
            {can.state === 'unread' ? 'unread' : 'read'}
          </Badge>
          <span>
            <bdi>{kindWords(kind)}</bdi> in <bdi>{namespace}</bdi> · <Time at={created_at} full />
          </span>
        </p>
        <Said message={message} namespaces={namespaces} isSource={isSource} />
        {replies.map((reply) => (
          <section key={reply.id} className={css['answer']} aria-label="Your reply">
            <p className={css['about']}>
              <strong>You</strong> <Time at={reply.created_at} /> ·{' '}
              {reply.acked_at === null ? (
                'not read yet'
              ) : (
                <>
                  read <Time at={reply.acked_at} />
                </>
              )}
            </p>
            <Said message={reply} namespaces={namespaces} isSource={isSource} />
          </section>
        ))}
        {isReplying ? (
          <Reply to={message} onClose={() => acts.onReply(false)} onSent={acts.onSent} />
        ) : (
          <Actions message={message} acts={acts} isSource={isSource} {...can} />
        )}
      </div>
    </Frame>
  );
}

interface SaidProps {
  message: InboxMessage;
  namespaces: readonly string[];
  isSource: boolean;
}

/** What a message says: its text, then its fields; or all of it as it was sent. */
function Said({ message: { payload, namespace }, namespaces, isSource }: SaidProps) {
  if (isSource) return <Code language="json" text={JSON.stringify(payload, undefined, 2)} />;
  const { text, fields } = readPayload(payload);
  return (
    <>
      {text !== undefined && <MessageText text={text} namespace={namespace} namespaces={namespaces} />}
      {fields.length > 0 && <Pairs pairs={fields} />}
      {text === undefined && fields.length === 0 && <p className={css['soft']}>It says nothing.</p>}
    </>
  );
}

interface ActionsProps extends Pick<DetailProps, 'canWrite' | 'state' | 'isSource' | 'acts'> {
  message: InboxMessage;
}

function Actions({ message, canWrite, state, isSource, acts }: ActionsProps) {
  return (
    <div className={css['actions']}>
      {canWrite && (
        <>
          {state === 'unread' && (
            <Button icon="check" look="strong" onClick={acts.onDone}>
              Done <kbd>e</kbd>
            </Button>
          )}
          {state === 'leaving' && (
            <Button icon="history" onClick={acts.onUndo}>
              Undo <kbd>z</kbd>
            </Button>
          )}
          <Button icon="send" onClick={() => acts.onReply(true)}>
            Reply <kbd>r</kbd>
          </Button>
          <Button icon="note" onClick={acts.onKeep}>
            Keep as memory <kbd>m</kbd>
          </Button>
        </>
      )}
      <Button icon="code" look="quiet" aria-pressed={isSource} onClick={acts.onSource}>
        As sent <kbd>s</kbd>
      </Button>
      <CopyButton text={memoryOf(message.payload)} what="message" />
    </div>
  );
}

import { EVERY_NAMESPACE } from '@reverie/shared/contract/fields';
import { Link } from '@tanstack/react-router';
import { Button } from '../../ui/Button.tsx';
import { Message } from '../../ui/Message.tsx';

interface EmptyProps {
  namespace: string;
  /** Set where a class or tags narrow the list, and other memories may be there: what does. */
  narrowed: string | undefined;
  /** Nothing is stored at all: somebody begins. */
  isStart: boolean;
  canWrite: boolean;
  onNew: () => void;
  onAll: () => void;
}

/** What stands in the place of a list without memories: what to do next. */
export function EmptyNamespace({ namespace, narrowed, isStart, canWrite, onNew, onAll }: EmptyProps) {
  if (narrowed !== undefined)
    return (
      <Message icon="search" title="No memory is like that">
        <p>
          Nothing here fits <bdi>{narrowed}</bdi>.
        </p>
        <Button onClick={onAll}>Show all</Button>
      </Message>
    );
  const write = canWrite && (
    <Button icon="plus" look="strong" onClick={onNew}>
      {isStart ? 'Write your first memory' : 'Write a memory'}
    </Button>
  );
  if (!isStart)
    return (
      <Message icon="folder" title="Nothing here yet">
        <p>
          {namespace === EVERY_NAMESPACE ? (
            'No namespace holds a memory.'
          ) : (
            <>
              The namespace <bdi>{namespace}</bdi> holds no memories.
            </>
          )}
        </p>
        {write}
      </Message>
    );
  return (
    <Message title="Nothing is remembered yet">
      <p>Reverie keeps what you and your agents should not forget, on this machine.</p>
      {write}
      <p>
        <Link to="/">More ways to begin</Link>: a folder of notes, an agent, what other assistants export.
      </p>
    </Message>
  );
}

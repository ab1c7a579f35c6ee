import { EVERY_NAMESPACE } from '@reverie/shared/contract/fields';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { Button } from '../../ui/Button.tsx';
import { Message, Snippet } from '../../ui/Message.tsx';
import css from './EmptyNamespace.module.css';

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
  const curl = curlExample(location.origin);
  return (
    <Message title="Nothing is remembered yet">
      <p>Reverie keeps what you and your agents should not forget, on this machine. Three ways to begin:</p>
      <ol className={css['ways']}>
        <li>
          <h3>By hand</h3>
          {write}
        </li>
        <li>
          <h3>From notes you have</h3>
          <p>Markdown folders, JSON Lines, CSV, and what other assistants export.</p>
          <Snippet action={<CopyButton text="reverie import ~/notes" what="command" />}>
            reverie import ~/notes
          </Snippet>
        </li>
        <li>
          <h3>From a program or an agent</h3>
          <Snippet action={<CopyButton text={curl} what="command" />}>{curl}</Snippet>
          <p>
            The key stands in the file <code>api-key</code> of Reverie’s home, or make one for each program
            under “API keys”.
          </p>
        </li>
      </ol>
    </Message>
  );
}

function curlExample(origin: string): string {
  return [
    `curl ${origin}/v1/memory-set \\`,
    `  -H @<(printf 'Authorization: Bearer %s' \\`,
    `    "$REVERIE_API_KEY") \\`,
    `  -H "Content-Type: application/json" \\`,
    `  -d '{"key": "note:hello", "value": "My first memory"}'`,
  ].join('\n');
}

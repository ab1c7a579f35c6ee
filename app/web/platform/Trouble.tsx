import { isDown } from './daemon/api.ts';
import { Button } from '../ui/Button.tsx';
import { Message, Skeleton } from '../ui/Message.tsx';

/** Why a view could not be loaded, and what to do. That the daemon does not answer is told at the top of the page alone. */
export function Trouble({ error, retry }: { error: Error; retry: () => void }) {
  if (isDown(error)) return <Skeleton lines={5} />;
  return (
    <Message icon="warn" tone="bad" title="This could not be loaded">
      <p>{error.message}.</p>
      <Button onClick={retry}>Try again</Button>
    </Message>
  );
}

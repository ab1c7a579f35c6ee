import type { Event } from '@reverie/shared/contract/events/events';
import { useGo } from '../../platform/place.ts';
import { Button } from '../../ui/Button.tsx';
import { keyOf, textOf } from './event-row.ts';

/** The way to the memory that an event is about, where it may still be. */
export function OpenMemory({ event }: { event: Event }) {
  const go = useGo();
  const key = keyOf(event);
  if (key === undefined || event.type === 'memory.delete') return null;
  const namespace = textOf(event.data.after, 'namespace') ?? event.namespace;
  return (
    <div>
      <Button
        icon="note"
        onClick={() => go({ namespace, key, event: undefined, family: undefined, actor: undefined })}
      >
        Open the memory
      </Button>
    </div>
  );
}

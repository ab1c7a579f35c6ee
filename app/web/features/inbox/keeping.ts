import { call } from '../../platform/daemon/api.ts';
import { notify } from '../../platform/notices.ts';
import type { useGo } from '../../platform/place.ts';
import { keepThought } from '../today/adding.ts';
import { memoryOf, proposalOf } from './reading.ts';
import type { Thread } from './threads.ts';

/** Stores what a message says under a key of its first words, or what it proposes, and leads there; answers whether it did. */
export async function keep({ message }: Thread, go: ReturnType<typeof useGo>): Promise<boolean> {
  const { namespace, payload } = message;
  try {
    const kept = await keepThought(call, {
      namespace,
      ...(proposalOf(message) ?? { value: memoryOf(payload) }),
    });
    notify('good', `Kept in ${kept.namespace} as ${kept.key}.`, {
      label: 'Open',
      run: () => go({ ...kept, message: undefined }),
    });
    return true;
  } catch (error) {
    notify('bad', `It was not kept: ${error instanceof Error ? error.message : String(error)}`);
    return false;
  }
}

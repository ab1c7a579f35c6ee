import { health } from '@reverie/shared/contract/system/system';
import { callNow, reach } from './api.ts';
import type { Clock } from '../clock.ts';

const ASK_EVERY_MS = 1_500;

/** While the daemon is down asks for its health until it answers, then calls `onBack`. Returns how to stop. */
export function startRecovery(clock: Clock, onBack: () => void): () => void {
  let cancel: (() => void) | undefined;
  const ask = () => {
    cancel = undefined;
    // Success and failure both stand in `reach` already, which `callNow` keeps.
    void callNow(health, {}).then(onAnswer, onAnswer);
  };
  const onAnswer = () => {
    if (reach.get() === 'down') cancel ??= clock.after(ASK_EVERY_MS, ask);
  };
  let before = reach.get();
  const unsubscribe = reach.subscribe(() => {
    const now = reach.get();
    if (now === 'down') cancel ??= clock.after(ASK_EVERY_MS, ask);
    else if (before === 'down') onBack();
    before = now;
  });
  return () => {
    unsubscribe();
    cancel?.();
  };
}

import { wallClock } from './clock.ts';
import { createStore } from './store.ts';

/** A short message at the edge of the page. `bad` ones stay until they are dismissed. */
export interface Notice {
  id: number;
  tone: 'good' | 'bad';
  text: string;
  action?: { label: string; run: () => void };
}

const SHOWN_MS = 5_000;
let last = 0;

export const notices = createStore<readonly Notice[]>([]);

/** Shows a message, and answers its id. */
export function notify(tone: Notice['tone'], text: string, action?: Notice['action']): number {
  const notice: Notice = { id: ++last, tone, text, ...(action && { action }) };
  notices.set([...notices.get().filter((one) => one.text !== text), notice]);
  if (tone === 'good') wallClock.after(SHOWN_MS, () => dismiss(notice.id));
  return notice.id;
}

export function dismiss(id: number): void {
  notices.set(notices.get().filter((one) => one.id !== id));
}

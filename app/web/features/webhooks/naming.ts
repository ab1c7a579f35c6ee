import type { Webhook } from '@reverie/shared/contract/events/webhooks';

/** What a webhook is called: what it is for, else where it goes. */
export function nameOf({ description, url }: Pick<Webhook, 'description' | 'url'>): string {
  return description.trim() === '' ? url.replace(/^https?:\/\//, '') : description.trim();
}

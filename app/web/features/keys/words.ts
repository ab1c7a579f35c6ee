import type { ApiKey } from '@reverie/shared/contract/accounts/keys';
import { abilitiesOf, type Scope } from '@reverie/shared/contract/route';

/** What a scope allows. */
export const MEANING: Readonly<Record<Scope, string>> = {
  read: 'Read',
  write: 'Read and write',
  owner: 'Owner: all, keys too',
};

/** What makes a key narrower than its scope; empty where nothing does. */
export function narrowerText({ scope, can, namespaces }: ApiKey): string {
  const may = can.length < abilitiesOf(scope).length ? `may ${can.join(', ')}` : '';
  const within = namespaces.includes('*') ? '' : `in ${namespaces.join(', ')} only`;
  return [may, within].filter((part) => part !== '').join(', ');
}

/** What a key is called; that of the page is the one of this machine. */
export function nameOf({ name, open_sessions }: ApiKey): string {
  return open_sessions === null ? name : 'Page on this machine';
}

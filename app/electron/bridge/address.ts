/** The scheme and host that the pages of the app are loaded from. */
export const SCHEME = 'app';
const HOST = 'reverie';
/** Where every page of the app is; nothing else may show in its windows. */
export const PAGES = `${SCHEME}://${HOST}`;

/** Whether an address is one of the app's own pages. Its parts are compared, since `app://reverie.example` begins like `app://reverie`. */
export function isOwnPage(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, host, username, password, port } = new URL(address);
  return protocol === `${SCHEME}:` && host === HOST && username === '' && password === '' && port === '';
}

/** What stands behind the host of one of the app's own pages: path, query and fragment. */
export function placeIn(address: string): string {
  const { pathname, search, hash } = new URL(address);
  return pathname + search + hash;
}

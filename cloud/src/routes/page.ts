import { standalonePage } from '@reverie/shared/http/page';

/** The style of all pages, as it stands between the tags: a page with a strict policy names its hash. */
export const STYLE = `
:root { color-scheme: light dark; background: light-dark(#fff, #14161a); color: light-dark(#1a1d23, #e8eaee); }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 32rem; margin: 12vh auto; padding: 0 1.5rem; }
button { font: inherit; padding: .6rem 1.2rem; border-radius: .4rem; border: 1px solid #1d4ed8; background: #1d4ed8; color: #fff; cursor: pointer; }
code { font: .95em/1.4 ui-monospace, monospace; overflow-wrap: anywhere; }
.command { display: block; padding: .8rem 1rem; border: 1px solid #8886; border-radius: .4rem; overflow-wrap: anywhere; user-select: all; }
.quiet { color: light-dark(#525866, #aab1bf); font-size: .9rem; }
button:focus-visible { outline: 3px solid #60a5fa; outline-offset: 2px; }
`;

/** A page of the relay. `body` is HTML. */
export const page = (title: string, body: string) => standalonePage(title, { body, style: STYLE });

import { escaped } from '@reverie/shared/http/page';
import { page } from './page.ts';

/** No script, no foreign content, the form to this server only. */
export const pageHeaders = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy':
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'same-origin',
} as const;

/** Asks for one press of a button: programs that scan mail open links, and must not confirm anything. */
export function askPage(token: string): string {
  return page(
    'Confirm this account',
    `<p>A device was linked to this Reverie relay with your e-mail address. Confirming keeps its account. It lets no other device in.</p>
<form method="post" action="confirm">
<input type="hidden" name="token" value="${escaped(token)}">
<button type="submit">Confirm the account</button>
</form>
<p>If you know nothing of this, close this page.</p>`,
  );
}

/** Says how it went. */
export function saidPage(title: string, text: string): string {
  return page(title, `<p>${escaped(text)}</p>`);
}

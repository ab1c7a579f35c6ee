import { confirmationHeaders, type ConfirmationPages } from '@reverie/shared/http/confirmation';
import { escaped } from '@reverie/shared/http/page';
import { page } from './page.ts';

const say = (title: string, text: string) => page(title, `<p>${escaped(text)}</p>`);

/** The pages of a confirmation: no script, no foreign content, the form to this server only. */
export const confirmationPages: ConfirmationPages = {
  headers: confirmationHeaders("'unsafe-inline'"),
  ask: (token) =>
    page(
      'Confirm this account',
      `<p>A device was linked to this Reverie relay with your e-mail address. Confirming keeps its account. It lets no other device in.</p>
<form method="post" action="confirm">
<input type="hidden" name="token" value="${escaped(token)}">
<button type="submit">Confirm the account</button>
</form>
<p>If you know nothing of this, close this page.</p>`,
    ),
  done: ({ email }) => say('Confirmed', `The account of ${email} stays. You can close this page.`),
  problem: say,
};

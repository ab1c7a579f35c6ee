import { createHash } from 'node:crypto';
import { confirmationHeaders, type ConfirmationPages } from '@reverie/shared/http/confirmation';
import { escaped, standalonePage } from '@reverie/shared/http/page';

const STYLE = `
:root { color-scheme: light dark; }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 32rem; margin: 12vh auto; padding: 0 1.5rem; }
h1 { font-size: 1.4rem; }
button, input { font: inherit; padding: .6rem 1.2rem; border-radius: .4rem; border: 1px solid #6b7280; }
button { cursor: pointer; background: #1d4ed8; border-color: #1d4ed8; color: #fff; }
input { width: 100%; box-sizing: border-box; margin: .3rem 0 1rem; }
button:focus-visible, input:focus-visible { outline: 3px solid #60a5fa; outline-offset: 2px; }
code { overflow-wrap: anywhere; }
`;

const hash = createHash('sha256').update(STYLE).digest('base64');

const page = (title: string, body: string) => standalonePage(title, { body, style: STYLE });

/** The pages of a confirmation: no script, no foreign content, the form to this server only. */
export const confirmationPages: ConfirmationPages = {
  headers: confirmationHeaders(`'sha256-${hash}'`),
  ask: (token) =>
    page(
      'Confirm this key',
      `<p>A program asked for a key to a Reverie memory with your e-mail address. Confirming makes its key permanent. It opens nothing of yours to anybody.</p>
<form method="post" action="confirm">
<input type="hidden" name="token" value="${escaped(token)}">
<button type="submit">Confirm the key</button>
</form>
<p>If you know nothing of this, close this page.</p>`,
    ),
  askToken: () =>
    page(
      'Confirm a key',
      `<p>Open the link in the e-mail, or paste what stands after <code>token=</code> in it.</p>
<form method="post" action="confirm">
<label>Token<br><input name="token" required maxlength="200" autocomplete="off" spellcheck="false"></label>
<button type="submit">Confirm the key</button>
</form>`,
    ),
  done: ({ status, key_prefix, email }) =>
    page(
      status === 'confirmed' ? 'Confirmed' : 'Confirmed already',
      `<p>The key that begins with <code>${escaped(key_prefix)}</code> is permanent, for <strong>${escaped(email)}</strong>. You can close this page.</p>`,
    ),
  problem: (title, detail) => page(title, `<p>${escaped(detail)}</p>`),
};

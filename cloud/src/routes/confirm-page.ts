const escaped = (text: string) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');

/** No script, no foreign content, the form to this server only. */
export const pageHeaders = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy':
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'same-origin',
} as const;

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escaped(title)} – Reverie</title>
<style>
:root { color-scheme: light dark; }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 32rem; margin: 12vh auto; padding: 0 1.5rem; }
button { font: inherit; padding: .6rem 1.2rem; border-radius: .4rem; border: 1px solid #1d4ed8; background: #1d4ed8; color: #fff; cursor: pointer; }
button:focus-visible { outline: 3px solid #60a5fa; outline-offset: 2px; }
</style>
</head>
<body><main><h1>${escaped(title)}</h1>
${body}
</main></body>
</html>
`;
}

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

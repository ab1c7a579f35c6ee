import { escaped } from '@reverie/shared/http/page';
import type { Mail } from '../../../platform/mail/mail.ts';

/** The mail that asks a person to confirm: short, with the link on a line of its own, and no foreign content. */
export function confirmationMail({
  email,
  link,
  expiresAt,
}: {
  email: string;
  link: string;
  expiresAt: number;
}): Mail {
  const until = `${new Date(expiresAt).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  return {
    to: email,
    subject: 'Confirm your key for Reverie',
    text: `A program asked for a key to a Reverie memory with this e-mail address.

If it works for you, open this link and press the button, so that its key becomes permanent:

${link}

The link works until ${until}. Without it, the key stops then, and what it stored is deleted 7 days later.

If you know nothing of this, do nothing. The key opens nothing of yours.
`,
    html: `<!doctype html>
<html lang="en">
<body style="font-family: sans-serif; line-height: 1.5; max-width: 36em">
<p>A program asked for a key to a Reverie memory with this e-mail address.</p>
<p>If it works for you, open this link and press the button, so that its key becomes permanent:</p>
<p><a href="${escaped(link)}">${escaped(link)}</a></p>
<p>The link works until ${until}. Without it, the key stops then, and what it stored is deleted 7 days later.</p>
<p>If you know nothing of this, do nothing. The key opens nothing of yours.</p>
</body>
</html>
`,
  };
}

/** The link of a composed mail, out of its text part; undefined where there is none. */
export function linkOf(raw: Buffer): string | undefined {
  // Quoted-printable: soft line ends, and `=3D` for the sign of equality.
  const text = raw
    .toString('utf8')
    .replaceAll(/=\r?\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return /https?:\/\/\S+\/auth\/confirm\?token=[\w-]+/.exec(text)?.[0];
}

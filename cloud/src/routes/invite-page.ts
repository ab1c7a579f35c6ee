import { createHash } from 'node:crypto';
import { Id } from '@reverie/shared/contract/relay/relay-fields';
import { escaped } from '@reverie/shared/http/page';
import { invalidRequest } from '@reverie/shared/http/problem-reply';
import type { FastifyInstance } from 'fastify';
import type { Clock } from '@reverie/shared/time/clock';
import type { Records, Steps } from '../db/records.ts';
import { findInvite, type InviteRow, isOwnerDisabled } from '../rooms/rooms.store.ts';
import { page, STYLE } from './page.ts';

/**
 * Puts the whole address, whose secret the server never sees, into the command. It sends nothing: the policy of the page
 * allows no connection. Whoever sends a link chooses what stands in it, and people paste the command into a shell: the
 * address is put together from parts in which a shell finds nothing to run, or there is no command.
 */
const SCRIPT = `
const secret = location.hash.slice(1);
const isWhole = /^[\\w-]+$/.test(secret) && /^[\\w\\/.~-]+$/.test(location.pathname);
const show = (id, isShown) => { document.getElementById(id).hidden = !isShown; };
show('plain', false);
show('whole', isWhole);
show('cut', !isWhole);
const command = document.getElementById('command');
if (isWhole) command.textContent = 'reverie join "' + location.origin + location.pathname + '#' + secret + '"';
const copy = document.getElementById('copy');
copy.hidden = !navigator.clipboard;
copy.addEventListener('click', async () => {
  await navigator.clipboard.writeText(command.textContent);
  document.getElementById('said').textContent = 'Copied.';
});
`;

const hashed = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** One script and one style, both by their hash; nothing is fetched, sent, framed, or told to where a link leads. */
const headers = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': `default-src 'none'; script-src ${hashed(SCRIPT)}; style-src ${hashed(STYLE)}; form-action 'none'; base-uri 'none'; frame-ancestors 'none'`,
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
} as const;

/** How an invite stands for somebody who opens its link. */
type Standing = 'open' | 'unknown' | 'expired' | 'used';

function standingOf(invite: InviteRow | undefined, now: number): Standing {
  if (!invite) return 'unknown';
  if (invite.expires_at <= now) return 'expired';
  return invite.uses_left < 1 ? 'used' : 'open';
}

const statuses: Readonly<Record<Standing, number>> = { open: 200, unknown: 404, expired: 410, used: 410 };

const dead: Readonly<Record<Exclude<Standing, 'open'>, { title: string; text: string }>> = {
  unknown: {
    title: 'This invite is not there',
    text: 'It was withdrawn, or the link is not the one that was sent.',
  },
  expired: { title: 'This invite has ended', text: 'It was good for a while, and that is over.' },
  used: { title: 'This invite was used', text: 'As many people as it was meant for have joined with it.' },
};

const rights: Readonly<Record<InviteRow['role'], string>> = {
  viewer: 'You could read what is shared, and not change it.',
  editor: 'You could read and change what is shared.',
};

function openPage({ role, expires_at, email }: InviteRow, relay: string): string {
  const until = `${new Date(expires_at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  return page(
    'You are invited to shared memories',
    `<p>Somebody shares a namespace of their Reverie with you. ${escaped(rights[role])} The invite is good until <time datetime="${new Date(expires_at).toISOString()}">${until}</time>.</p>
<div id="whole" hidden>
<p>On a machine with Reverie that is linked to this relay, run:</p>
<p><code class="command" id="command"></code></p>
<p><button type="button" id="copy">Copy the command</button> <span id="said" role="status"></span></p>
<p class="quiet">${email === null ? 'Whoever has this link may join' : 'Only the person to whose e-mail address it was made may join by it'}: send it to nobody else. Its secret stands behind the # and stays in this browser; this page sends it nowhere.</p>
</div>
<p id="cut" hidden>This link is not whole: its secret, behind a #, is missing. Copy it again from where it was sent to you.</p>
<p id="plain">Run <code>reverie join "…"</code> with the whole address of this page, the part behind the # too, on a machine with Reverie that is linked to this relay.</p>
<p class="quiet">Reverie is memory for people and their coding agents, on their own machines. A machine is linked by <code>reverie link ${escaped(relay)} --email you@example.org</code>.</p>
<script>${SCRIPT}</script>`,
  );
}

/** An invite; those of a disabled account are as if withdrawn. */
function* openInvite(id: string): Steps<InviteRow | undefined> {
  const invite = yield* findInvite(id);
  return invite && (yield* isOwnerDisabled(invite.room)) ? undefined : invite;
}

/** Serves what people see who open the link of an invite. */
export function serveInvites(
  http: FastifyInstance,
  { records, clock, publicUrl }: { records: Records; clock: Clock; publicUrl: () => string },
): void {
  http.get<{ Params: { invite: string } }>('/join/:invite', async (request, reply) => {
    const id = Id.safeParse(request.params.invite);
    // A person whose link was cut or added to is told in a page what to do.
    if (!id.success && !/\btext\/html\b/.test(request.headers.accept ?? ''))
      throw invalidRequest([{ path: 'invite', message: 'is not an id' }]);
    const invite = id.success ? await records.read(() => openInvite(id.data)) : undefined;
    const standing = standingOf(invite, clock.now());
    reply.status(id.success ? statuses[standing] : 400).headers(headers);
    if (invite && standing === 'open') return reply.send(openPage(invite, publicUrl()));
    const { title, text } = dead[standing === 'open' ? 'unknown' : standing];
    return reply.send(page(title, `<p>${text} Ask for a new one.</p>`));
  });
}

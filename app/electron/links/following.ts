import type { Client } from '@reverie/shared/client';
import { joinSession } from '@reverie/shared/contract/sessions/session-sharing';
import { joinNamespace } from '@reverie/shared/contract/sync/sharing';
import type { Desktop } from '../desktop.ts';
import { questionOf, readLink } from './links.ts';

interface FollowingDeps {
  desktop: Pick<Desktop, 'ask'>;
  client: Client;
  open: (place: string) => void;
}

/** Follows a link of the system after a person said yes; what is no link of ours is not even asked about. */
export async function followLink({ desktop, client, open }: FollowingDeps, address: string): Promise<void> {
  const link = readLink(address);
  if (!link) return;
  const { title, detail, yes } = questionOf(link);
  if ((await desktop.ask({ kind: 'question', title, detail, buttons: [yes, 'Cancel'] })) !== 0) return;
  const tell = (words: string, more: string) =>
    desktop.ask({ kind: 'warning', title: words, detail: more, buttons: ['Close'] });
  switch (link.kind) {
    case 'memory':
      return open(
        `/memories?${new URLSearchParams({ namespace: link.namespace, key: link.key }).toString()}`,
      );
    case 'join_namespace':
      try {
        const { namespace } = await client(joinNamespace, { body: { invite: link.invite } });
        return open(`/memories?${new URLSearchParams({ namespace }).toString()}`);
      } catch (cause) {
        await tell('The namespace was not joined', cause instanceof Error ? cause.message : String(cause));
        return;
      }
    case 'join_session':
      try {
        const { id } = await client(joinSession, { body: { invite: link.invite } });
        return open(`/sessions/${id}`);
      } catch (cause) {
        await tell('The session was not joined', cause instanceof Error ? cause.message : String(cause));
        return;
      }
  }
}

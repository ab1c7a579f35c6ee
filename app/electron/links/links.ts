import { z } from 'zod';

/** The scheme of links that the system hands to the app. */
export const LINK_SCHEME = 'reverie';

/** What a `reverie:` link asks for. Nothing of it is done before a person said so. */
export type ReverieLink =
  | { kind: 'memory'; namespace: string; key: string }
  | { kind: 'join_namespace'; invite: string }
  | { kind: 'join_session'; invite: string };

const Text = (most: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(most)
    // Nothing that could make another text of the question that a person reads.
    .regex(/^[^\p{Cc}\p{Bidi_Control}\u2028\u2029]*$/u);
const Invite = Text(4096).refine(
  (invite) => URL.canParse(invite) && /^https?:$/.test(new URL(invite).protocol),
);

/** Reads `reverie://memory?namespace=N&key=K`, `reverie://join?invite=I` and `reverie://session?invite=I`; undefined for every other address. */
export function readLink(address: string): ReverieLink | undefined {
  if (address.length > 8192 || !URL.canParse(address)) return undefined;
  const { protocol, host, pathname, searchParams } = new URL(address);
  if (protocol !== `${LINK_SCHEME}:` || !['', '/'].includes(pathname)) return undefined;
  const invite = Invite.safeParse(searchParams.get('invite'));
  switch (host) {
    case 'memory': {
      const namespace = Text(512).safeParse(searchParams.get('namespace') ?? 'default');
      const key = Text(1024).safeParse(searchParams.get('key'));
      return namespace.success && key.success
        ? { kind: 'memory', namespace: namespace.data, key: key.data }
        : undefined;
    }
    case 'join':
      return invite.success ? { kind: 'join_namespace', invite: invite.data } : undefined;
    case 'session':
      return invite.success ? { kind: 'join_session', invite: invite.data } : undefined;
    default:
      return undefined;
  }
}

/** The link among the arguments of a start, if one is there; the system puts it last. */
export function linkIn(args: readonly string[]): string | undefined {
  return args.findLast((arg) => arg.startsWith(`${LINK_SCHEME}:`));
}

/** What a person is asked before a link is followed. */
export function questionOf(link: ReverieLink): { title: string; detail: string; yes: string } {
  switch (link.kind) {
    case 'memory':
      return {
        title: 'A link wants to open a memory',
        detail: `${link.key}\nin ${link.namespace}`,
        yes: 'Open it',
      };
    case 'join_namespace':
      return {
        title: 'A link wants to join a shared namespace',
        detail: `The invite is of ${new URL(link.invite).host}. What its members write there comes to this machine, and what you write there goes to them. Join only what you expected.`,
        yes: 'Join',
      };
    case 'join_session':
      return {
        title: 'A link wants to join a coding session',
        detail: `The invite is of ${new URL(link.invite).host}. Join only what you expected.`,
        yes: 'Join',
      };
  }
}

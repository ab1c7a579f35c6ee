/** What a button below some trouble does. */
export type Remedy = 'try_again' | 'other_port' | 'open_folder' | 'quit';

/** Why there is no daemon, for a person who has no terminal. */
export interface Trouble {
  title: string;
  detail: string;
  remedies: readonly [Remedy, ...Remedy[]];
}

interface Known {
  /** What the daemon says then. */
  says: RegExp;
  title: string;
  todo: string;
  remedies: Trouble['remedies'];
}

const KNOWN: readonly Known[] = [
  {
    says: /disk .*is full/,
    title: 'The disk is full',
    todo: 'Empty the trash, or move something large elsewhere; then try again. Nothing that was stored is lost.',
    remedies: ['try_again', 'open_folder', 'quit'],
  },
  {
    says: /knows versions up to/,
    title: 'These memories were kept by a newer Reverie',
    todo: 'Get the newest version of this app, from where this one came. Nothing was changed, and nothing is lost.',
    remedies: ['try_again', 'open_folder', 'quit'],
  },
  {
    says: /already running on|holds the lock of/,
    title: 'Another Reverie holds these memories',
    todo: 'It is starting, stopping or restoring a backup, or hangs. Wait a moment and try again. If that does not help, restart the computer.',
    remedies: ['try_again', 'quit'],
  },
  {
    says: /The port \d+ is in use|Another program answers at/,
    title: 'Another program took the place of Reverie',
    todo: 'Nothing was sent to it. Reverie can run at another port; agents that you connected find it there by themselves.',
    remedies: ['other_port', 'try_again', 'quit'],
  },
  {
    says: /cannot write to|is not a folder|Other users can read|holds other things/,
    title: 'The folder of your memories cannot be used',
    todo: 'Make it readable and writable for you alone, then try again.',
    remedies: ['open_folder', 'try_again', 'quit'],
  },
  {
    says: /config\.json|The setting /,
    title: 'A setting is wrong',
    todo: 'Correct it in config.json, which lies in the folder of your memories; then try again.',
    remedies: ['open_folder', 'try_again', 'quit'],
  },
];

/** What to tell a person about a daemon that does not start, and what they can do, chosen by the daemon's own message `why`. */
export function troubleOf(why: string): Trouble {
  const known = KNOWN.find(({ says }) => says.test(why));
  if (known) return { title: known.title, detail: `${known.todo}\n\n${why}`, remedies: known.remedies };
  return { title: 'Reverie does not start', detail: why, remedies: ['try_again', 'open_folder', 'quit'] };
}

/** What stands on the button of a remedy. */
export const REMEDY_NAMES: Readonly<Record<Remedy, string>> = {
  try_again: 'Try again',
  other_port: 'Use another port',
  open_folder: 'Open the folder',
  quit: 'Quit',
};

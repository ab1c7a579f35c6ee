import type { Scene, Turn } from './play.ts';

/** What is kept before an agent comes: the first is about the first prompt, and too old to stand in a brief. */
export const KEPT = [
  {
    key: 'billing-database',
    value: 'The billing service keeps its invoices in PostgreSQL 16, because the auditors asked for it.',
  },
  { key: 'release-branch', value: 'Releases are cut from the branch release, never from main.' },
  { key: 'currency', value: 'Amounts are stored as cents of the euro in a bigint.' },
  { key: 'time-zone', value: 'Reports are in the time of Vienna, all else is UTC.' },
  { key: 'mail-queue', value: 'Reminders are sent by the queue of the mail team.' },
  { key: 'pdf-engine', value: 'Documents are set with Typst since March.' },
  { key: 'on-call', value: 'Who is on call is in the calendar of the team.' },
  { key: 'test-data', value: 'Tests take made-up customers from the folder samples.' },
] as const;
/** What the person wants everywhere, kept in `default` with the tag `preference`. */
export const PREFERENCE = { key: 'spelling', value: 'Comments are written in British spelling.' } as const;
export const PROJECT = 'git.example.invalid/acme/billing';
export const NAMESPACE = `project/${PROJECT}`;

export const SAVED = {
  key: 'invoice-numbers',
  value: 'Invoice numbers have no gaps: the tax office asks for that.',
};
export const RULE = 'From now on always run the linter before a commit.';
const MADE = 'made.txt';
export const CONTENT = 'line one\nline two\n';

/** The scenes of an agent; `first` is what it does before it can call a tool of an MCP server. */
export function scenesIn(folder: string, first: readonly Turn[]): Record<SceneName, Scene> {
  const memory = (tool: string, args: Record<string, unknown>, says: string): Turn => ({
    does: { kind: 'memory', tool, args, says },
  });
  const scene = (name: SceneName, prompt: string, turns: readonly Turn[]): Scene => ({ name, prompt, turns });
  return {
    // First, for it quotes the others.
    handover: scene('handover', 'Go on with the work of an earlier session.', [
      { says: 'I go on where the other one stopped.' },
    ]),
    work: scene('work', `Which database keeps the invoices of the billing service? ${RULE}`, [
      ...first,
      {
        says: 'I look into the memory.',
        ...memory('memory_search', { query: 'database of the billing service' }, 'PostgreSQL 16'),
      },
      memory('memory_set', { ...SAVED }, SAVED.key),
      memory('memory_get', { key: 'billing-database' }, 'auditors'),
      { says: 'Now I write a file.', does: { kind: 'write', file: `${folder}/${MADE}`, content: CONTENT } },
      {
        does: { kind: 'shell', command: 'echo going-wrong; exit 3', says: 'going-wrong', fails: true },
      },
      { does: { kind: 'shell', command: `cat ${MADE}`, says: 'line two', fails: false } },
      { says: 'They are in PostgreSQL 16; one command went wrong as it was meant to.' },
    ]),
    again: scene('again', 'Say that once more in a word.', [{ says: 'PostgreSQL.' }]),
    resumed: scene('resumed', 'Now say it a third time.', [{ says: 'PostgreSQL, once more.' }]),
  };
}

export type SceneName = 'handover' | 'work' | 'again' | 'resumed';

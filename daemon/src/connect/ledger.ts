import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { agentNames } from '@reverie/agent-connect/agents';
import { aloneWhile } from '../config/alone.ts';
import { type Home, Refusal, writePrivateFile } from '../platform/home/home.ts';

const Path = z.array(z.string()).readonly();
const EntrySchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('value'),
    path: Path,
    value: z.unknown(),
    json5: z.literal(true).optional(),
  }),
  z.strictObject({ kind: z.enum(['item', 'needed']), path: Path, value: z.unknown() }),
  z.strictObject({
    kind: z.literal('yaml'),
    path: z.tuple([z.string(), z.string()]).readonly(),
    value: z.record(z.string(), z.unknown()).readonly(),
  }),
  z.strictObject({ kind: z.literal('table'), path: Path, text: z.string() }),
  z.strictObject({ kind: z.literal('whole'), text: z.string() }),
]);

const ChangedFile = z.strictObject({
  path: z.string(),
  /** SHA-256 of its bytes before; null where it was not there. */
  before: z.string().nullable(),
  after: z.string(),
  /** A copy of it as it was, in the home. */
  backup: z.string().nullable(),
  entries: z
    .array(
      z.strictObject({
        entry: EntrySchema,
        made: z.array(Path).readonly(),
        blank: z.string().optional(),
        /** False for what stood there before: it is never taken out. */
        own: z.literal(false).optional(),
      }),
    )
    .readonly(),
});
/** A file that was changed for an agent. */
export type ChangedFile = z.infer<typeof ChangedFile>;

const Connection = z.strictObject({
  agent: z.enum(agentNames),
  /** The folder of the repository; null for all of the user's. */
  project: z.string().nullable(),
  /** The key that was made for it, with its file; null where it had one. */
  key: z.strictObject({ id: z.string(), file: z.string() }).nullable(),
  at: z.iso.datetime(),
  files: z.array(ChangedFile),
});
/** An agent that was connected, and all that was changed for it. */
export type AgentConnection = z.infer<typeof Connection>;

const Ledger = z.strictObject({ version: z.literal(1), connections: z.array(Connection) });

const fileOf = (home: Home) => path.join(home.folder, 'connections.json');

/** The agents that are connected. Throws `Refusal` where the file is broken. */
export function readLedger(home: Home): readonly AgentConnection[] {
  let text: string;
  try {
    text = fs.readFileSync(fileOf(home), 'utf8');
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw cause;
  }
  const parsed = Ledger.safeParse(jsonOf(text));
  if (!parsed.success)
    throw new Refusal(
      `${fileOf(home)} is broken, so that it cannot be known what was changed for which agent. Its backups are in ${path.join(home.backups, 'agents')}; move it away to connect agents anew.`,
    );
  return parsed.data.connections;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // What is no JSON is refused as a broken ledger is.
    return undefined;
  }
}

/** Which connection is meant: an agent has one for the user and one a repository. */
export type WhichConnection = Pick<AgentConnection, 'agent' | 'project'>;

export const isSame = (a: WhichConnection, b: WhichConnection): boolean =>
  a.agent === b.agent && a.project === b.project;

/** Keeps a connection in place of the one before of the same agent and project. */
export function saveConnection(home: Home, connection: AgentConnection): void {
  save(home, [...readLedger(home).filter((one) => !isSame(one, connection)), connection]);
}

export function dropConnection(home: Home, which: WhichConnection): void {
  save(
    home,
    readLedger(home).filter((one) => !isSame(one, which)),
  );
}

function save(home: Home, connections: readonly AgentConnection[]): void {
  writePrivateFile(fileOf(home), `${JSON.stringify({ version: 1, connections }, undefined, 2)}\n`);
}

/** Lets one command at a time change agents. Throws `Refusal` where another stays at it. */
export function oneAtATime<T>(home: Home, act: () => Promise<T>): Promise<T> {
  // Where no home is, nothing is connected, and nobody else can be at it.
  return fs.existsSync(home.folder) ? aloneWhile(fileOf(home), act) : act();
}

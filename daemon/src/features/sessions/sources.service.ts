import fs from 'node:fs';
import path from 'node:path';
import type { AccountId } from '@reverie/shared/accounts/caller';
import { agentTitles } from '@reverie/shared/contract/sessions/coding-agents';
import { Problem } from '@reverie/shared/contract/problems';
import type { SessionSource, SourceState } from '@reverie/shared/contract/sessions/session-sources';
import type { SessionAgent } from '@reverie/shared/contract/sessions/sessions';
import { listLogs } from '@reverie/session-logs/listing';
import type { SessionFormat } from '@reverie/session-logs/format';
import type { Stop } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { SessionsDeps } from './deps.ts';
import { latestTime } from './entry.ts';
import type { Batch, FromThread, FollowingWork } from './following/messages.ts';
import type { ThreadEars } from './following/thread.ts';
import {
  countRecords,
  countUnread,
  dropFile,
  dropFiles,
  listFileRows,
  listRecords,
  listSourceRows,
  malformedLines,
  saveFile,
  saveSource,
} from './sources.store.ts';
import { settleTimes } from './sessions.store.ts';
import { takeReads } from './taking.service.ts';

export interface SourcesDeps extends SessionsDeps {
  log: Log;
  /** The account of this machine, whose logs these are. */
  account: AccountId;
  formats: readonly SessionFormat[];
  environment: { variables: NodeJS.ProcessEnv; home: string };
  startThread(work: FollowingWork, ears: ThreadEars): Stop;
  /** Files of memory that an agent keeps itself. */
  memoryOf(agent: SessionAgent): SessionSource['memory'];
}

/** The logs of agents that are followed while this runs. */
export interface Sources {
  list(): Promise<SessionSource[]>;
  set(agent: SessionAgent, wanted: { enabled: boolean; root?: string | undefined }): Promise<SessionSource>;
  start(): void;
  stop: Stop;
}

/** Names of logs that are shown of what would be read. */
const SAMPLED = 5;
/** How long a thread that ended by itself is let lie before it is begun again. */
const AGAIN_AFTER = 60_000;

/** Follows the logs of those agents that a person agreed to, each in a thread of its own. */
export function createSources(deps: SourcesDeps): Sources {
  const { store, clock, log, account, formats, environment } = deps;
  const followed = new Map<SessionAgent, { state: SourceState; stop: Stop; brokeAt?: number }>();
  let again: { stop: Stop } | undefined;

  const rowOf = (agent: SessionAgent) =>
    store.read((db) => listSourceRows(db, account)).find((row) => row.agent === agent);
  const rootOf = (format: SessionFormat) =>
    rowOf(format.agent)?.root ?? format.root(environment.variables, environment.home);

  function begin(format: SessionFormat): void {
    const { agent } = format;
    followed.get(agent)?.stop();
    const known = store.read((db) => listFileRows(db, account, agent));
    const stop = deps.startThread(
      { agent, root: rootOf(format), now: clock.now(), known: known.map(({ agent: _, ...state }) => state) },
      {
        hear: (message) => hear(format, message),
        broke(cause) {
          log.warn(
            { err: cause, agent },
            'the logs of an agent are not followed; it is tried again in a minute',
          );
          const state: SourceState = { kind: 'failed', reason: cause.message };
          followed.set(agent, { state, stop: () => undefined, brokeAt: clock.now() });
        },
      },
    );
    followed.set(agent, { state: { kind: 'reading', done: 0, of: 0 }, stop });
  }

  function hear(format: SessionFormat, message: FromThread): void {
    const at = followed.get(format.agent);
    if (!at) return;
    if (message.kind === 'batch') take(format, message);
    else if (message.kind === 'trouble')
      log.warn({ agent: format.agent, reason: message.reason }, 'a log of an agent could not be read');
    else if (message.kind === 'progress') at.state = { kind: 'reading', done: message.done, of: message.of };
    else at.state = { kind: message.kind };
  }

  function take({ agent }: SessionFormat, { reads, bodies, seen, file, movedFrom, isNews }: Batch): void {
    // Old logs can be read again: only what others are told of has to be on the disk before.
    const write = isNews ? store.write : store.writeRepeatable;
    write((db) => {
      takeReads(db, deps, {
        account,
        agent,
        agentName: agentTitles[agent],
        reads,
        isNews,
        bodies: bodiesOf(reads, bodies),
      });
      for (const { version, record, known, count } of seen)
        countRecords(db, account, { agent, version, record, known: known ? 1 : 0, count, now: clock.now() });
      for (const path of movedFrom) dropFile(db, account, path);
      if (!file) return;
      saveFile(db, account, { ...file, agent });
      if (file.session !== null) countUnread(db, account, { agent, session: file.session });
    });
  }

  async function shown(format: SessionFormat): Promise<SessionSource> {
    const { agent } = format;
    const row = rowOf(agent);
    const root = rootOf(format);
    const logs = await listLogs(format, root);
    const enabled = row?.enabled === 1;
    return {
      agent,
      name: agentTitles[agent],
      root,
      enabled,
      sessions: logs.length,
      unread_lines:
        store.read((db) => malformedLines(db, account)).find((one) => one.agent === agent)?.lines ?? 0,
      found: fs.statSync(root, { throwIfNoEntry: false })?.isDirectory() ?? false,
      bytes: logs.reduce((total, { size }) => total + size, 0),
      sample: logs.slice(0, SAMPLED).map(({ relative }) => relative),
      enabled_at: row?.enabled_at ? new Date(row.enabled_at).toISOString() : null,
      state: followed.get(agent)?.state ?? { kind: 'off' },
      memory: deps.memoryOf(agent),
    };
  }

  function formatOf(agent: SessionAgent): SessionFormat {
    const format = formats.find((one) => one.agent === agent);
    if (!format) throw new Error(`no format reads the logs of ${agent}`);
    return format;
  }

  return {
    list: () => Promise.all(formats.map(shown)),
    async set(agent, { enabled, root }) {
      const format = formatOf(agent);
      if (root !== undefined && !path.isAbsolute(root)) {
        const message = `is ${JSON.stringify(root)}; must be the absolute path of a folder`;
        throw new Problem('invalid_request', `root: ${message}`, { errors: [{ path: 'root', message }] });
      }
      const before = rowOf(agent);
      const chosen = root ?? before?.root ?? null;
      store.write((db) => {
        if (chosen !== (before?.root ?? null)) dropFiles(db, account, agent);
        const enabled_at = enabled ? (before?.enabled === 1 ? before.enabled_at : clock.now()) : null;
        saveSource(db, account, { agent, root: chosen, enabled: enabled ? 1 : 0, enabled_at });
      });
      if (enabled) begin(format);
      else {
        followed.get(agent)?.stop();
        followed.delete(agent);
      }
      return shown(format);
    },
    start() {
      store.write((db) => settleTimes(db, { latest: latestTime(clock.now()), now: clock.now() }));
      for (const { agent, enabled } of store.read((db) => listSourceRows(db, account)))
        if (enabled === 1) begin(formatOf(agent));
      again = clock.every(AGAIN_AFTER, () => {
        for (const [agent, { brokeAt }] of followed)
          if (brokeAt !== undefined && clock.now() - brokeAt >= AGAIN_AFTER) begin(formatOf(agent));
      });
    },
    stop() {
      again?.stop();
      for (const { stop } of followed.values()) stop();
      followed.clear();
    },
  };
}

/** Kinds of records that are told of each agent: a log may name a new one in each line. */
const MOST_RECORDS = 500;

/** Kinds of records that were met in the logs, those that are not known first. */
export function recordsOf(
  { store }: Pick<SessionsDeps, 'store'>,
  account: AccountId,
): { formats: MetRecord[]; malformed: { agent: string; lines: number }[] } {
  return store.read((db) => ({
    formats: listRecords(db, account, MOST_RECORDS).map(({ known, version, first_at, last_at, ...row }) => ({
      ...row,
      known: known === 1,
      version: version === '' ? null : version,
      first_at: new Date(first_at).toISOString(),
      last_at: new Date(last_at).toISOString(),
    })),
    malformed: malformedLines(db, account),
  }));
}

interface MetRecord {
  agent: string;
  version: string | null;
  record: string;
  known: boolean;
  count: number;
  first_at: string;
  last_at: string;
}

function bodiesOf(reads: Batch['reads'], bodies: Batch['bodies']): Map<Batch['reads'][number], string> {
  return new Map(reads.map((read, at) => [read, bodies[at] ?? '']));
}

import type { Caller } from '@reverie/shared/accounts/caller';
import { Problem } from '@reverie/shared/contract/problems';
import type { ExportFormat } from '@reverie/shared/contract/sessions/session-export';
import { createYielding } from '../../../platform/yielding.ts';
import type { SessionsDeps } from '../deps.ts';
import { filesOf } from '../entries.service.ts';
import { entriesAfter, type EntryRow } from '../entries.store.ts';
import { sessionOf } from '../sessions.service.ts';
import type { SessionRow } from '../sessions.store.ts';
import { modelsOf } from '../taking.service.ts';
import type { ExportedEntry, ExportedSession, SessionWriter } from './exported.ts';
import { htmlWriter } from './html.ts';
import { markdownWriter } from './markdown.ts';

export type ExportDeps = Pick<SessionsDeps, 'store' | 'world'>;

/** Entries that are read, and looked through, at a time. */
const PAGE = 32;
const WRITERS: Readonly<Record<ExportFormat, () => SessionWriter>> = { md: markdownWriter, html: htmlWriter };
const EVERYTHING = { kinds: null, failed: null, letters: Number.MAX_SAFE_INTEGER, limit: PAGE } as const;

/** The pieces of a session's file. Throws at once where there is no such session, or its secrets are not for who asks. */
export function exportSession(
  deps: ExportDeps,
  caller: Caller,
  { id, format, secrets }: { id: string; format: ExportFormat; secrets: 'true' | 'false' },
): AsyncIterable<string> {
  const hasSecrets = secrets === 'true';
  const isOwner = caller.key.scope === 'owner' && deps.world.isMachine(caller.account);
  const session = deps.store.read((db) => sessionOf(db, caller, id));
  if (hasSecrets && !isOwner)
    throw new Problem(
      'forbidden_scope',
      "Secrets stay in an export only for the owner key of this machine's account",
    );
  return piecesOf(deps, { session, hasSecrets, writer: WRITERS[format]() });
}

async function* piecesOf(
  deps: ExportDeps,
  { session, hasSecrets, writer }: { session: SessionRow; hasSecrets: boolean; writer: SessionWriter },
): AsyncGenerator<string> {
  const counts = { entries: 0, redactions: 0, leftOut: 0 };
  const yieldToOthers = createYielding();
  const head = await headOf(deps, session, hasSecrets);
  counts.redactions += head.redactions;
  yield writer.head(head.session);
  let after: EntryRow | null = null;
  for (;;) {
    const rows: EntryRow[] = deps.store.read((db) =>
      entriesAfter(db, { session: session.n, kinds: null, failed: null }, { ...EVERYTHING, after }),
    );
    const looked = await Promise.all(rows.map((row) => exportedEntry(deps, { session, row, hasSecrets })));
    for (const one of looked) {
      await yieldToOthers();
      if (!one) {
        counts.leftOut += 1;
        continue;
      }
      counts.entries += 1;
      counts.redactions += one.redactions;
      yield writer.entry(one.entry);
    }
    after = rows.at(-1) ?? null;
    if (rows.length < PAGE) break;
  }
  yield writer.end(counts);
}

async function headOf(
  { world }: ExportDeps,
  row: SessionRow,
  hasSecrets: boolean,
): Promise<{ session: ExportedSession; redactions: number }> {
  const about = { tokens: row.tokens, hasSecrets, from: row.started_at, until: row.updated_at };
  const { agent, project, branch } = row;
  const untitled = 'Untitled session';
  if (hasSecrets)
    return {
      session: { ...about, agent, project, branch, models: modelsOf(row), title: row.title ?? untitled },
      redactions: 0,
    };
  const { record, rules } = await world.leaver.session(row);
  return { session: { ...about, ...record, title: record.title || untitled }, redactions: rules.length };
}

/** Undefined for what stays here: a record that is not known, or a text that could not be looked through. */
async function exportedEntry(
  { world }: ExportDeps,
  { session, row, hasSecrets }: { session: SessionRow; row: EntryRow; hasSecrets: boolean },
): Promise<{ entry: ExportedEntry; redactions: number } | undefined> {
  const { id, at, kind } = row;
  const rest = { id, at, kind, failed: row.failed === 1, replyTo: row.reply_to };
  if (hasSecrets) {
    const { text, author_name, tool } = row;
    return {
      entry: { ...rest, text, tool, author: author_name, files: filesOf(row) },
      redactions: row.redactions,
    };
  }
  const looked = await world.leaver.looked(session, row);
  if (looked.kind === 'withheld') return undefined;
  const { text, author_name, tool, files, reply_to: replyTo } = looked.entry;
  return {
    entry: { ...rest, replyTo, text, tool, author: author_name, files },
    redactions: row.redactions + looked.rules.length,
  };
}

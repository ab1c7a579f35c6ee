import { createHash } from 'node:crypto';
import type { SharePreview } from '@reverie/shared/contract/sessions/session-sharing';
import type { Store } from '../../../db/open-store.ts';
import { createYielding } from '../../../platform/yielding.ts';
import { entriesAfter, type EntryRow } from '../entries.store.ts';
import type { SessionRow } from '../sessions.store.ts';
import type { Leaver, Looked } from './ports.ts';
import { ALL_KINDS } from './queue.ts';

/** What would leave, as a person is shown it. */
export interface Preview {
  entries: number;
  bytes: number;
  redactions: number;
  by_rule: { rule: string; count: number; is_new: boolean }[];
  withheld: number;
  approved: boolean;
  token: string;
  session: SharePreview['session'];
  sample: SharePreview['sample'];
  next: string | null;
}

/** Characters of a page: it ends with the entry that goes beyond. */
const SHOWN = 262_144;
const PAGE = 64;

export interface PreviewWanted {
  session: SessionRow;
  /** Only what came behind this. */
  begun: number;
  from: 'start' | 'now';
  approved: ReadonlySet<string>;
  redacted: boolean;
  limit: number;
  /** The id that the page before ended with. */
  cursor: string | undefined;
}

/** Looks through all that would leave, and shows a page of it. */
export async function previewOf(
  { store, leaver }: { store: Store; leaver: Leaver },
  wanted: PreviewWanted,
): Promise<Preview> {
  const { session, approved, limit } = wanted;
  const yieldToOthers = createYielding();
  const rules = new Map<string, number>();
  const sample: Preview['sample'] = [];
  const seen = { entries: 0, bytes: 0, redactions: 0, withheld: 0 };
  const about = await leaver.session(session);
  const count = (found: readonly string[]) => {
    seen.redactions += found.length;
    for (const rule of found) rules.set(rule, (rules.get(rule) ?? 0) + 1);
  };
  count(about.rules);
  let shown = 0;
  let isShown = wanted.cursor === undefined;
  let isMore = false;
  let after: EntryRow | null = null;
  for (;;) {
    const rows: EntryRow[] = store.read((db) =>
      entriesAfter(
        db,
        { session: session.n, ...ALL_KINDS },
        { after, letters: Number.MAX_SAFE_INTEGER, limit: PAGE },
      ),
    );
    for (const row of rows) {
      if (row.device !== null || row.seq <= wanted.begun) continue;
      await yieldToOthers();
      const looked = await leaver.looked(session, row);
      if (looked.kind === 'withheld') {
        seen.withheld += 1;
        continue;
      }
      const { text } = looked.entry;
      seen.entries += 1;
      seen.bytes += Buffer.byteLength(text);
      count(looked.rules);
      if (isShown && (!wanted.redacted || looked.rules.length > 0)) {
        if (sample.length < limit && shown < SHOWN) {
          sample.push(shownEntry(row, looked));
          shown += text.length;
        } else isMore = true;
      }
      if (row.id === wanted.cursor) isShown = true;
    }
    after = rows.at(-1) ?? null;
    if (rows.length < PAGE) break;
  }
  const by_rule = [...rules]
    .map(([rule, count]) => ({ rule, count, is_new: !approved.has(rule) }))
    .sort((a, b) => b.count - a.count || a.rule.localeCompare(b.rule));
  const { title, project, branch, agent, models } = about.record;
  return {
    ...seen,
    by_rule,
    sample,
    session: { title, project, branch, agent, models },
    approved: by_rule.every(({ is_new }) => !is_new),
    token: tokenOf(session.id, wanted.from, [...rules.keys()]),
    next: isMore ? (sample.at(-1)?.id ?? null) : null,
  };
}

/** All of an entry that leaves and that a person reads. */
function shownEntry(
  row: EntryRow,
  { entry, rules }: Extract<Looked, { kind: 'clean' }>,
): Preview['sample'][number] {
  const { author_id: id, author_name: name, author_agent: agent, tool, text } = entry;
  return {
    id: row.id,
    at: new Date(row.at).toISOString(),
    kind: row.kind,
    text,
    redactions: rules.length,
    author: { id, name, agent },
    tool,
    files: [...entry.files],
  };
}

/** Says that these kinds of secrets were shown: with another kind it is another token. */
function tokenOf(session: string, from: string, rules: readonly string[]): string {
  const shown = JSON.stringify([session, from, [...rules].sort()]);
  return createHash('sha256').update(shown).digest('hex').slice(0, 32);
}

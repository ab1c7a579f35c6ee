import type { PortableMemory } from '@reverie/shared/contract/memories/portable';
import type { BroughtMemory, ImportReport } from '../portable/import-all.ts';
import type { TakenAttachments } from './import-attachments.ts';
import type { Format, ReadItem, UnreadFrontmatter } from '@reverie/memory-formats/reader';
import type { PruneReport } from '../portable/vanished.ts';
import { count, cutTo, inOneLine, note, printJson, printTable, say, writtenTime } from './print.ts';
import type { Terminal } from './terminal.ts';

/** Lines of what was kept, left or skipped that are shown without `--verbose`. */
const SHOWN = 20;
/** Memories that are shown as a sample. */
const SAMPLED = 3;
/** Namespaces, and notes with frontmatter that could not be read, that are named in a line. */
const NAMED = 5;

/** Counts memories by namespace as they pass, and keeps the first few to be shown. */
export class Sample {
  readonly namespaces = new Map<string, number>();
  readonly first: PortableMemory[] = [];

  /** Passes on what a reader finds, and takes note of it. */
  async *of(found: AsyncIterable<ReadItem>): AsyncGenerator<ReadItem> {
    for await (const one of found) {
      if (one.kind === 'memory') {
        const { namespace } = one.memory;
        this.namespaces.set(namespace, (this.namespaces.get(namespace) ?? 0) + 1);
        if (this.first.length < SAMPLED) this.first.push(one.memory);
      }
      yield one;
    }
  }
}

/** An import that is over, or broke off. */
export interface FinishedImport {
  format: Format;
  because: string;
  sample: Sample;
  report: ImportReport;
  /** The pictures and PDFs that its notes name; undefined where none were looked for. */
  pictures: TakenAttachments | undefined;
  /** What was pruned, where that was asked for and the import came so far; `days`: how long it stays in the trash. */
  pruning: (PruneReport & { days: number }) | undefined;
  options: { dryRun?: true; prune?: true; verbose?: true; json?: true };
}

/** Tells what an import did, as a table and lists or as JSON; throws what it failed of. */
export function tellImport(terminal: Terminal, told: FinishedImport): void {
  const { report, options } = told;
  const { ended } = report;
  if (ended.kind !== 'complete') terminal.exitCode = 1;
  if (options.json) printJson(terminal, jsonOf(told));
  else tellPeople(terminal, told);
  const unpruned = options.prune && !told.pruning ? ' Nothing was pruned.' : '';
  if (ended.kind === 'interrupted')
    note(
      terminal,
      `The import was interrupted. What is counted above stays; run it again to go on.${unpruned}`,
    );
  if (ended.kind === 'failed') {
    note(
      terminal,
      `The import failed. What is counted above stays; once the reason is mended, run it again to go on.${unpruned}`,
    );
    throw ended.error;
  }
}

function jsonOf({ format, because, sample, report, pictures, pruning, options }: FinishedImport) {
  const { created, updated, unchanged, restored, kept, deletedHere, skipped, unread, ended } = report;
  return {
    format,
    because,
    namespaces: Object.fromEntries(sample.namespaces),
    dry_run: options.dryRun ?? false,
    ended: ended.kind,
    created,
    updated,
    unchanged,
    restored,
    kept,
    deleted_here: deletedHere,
    skipped,
    frontmatter_unread: unread,
    ...(pictures && { attachments: pictures }),
    ...(options.prune && { pruned: pruning?.pruned ?? [], kept_though_gone: pruning?.kept ?? [] }),
  };
}

function tellPeople(
  terminal: Terminal,
  { sample, report, pictures, pruning, options }: FinishedImport,
): void {
  const { created, updated, unchanged, restored, kept, deletedHere, skipped, unread } = report;
  tellSample(terminal, sample);
  if (options.dryRun) say(terminal, 'Nothing was changed; this is what an import would do:');
  const rows: [string, number, boolean?][] = [
    ['created', created],
    ['updated', updated],
    ['unchanged', unchanged],
    ['brought back', restored, restored === 0],
    ['kept', kept.length + (pruning?.kept.length ?? 0)],
    ['deleted here', deletedHere.length, deletedHere.length === 0],
    ['moved to the trash', pruning?.pruned.length ?? 0, !pruning],
    ['skipped', skipped.length],
  ];
  printTable(
    terminal,
    ['', 'Memories'],
    rows.flatMap(([name, many, isLeftOut]) => (isLeftOut ? [] : [[name, String(many)]])),
  );
  const list = (head: string, lines: readonly string[]) =>
    listSome(terminal, { head, lines, limit: options.verbose ? Infinity : SHOWN });
  list('Kept, since they were edited here after the last import:', kept.map(named));
  list('Left out, since they were deleted here:', deletedHere.map(named));
  if (deletedHere.length > 0)
    say(terminal, '`--restore` brings them back, out of the trash where they are there.');
  if (pruning) {
    list('Kept though their source is gone, since they were edited here:', pruning.kept.map(named));
    list('Moved to the trash, since their source is gone:', pruning.pruned.map(named));
    if (pruning.pruned.length > 0)
      say(
        terminal,
        `They are deleted for good after ${count(pruning.days, 'day')}; until then \`reverie undelete KEY\` brings one back, and so does an import once its source is there again.`,
      );
  }
  list(
    'Skipped:',
    skipped.map(({ path, reason, detail }) => `${path} (${reason}): ${detail}`),
  );
  if (pictures) sayPictures(terminal, pictures, list);
  sayUnread(terminal, unread, options.verbose);
}

function sayPictures(
  terminal: Terminal,
  { stored, unchanged, left, left_total }: TakenAttachments,
  list: (head: string, lines: readonly string[]) => void,
): void {
  if (stored + unchanged + left_total === 0) return;
  const before = unchanged > 0 ? `, ${unchanged} that were there stay` : '';
  say(terminal, `${count(stored, 'picture or PDF', 'pictures and PDFs')} stored${before}.`);
  const more = left_total > left.length ? ` (the first ${left.length} of ${left_total})` : '';
  list(
    `Pictures and PDFs that were left out${more}:`,
    left.map(({ path, reason, detail }) => `${inOneLine(path)} (${reason}): ${detail}`),
  );
}

/** Names the first few in the sentence itself: the notes are there, so that nobody has to do anything about them at once. */
function sayUnread(
  terminal: Terminal,
  unread: readonly UnreadFrontmatter[],
  verbose: true | undefined,
): void {
  if (unread.length === 0) return;
  const whose = `${count(unread.length, 'note')} whose frontmatter could not be read, taken with their whole text:`;
  if (verbose) {
    const lines = unread.map(({ path, detail }) => `${path}: ${detail}`);
    return listSome(terminal, { head: whose, lines, limit: Infinity });
  }
  const names = unread.slice(0, NAMED).map(({ path }) => inOneLine(path));
  const more = unread.length > NAMED ? ` and ${unread.length - NAMED} more` : '';
  say(terminal, `${whose} ${names.join(', ')}${more}. --verbose says why.`);
}

function named({ namespace, key, source }: BroughtMemory): string {
  return `${namespace} ${key}${source ? ` (${source})` : ''}`;
}

/** Where it went, and what the first of it is. */
function tellSample(terminal: Terminal, { namespaces, first }: Sample): void {
  if (first.length === 0) return;
  const names = [...namespaces].map(([name, many]) => `${inOneLine(name)} (${many.toLocaleString('en-GB')})`);
  const more = names.length > NAMED ? ` and ${names.length - NAMED} more` : '';
  note(terminal, `Into ${names.slice(0, NAMED).join(', ')}${more}; such as:`);
  for (const { key, created_at, metadata } of first) {
    const title = metadata?.['title'];
    const about = [created_at && writtenTime(created_at), typeof title === 'string' && title].filter(Boolean);
    const line = about.length > 0 ? `${key} (${about.join(', ')})` : key;
    note(terminal, `  ${cutTo(line, terminal.stderr, 2)}`);
  }
}

function listSome(
  terminal: Terminal,
  { head, lines, limit }: { head: string; lines: readonly string[]; limit: number },
): void {
  if (lines.length === 0) return;
  say(terminal, head);
  for (const line of lines.slice(0, limit)) say(terminal, `  ${line}`);
  if (lines.length > limit) say(terminal, `  … and ${lines.length - limit} more; --verbose lists all`);
}

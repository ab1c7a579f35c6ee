import { type Command, Option } from 'commander';
import type { Client } from '@reverie/shared/client';
import { listTrash } from '@reverie/shared/contract/memories/trash';
import { agreed } from './confirm.ts';
import { connect } from './connection.ts';
import { Sample, tellImport } from './import-report.ts';
import { hasAttachments, takeAttachments, type TakenAttachments } from './import-attachments.ts';
import { jsonOption, namespaceIn, pairs } from './options.ts';
import type { ImportReport } from '../portable/import-all.ts';
import { type Format, formats, type SourceReader, type ReadOptions } from '@reverie/memory-formats/reader';
import type { KnownPlace, PruneReport } from '../portable/vanished.ts';
import { count, note, size } from './print.ts';
import { homeOf, type Terminal, UsageError } from './terminal.ts';

interface Options {
  format?: Format;
  namespace?: string;
  dryRun?: true;
  prune?: true;
  restore?: true;
  yes?: true;
  allText?: true;
  column?: Record<string, string>;
  sourceName?: string;
  verbose?: true;
  json?: true;
}

const AFTER = `
Examples:
  reverie import ~/notes --dry-run      say what would happen
  reverie import ~/notes -n notes
  reverie import ~/notes --prune        what is gone there goes to the trash here
  reverie import table.csv --column value=Body --column key=Title
\`reverie folders add\` follows a folder, instead of importing it again and again.`;

/** `reverie import PATH` */
export function addImport(program: Command, terminal: Terminal): void {
  program
    .command('import')
    .description(
      'bring notes and memories of other programs; running it again changes nothing, and what you deleted here stays deleted',
    )
    .addHelpText('after', AFTER)
    .argument('<path>', 'a folder or a file')
    .addOption(
      new Option('-f, --format <format>', 'what it is; found out where it is clear').choices(formats),
    )
    .option(
      '-n, --namespace <name>',
      'put everything into this namespace, whatever it says itself; what names none goes into REVERIE_NAMESPACE, else default',
    )
    .option('--dry-run', 'say what would be done, and do nothing')
    .option(
      '--prune',
      'move to the trash what came from here before and is gone now; what was edited or renamed here stays',
    )
    .option('--restore', 'bring back what was deleted here, out of the trash where it is there')
    .option('-y, --yes', 'with --prune: do not ask, also where nothing is left of what came from here')
    .option('--all-text', 'take every text file of a folder, whatever its ending (README, changelog.gz …)')
    .option(
      '--column <field=column>',
      'CSV: the column of a field, as in value=Body; may be given again',
      pairs,
    )
    .option('--source-name <name>', 'the name of an earlier import, when the folder has moved since')
    .option('--verbose', 'list everything that was kept, left out, moved to the trash or skipped')
    .addOption(jsonOption())
    .action((path: string, options: Options) => runImport(terminal, path, options));
}

async function runImport(terminal: Terminal, path: string, options: Options): Promise<void> {
  const { client } = await connect(homeOf(terminal), terminal.env);
  // The readers take longer to load than any other command takes in all.
  const [{ detectFormat }, { readerOf }, { importAll }, { showProgress }] = await Promise.all([
    import('@reverie/memory-formats/detect-format'),
    import('@reverie/memory-formats/readers'),
    import('../portable/import-all.ts'),
    import('./progress.ts'),
  ]);
  // Only Markdown folders take every text file, so asking for that says what it is.
  const { format, because } =
    options.format !== undefined
      ? { format: options.format, because: 'as --format says' }
      : options.allText
        ? { format: 'markdown' as const, because: 'as --all-text says' }
        : await detectFormat(path);
  const reader = readerOf(format);
  if (!options.json) note(terminal, `Reading ${path} as ${format}: ${because}.`);
  const wanted: ReadOptions = {
    ...(options.namespace !== undefined && { namespace: options.namespace }),
    defaultNamespace: namespaceIn(terminal.env) ?? 'default',
    ...(options.allText && { allText: true }),
    ...(options.column && { columns: options.column }),
    ...(options.sourceName !== undefined && { sourceName: options.sourceName }),
  };
  const known = options.prune ? await knownAt(client, { reader, path, wanted }) : undefined;
  const total = await reader.measure(path, wanted);
  const shown = showProgress(terminal, 'Importing', total);
  let bytes = 0;
  const { signal, off } = onInterrupt(terminal);
  const sample = new Sample();
  let report: ImportReport;
  let pictures: TakenAttachments | undefined;
  let pruning: (PruneReport & { days: number }) | undefined;
  try {
    try {
      report = await importAll({
        client,
        found: sample.of(reader.read(path, { ...wanted, onBytes: (read) => (bytes += read) })),
        dryRun: options.dryRun ?? false,
        restore: options.restore ?? false,
        signal,
        onProgress: ({ found }) =>
          shown.update(bytes, `${count(found, 'memory', 'memories')}, ${size(bytes)} of ${size(total)}`),
      });
    } finally {
      shown.stop();
    }
    if (report.ended.kind === 'complete' && hasAttachments({ format, path, dryRun: options.dryRun ?? false }))
      pictures = await takeAttachments(client, path, sample.namespaces.keys()).catch((error: unknown) => {
        // What was imported is told all the same.
        report.ended = { kind: 'failed', error };
        return undefined;
      });
    if (known && report.ended.kind === 'complete')
      pruning = await pruneWhatIsGone(terminal, client, { path, known, report, options, signal });
  } finally {
    off();
  }
  tellImport(terminal, { format, because, report, pictures, pruning, options, sample });
}

/** What came from a path before; refuses formats whose ids do not tell where from. */
async function knownAt(
  client: Client,
  { reader, path, wanted }: { reader: SourceReader; path: string; wanted: ReadOptions },
): Promise<KnownPlace[]> {
  if (!reader.places)
    throw new UsageError(
      `--prune cannot be used with ${reader.format}: its memories do not say which file they came from, so those of another file would be taken for gone.`,
    );
  const { knownOf } = await import('../portable/vanished.ts');
  return knownOf(client, await reader.places(path, wanted));
}

interface Gone {
  path: string;
  known: readonly KnownPlace[];
  report: ImportReport;
  options: Options;
  signal: AbortSignal;
}

/** Moves to the trash what is gone. Where that is all that came from there, somebody has to say so: the disk may not be mounted. */
async function pruneWhatIsGone(
  terminal: Terminal,
  client: Client,
  { path, known, report, options, signal }: Gone,
): Promise<PruneReport & { days: number }> {
  const { prune, vanishedOf } = await import('../portable/vanished.ts');
  const dryRun = options.dryRun ?? false;
  const { vanished, unsure } = await vanishedOf(known, report);
  for (const file of unsure)
    note(terminal, `Nothing of ${file} was pruned: what is skipped below may be what seems to be gone.`);
  const before = known.reduce((sum, { sources }) => sum + sources.length, 0);
  const isAll = vanished.length > 0 && vanished.length === before;
  const { days } = await client(listTrash, { query: { limit: 1, preview: 1 } });
  if (isAll && !dryRun) {
    const what = `Nothing that came from ${path} is there any more: this moves ${count(vanished.length, 'memory', 'memories')} to the trash, where they are deleted for good after ${count(days, 'day')}. Is its disk there?`;
    if (!(await agreed(terminal, { what, type: 'prune', yes: options.yes ?? false }))) {
      note(terminal, 'Nothing was pruned.');
      terminal.exitCode = 1;
      return { pruned: [], kept: [], days };
    }
  }
  const pruned = await prune(client, vanished, { dryRun, signal });
  if (signal.aborted) report.ended = { kind: 'interrupted' };
  return { ...pruned, days };
}

/** The first Ctrl-C ends the import after the batch under way, the second at once. */
function onInterrupt(terminal: Terminal): { signal: AbortSignal; off: () => void } {
  const controller = new AbortController();
  const interrupt = () => {
    if (controller.signal.aborted) process.exit(1);
    note(terminal, '\nEnding after the batch under way; Ctrl-C again ends at once.');
    controller.abort();
  };
  process.on('SIGINT', interrupt);
  process.on('SIGTERM', interrupt);
  return {
    signal: controller.signal,
    off() {
      process.off('SIGINT', interrupt);
      process.off('SIGTERM', interrupt);
    },
  };
}

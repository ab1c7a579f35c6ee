import { type Command, Option } from 'commander';
import type { PortableMemory } from '@reverie/shared/contract/portable';
import { connect } from './connection.ts';
import { jsonOption, namespaceIn, pairs } from './options.ts';
import type { ImportReport } from '../portable/import-all.ts';
import { type Format, formats, type Found, type ReadOptions } from '../portable/reader.ts';
import { count, cutTo, inOneLine, note, printJson, printTable, say, shortTime, size } from './print.ts';
import { homeOf, type Terminal } from './terminal.ts';

interface Options {
  format?: Format;
  namespace?: string;
  dryRun?: true;
  allText?: true;
  column?: Record<string, string>;
  sourceName?: string;
  verbose?: true;
  json?: true;
}

/** Lines of kept and skipped ones that are shown without `--verbose`. */
const SHOWN = 20;

/** `reverie import PATH` */
export function addImport(program: Command, terminal: Terminal): void {
  program
    .command('import')
    .description('bring notes and memories of other programs; running it again changes nothing')
    .argument('<path>', 'a folder or a file')
    .addOption(
      new Option('-f, --format <format>', 'what it is; found out where it is clear').choices(formats),
    )
    .option(
      '-n, --namespace <name>',
      'put everything into this namespace, whatever it says itself; what names none goes into REVERIE_NAMESPACE, else default',
    )
    .option('--dry-run', 'say what would be done, and do nothing')
    .option('--all-text', 'take every text file of a folder, whatever its ending (README, changelog.gz …)')
    .option(
      '--column <field=column>',
      'CSV: the column of a field, as in value=Body; may be given again',
      pairs,
    )
    .option('--source-name <name>', 'the name of an earlier import, when the folder has moved since')
    .option('--verbose', 'list everything that was kept or skipped')
    .addOption(jsonOption())
    .action((path: string, options: Options) => runImport(terminal, path, options));
}

async function runImport(terminal: Terminal, path: string, options: Options): Promise<void> {
  const { client } = await connect(homeOf(terminal), terminal.env);
  // The readers take longer to load than any other command takes in all.
  const [{ detectFormat }, { readerOf }, { importAll }, { showProgress }] = await Promise.all([
    import('../portable/detect-format.ts'),
    import('../portable/readers.ts'),
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
  const total = await reader.measure(path, wanted);
  const shown = showProgress(terminal, 'Importing', total);
  let bytes = 0;
  const { signal, off } = onInterrupt(terminal);
  const sample = new Sample();
  let report: ImportReport;
  try {
    report = await importAll({
      client,
      found: sample.of(reader.read(path, { ...wanted, onBytes: (read) => (bytes += read) })),
      dryRun: options.dryRun ?? false,
      signal,
      onProgress: ({ found }) =>
        shown.update(bytes, `${count(found, 'memory', 'memories')}, ${size(bytes)} of ${size(total)}`),
    });
  } finally {
    off();
    shown.stop();
  }
  tell(terminal, { format, because, report, options, sample });
}

/** Memories that are shown as a sample. */
const SAMPLED = 3;

/** What went by: into which namespaces, and the first few. */
class Sample {
  readonly namespaces = new Map<string, number>();
  readonly first: PortableMemory[] = [];

  /** Passes on what a reader finds, and takes note of it. */
  async *of(found: AsyncIterable<Found>): AsyncGenerator<Found> {
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

interface Told {
  format: Format;
  because: string;
  sample: Sample;
  report: ImportReport;
  options: Options;
}

function tell(terminal: Terminal, { format, because, report, options, sample }: Told): void {
  const { kept, skipped, ended, created, updated, unchanged } = report;
  if (ended.kind !== 'complete') terminal.exitCode = 1;
  if (options.json)
    printJson(terminal, {
      format,
      because,
      namespaces: Object.fromEntries(sample.namespaces),
      dry_run: options.dryRun ?? false,
      ended: ended.kind,
      created,
      updated,
      unchanged,
      kept,
      skipped,
    });
  else {
    tellSample(terminal, sample);
    if (options.dryRun) say(terminal, 'Nothing was changed; this is what an import would do:');
    printTable(
      terminal,
      ['', 'Memories'],
      [
        ['created', String(created)],
        ['updated', String(updated)],
        ['unchanged', String(unchanged)],
        ['kept', String(kept.length)],
        ['skipped', String(skipped.length)],
      ],
    );
    const limit = options.verbose ? Infinity : SHOWN;
    listSome(terminal, {
      head: 'Kept, since they were edited here after the last import:',
      lines: kept.map(({ namespace, key, source }) => `${namespace} ${key}${source ? ` (${source})` : ''}`),
      limit,
    });
    listSome(terminal, {
      head: 'Skipped:',
      lines: skipped.map(({ path, reason, detail }) => `${path} (${reason}): ${detail}`),
      limit,
    });
  }
  if (ended.kind === 'interrupted')
    note(terminal, 'The import was interrupted. What is counted above stays; run it again to go on.');
  if (ended.kind === 'failed') {
    note(
      terminal,
      'The import failed. What is counted above stays; once the reason is mended, run it again to go on.',
    );
    throw ended.error;
  }
}

/** Namespaces that are named. */
const NAMED = 5;

/** Where it went, and what the first of it is. */
function tellSample(terminal: Terminal, { namespaces, first }: Sample): void {
  if (first.length === 0) return;
  const names = [...namespaces].map(([name, many]) => `${inOneLine(name)} (${many.toLocaleString('en-GB')})`);
  const more = names.length > NAMED ? ` and ${names.length - NAMED} more` : '';
  note(terminal, `Into ${names.slice(0, NAMED).join(', ')}${more}; such as:`);
  for (const { key, created_at, metadata } of first) {
    const title = metadata?.['title'];
    const about = [created_at && shortTime(created_at), typeof title === 'string' && title].filter(Boolean);
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

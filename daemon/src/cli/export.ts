import fs from 'node:fs';
import path from 'node:path';
import { type Command, Option } from 'commander';
import type { Client } from '@reverie/shared/client';
import { listNamespaces } from '@reverie/shared/contract/memories/memories';
import type { PortableMemory } from '@reverie/shared/contract/memories/portable';
import { describeFileError, Refusal } from '../platform/home/home.ts';
import { connect } from './connection.ts';
import { countMemories, everyMemory } from './every-memory.ts';
import { claimFile } from '../platform/home/new-file.ts';
import { writeJsonLines, type WrittenExport } from '@reverie/memory-formats/jsonl/write-json-lines';
import { count, note, size } from './print.ts';
import type { ProgressBar } from './progress.ts';
import { homeOf, type Terminal, UsageError } from './terminal.ts';

interface Options {
  format: 'jsonl' | 'markdown' | 'okf';
  namespace?: string;
  output?: string;
}

const AFTER = `
Examples:
  reverie export -o memories.jsonl
  reverie export -f markdown -n work -o ~/work-notes
  reverie export | gzip > memories.jsonl.gz`;

/** `reverie export` */
export function addExport(program: Command, terminal: Terminal): void {
  program
    .command('export')
    .description('write all memories with their times, for `reverie import` and for other programs')
    .addHelpText('after', AFTER)
    .addOption(
      new Option(
        '-f, --format <format>',
        'one memory a line; a vault of Markdown; or the Open Knowledge Format',
      )
        .choices(['jsonl', 'markdown', 'okf'])
        .default('jsonl'),
    )
    .option('-n, --namespace <name>', 'only this namespace')
    .option('-o, --output <path>', 'a new file, or a new or empty folder for Markdown; else stdout')
    .action(async ({ format, namespace, output }: Options) => {
      if (format !== 'jsonl' && output === undefined)
        throw new UsageError('Markdown is written into a folder: say which one with --output.');
      if (format === 'jsonl' && output === undefined && terminal.stdout.isTTY)
        throw new UsageError('Say where to with --output FILE, or pipe the lines into another program.');
      const { client } = await connect(homeOf(terminal), terminal.env);
      const { showProgress } = await import('./progress.ts');
      const progress = showProgress(terminal, 'Exporting', await countMemories(client, { namespace }));
      const memories = counted(everyMemory(client, { namespace }), progress);
      const only = format !== 'jsonl' && (namespace !== undefined || (await isOneNamespace(client)));
      const written = await write(terminal, memories, { format, output, only }).finally(() =>
        progress.stop(),
      );
      const where = output === undefined ? '' : ` to ${path.resolve(output)}`;
      const what = `${count(written.memories, 'memory', 'memories')} (${size(written.bytes)})`;
      note(terminal, `Wrote ${what}${where}.`);
    });
}

/** Whether all memories are of one namespace, whose folder would say nothing. */
async function isOneNamespace(client: Client): Promise<boolean> {
  const { namespaces } = await client(listNamespaces, {});
  return namespaces.filter(({ count: memories }) => memories > 0).length === 1;
}

async function* counted(
  memories: AsyncGenerator<PortableMemory>,
  progress: ProgressBar,
): AsyncGenerator<PortableMemory> {
  let done = 0;
  for await (const memory of memories) {
    yield memory;
    done += 1;
    progress.update(done, count(done, 'memory', 'memories'));
  }
}

async function write(
  terminal: Terminal,
  memories: AsyncGenerator<PortableMemory>,
  { format, output, only }: { format: Options['format']; output: string | undefined; only: boolean },
): Promise<WrittenExport> {
  if (output === undefined) return writeJsonLines(memories, terminal.stdout);
  try {
    if (format === 'okf') {
      const { writeOkf } = await import('@reverie/memory-formats/okf/okf');
      return await writeOkf(memories, output, { only });
    }
    if (format === 'markdown') {
      const { writeMarkdown } = await import('@reverie/memory-formats/markdown/write-markdown');
      return await writeMarkdown(memories, output, { only });
    }
    return await writeFile(memories, path.resolve(output));
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === undefined || !(cause instanceof Error) || !('syscall' in cause)) throw cause;
    throw new Refusal(`${describeFileError(cause, output)}.`, cause);
  }
}

/** A file that appears when it is whole. */
async function writeFile(memories: AsyncGenerator<PortableMemory>, file: string): Promise<WrittenExport> {
  const claimed = claimFile(file);
  try {
    const stream = fs.createWriteStream(claimed.draft, { flags: 'wx', mode: 0o600, flush: true });
    const written = await writeJsonLines(memories, stream);
    await new Promise<void>((resolve, reject) => {
      stream.once('error', reject);
      stream.end(() => resolve());
    });
    claimed.finish();
    return written;
  } finally {
    claimed.discard();
  }
}

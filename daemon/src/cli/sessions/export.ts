import fs from 'node:fs';
import path from 'node:path';
import { type Command, Option } from 'commander';
import {
  type ExportFormat,
  exportFormats,
  exportSession,
  readExportEnd,
} from '@reverie/shared/contract/sessions/session-export';
import { Refusal } from '../../platform/home/home.ts';
import { claimFile } from '../../platform/home/new-file.ts';
import { agreed, refuseUnasked } from '../confirm.ts';
import { jsonOption, yesOption } from '../options.ts';
import { count, inOneLine, note, printJson } from '../print.ts';
import { type Terminal, UsageError } from '../terminal.ts';
import { clientOf } from '../connection.ts';
import { sessionArgument, sessionOf } from './session-of.ts';

interface Options {
  format?: ExportFormat;
  output?: string;
  secrets?: true;
  yes?: boolean;
  json?: true;
}

const AFTER = `
Examples:
  reverie sessions export cs_01… -o limits.html     one file that opens in any browser, and asks for nothing else
  reverie sessions export cs_01… > limits.md`;

/** `reverie sessions export ID` */
export function addExport(sessions: Command, terminal: Terminal): void {
  sessions
    .command('export')
    .description('write a session as a file to read, with secrets taken out')
    .addArgument(sessionArgument())
    .addOption(
      new Option('-f, --format <format>', 'Markdown or HTML (else as the file is called, else md)').choices(
        exportFormats,
      ),
    )
    .option('-o, --output <file>', 'a new file; else stdout')
    .option('--secrets', 'leave secrets in it, and records that are not known; asks first')
    .addOption(yesOption())
    .addOption(jsonOption())
    .addHelpText('after', AFTER)
    .action((id: string, options: Options) => write(terminal, id, options));
}

async function write(terminal: Terminal, given: string, options: Options): Promise<void> {
  const { output, secrets, yes = false, json } = options;
  const format = options.format ?? (output !== undefined && /\.html?$/i.test(output) ? 'html' : 'md');
  if (output === undefined && json)
    throw new UsageError('--json says how it went, and needs --output FILE for what is written.');
  if (output === undefined && terminal.stdout.isTTY)
    throw new UsageError(
      'Say where to with --output FILE, or pipe it into another program; `reverie sessions show` is for reading here.',
    );
  const what = 'Secrets stay in the file: passwords, keys, and all else that was said.';
  if (secrets) refuseUnasked(terminal, { what, yes });
  const client = await clientOf(terminal);
  const { id, title } = await sessionOf(client, given);
  if (secrets && !(await agreed(terminal, { what, type: 'secrets', yes }))) {
    note(terminal, 'Nothing was written.');
    terminal.exitCode = 1;
    return;
  }
  const text = await client(exportSession, {
    params: { id },
    query: { format, ...(secrets && { secrets: 'true' }) },
  });
  const counts = readExportEnd(text);
  if (!counts) throw new Refusal('The answer broke off before its end, so nothing was written. Try again.');
  const file = output === undefined ? undefined : path.resolve(output);
  if (file === undefined) terminal.stdout.write(text);
  else writeWhole(file, text);
  if (json) return printJson(terminal, { id, format, file, ...counts, secrets: secrets === true });
  const where = file === undefined ? '' : ` to ${file}`;
  const taken = secrets ? 'secrets stayed in it' : `${count(counts.redactions, 'secret')} taken out`;
  const left = counts.leftOut === 0 ? '' : `, ${count(counts.leftOut, 'entry', 'entries')} left out`;
  note(
    terminal,
    `Wrote ${count(counts.entries, 'entry', 'entries')} of ${inOneLine(title)}${where}; ${taken}${left}.`,
  );
}

/** A file that appears when it is whole, for its owner alone. */
function writeWhole(file: string, text: string): void {
  const claimed = claimFile(file);
  try {
    fs.writeFileSync(claimed.draft, text, { flag: 'wx', mode: 0o600 });
    claimed.finish();
  } finally {
    claimed.discard();
  }
}

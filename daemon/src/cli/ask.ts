import { type Command, InvalidArgumentError } from 'commander';
import { EVERY_NAMESPACE } from '@reverie/shared/contract/fields';
import { askMemory, type AskReply } from '@reverie/shared/contract/search/ask';
import { connect } from './connection.ts';
import { sayMore } from './elsewhere.ts';
import {
  alsoOption,
  type Common,
  everywhereOption,
  jsonOption,
  namespaceOption,
  sessionsOption,
  whole,
} from './options.ts';
import { cutTo, note, printJson, printTable, say, visible } from './print.ts';
import { homeOf, type Terminal } from './terminal.ts';

interface Options extends Common {
  everywhere?: true;
  asOf?: string;
  explain?: true;
  limit?: number;
  also?: string[];
  sessions?: true;
}

const SURENESS = `
Examples:
  reverie ask when does the lease end
  reverie ask -e --as-of 2026-01-31 "who had the spare key?"

How sure an answer is:
  sure    the answer, in the words of your memories or of a language model
  likely  "Likely: …": it fits well, but read the quote
  unsure  "Not sure. The closest in memory: …": found in your notes, and no more said
  none    nothing in memory answers
Exits 0 for the first three, 4 for none.`;

export function addAsk(program: Command, terminal: Terminal): void {
  program
    .command('ask')
    .description(
      'answer a question from your memories, with the keys of those it rests on; or say that none answers it',
    )
    .addHelpText('after', SURENESS)
    .argument('<question...>', 'in plain words')
    .addOption(namespaceOption())
    .addOption(everywhereOption())
    .addOption(alsoOption())
    .option(
      '-l, --limit <number>',
      'at most so many citations; a language model cites all that it rests on',
      whole(1),
    )
    .addOption(sessionsOption())
    .option('--as-of <time>', 'answer from the past, such as 2026-01-31', pastTime)
    .option('--explain', 'also show the stages and why each citation is one')
    .addOption(jsonOption())
    .action(async (words: string[], options: Options) => {
      const { namespace, everywhere, also, limit, asOf, explain, sessions, json } = options;
      const { client } = await connect(homeOf(terminal), terminal.env);
      const reply = await client(askMemory, {
        body: {
          question: words.join(' '),
          namespace: everywhere ? EVERY_NAMESPACE : namespace,
          explain: explain === true,
          ...(also && { queries: also }),
          ...(limit !== undefined && { limit }),
          ...(asOf !== undefined && { as_of: asOf }),
          ...(sessions && { sources: ['memories', 'sessions'] }),
        },
      });
      if (reply.certainty === 'none') terminal.exitCode = 4;
      if (json) return printJson(terminal, reply);
      sayAnswer(terminal, reply);
      if (reply.found && (reply.model !== null || explain)) sayCitations(terminal, reply);
      if (explain) sayStages(terminal, reply);
      const more = sayMore(reply, 'ask');
      if (more !== undefined) note(terminal, more);
    });
}

/** An answer that is no more than likely says so in front; what is unsure is told as what came closest, below a line that says so. */
function sayAnswer(terminal: Terminal, { answer, certainty }: AskReply): void {
  const shown = visible(answer);
  if (certainty === 'likely') say(terminal, `Likely: ${shown}`);
  else if (certainty === 'unsure') say(terminal, shown.replaceAll('\n', '\n  '));
  else say(terminal, shown);
  if (certainty === 'none') note(terminal, 'Not in memory');
}

function sayCitations(terminal: Terminal, { citations }: AskReply): void {
  const { stdout } = terminal;
  say(terminal, '');
  printTable(
    terminal,
    ['', 'Score', 'Key', 'Says', 'Found by'],
    citations.map(({ score, key, quote, why }, at) => [
      `[${at + 1}]`,
      score.toFixed(2),
      stdout.isTTY ? cutTo(key, stdout, 70) : key,
      stdout.isTTY ? cutTo(quote, stdout, 65) : quote,
      (why?.streams ?? []).map(({ name, rank }) => `${name} ${rank}`).join(', '),
    ]),
  );
}

function sayStages(terminal: Terminal, { stages = [], understood, latency_ms }: AskReply): void {
  say(terminal, '');
  printTable(
    terminal,
    ['Stage', 'ms', 'Candidates', ''],
    stages.map(({ name, latency_ms: ms, candidates, skipped }) => [
      name,
      ms.toFixed(1),
      String(candidates),
      skipped === undefined ? '' : `skipped: ${skipped}`,
    ]),
  );
  const { queries = [], model_failed: failed } = understood ?? {};
  if (understood?.decided_by === 'model')
    note(terminal, 'Whether memory answers was decided by the language model');
  if (understood?.unsupported)
    note(terminal, `Left out of what the model says, for no memory says so: ${understood.unsupported}`);
  if (queries.length > 0) note(terminal, `Also looked for: ${queries.map(visible).join('; ')}`);
  if (failed !== undefined) note(terminal, `The language model gave no answer: ${visible(failed)}`);
  note(terminal, `${latency_ms} ms in all`);
}

/** A moment in RFC 3339; a date alone is the end of that day, UTC. */
function pastTime(text: string): string {
  const time = /^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T23:59:59.999Z` : text;
  if (!/^\d{4}-\d\d-\d\dT/.test(time) || Number.isNaN(Date.parse(time)))
    throw new InvalidArgumentError(
      'It must be a date such as 2026-01-31, or a time such as 2026-01-31T12:00:00Z.',
    );
  return new Date(time).toISOString();
}

import type { Command } from 'commander';
import type { Client } from '@reverie/shared/client';
import { type Examination, examineModel, stopExamining } from '@reverie/shared/contract/system/models';
import { agreed, refuseUnasked } from '../confirm.ts';
import { connect } from '../connection.ts';
import { jsonOption, yesOption } from '../options.ts';
import { count, inOneLine, note, printJson, say, visible } from '../print.ts';
import { homeOf, type Terminal } from '../terminal.ts';
import { agentNamed, consentOf } from './agent.ts';
import { follow } from './progress.ts';
import { placeOf, type PlaceOptions, withPlace } from './place.ts';

/** `reverie models examine NAME`: how a model does on questions whose answers are known. */
export function addExamine(models: Command, terminal: Terminal): void {
  withPlace(models.command('examine'))
    .description('examine a model with made-up notes; nothing of your memory is sent')
    .argument('<name>', 'as its server names it, or a coding agent such as claude-code')
    .addOption(yesOption())
    .addOption(jsonOption())
    .action(async (name: string, options: PlaceOptions & { yes?: true; json?: true }) => {
      const agent = agentNamed(name, options);
      const what = `${inOneLine(name)} is asked some forty questions about made-up notes, which its login pays for.`;
      const yes = !agent || options.yes === true;
      refuseUnasked(terminal, { what, yes });
      const { client } = await connect(homeOf(terminal), terminal.env);
      if (agent) await consentOf(client, agent);
      if (!(await agreed(terminal, { what, type: 'yes', yes }))) {
        terminal.exitCode = 1;
        return note(terminal, 'Nothing was asked.');
      }
      const place = agent
        ? { ...agent, consent: true }
        : { server: (await placeOf(client, name, options)).server, name };
      const examined = await examine(terminal, client, { ...place, ...beyondOf(options) });
      if (options.json) return printJson(terminal, examined);
      sayExamined(terminal, examined);
    });
}

/** Whether another machine may be asked, as the contract has it. */
export function beyondOf({ beyondThisMachine }: PlaceOptions): { beyond_this_machine: boolean } {
  return { beyond_this_machine: beyondThisMachine === true };
}

/** Examines a model and shows how far that is; exits 1 where it did not come to an end. */
export async function examine(
  terminal: Terminal,
  client: Client,
  body: { server: string; name: string; beyond_this_machine: boolean; consent?: boolean },
): Promise<Examination | null> {
  await client(examineModel, { body });
  const examined = await follow<Examination>(terminal, client, {
    what: `Examining ${inOneLine(body.name)}`,
    of: (state) => state.examination,
    far: ({ done, total, right }) => ({
      share: total > 0 ? done / total : 0,
      about: `${done} of ${total}, ${right} right`,
    }),
    stop: () => client(stopExamining, {}),
  });
  if (examined?.status !== 'done') terminal.exitCode = 1;
  return examined;
}

/** What came of an examination, in words. */
export function sayExamined(terminal: Terminal, examined: Examination | null): void {
  if (examined?.status !== 'done') {
    const how = examined?.status === 'stopped' ? 'The examination was stopped.' : 'The examination failed.';
    return note(terminal, `${how}${examined?.error ? ` ${visible(examined.error)}` : ''}`);
  }
  const { verdict, right, wrong, declined_rightly: declined, seconds_median: seconds, tokens } = examined;
  say(terminal, `${inOneLine(examined.name)}: ${visible(verdict ?? 'no verdict')}`);
  const pace = seconds === null ? '' : `, ${seconds.toFixed(1)} s a question`;
  say(
    terminal,
    `${right} of ${right + wrong} right (${declined} of them declined as they should be)${pace}, ${count(tokens, 'token')}`,
  );
}

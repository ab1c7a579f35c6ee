import type { Command } from 'commander';
import { type Examination, type ModelPart, useModel } from '@reverie/shared/contract/system/models';
import { agreed, refuseUnasked } from '../confirm.ts';
import { connect } from '../connection.ts';
import { jsonOption, yesOption } from '../options.ts';
import { inOneLine, note, printJson } from '../print.ts';
import { homeOf, type Terminal } from '../terminal.ts';
import { agentNamed, useAgent } from './agent.ts';
import { beyondOf, examine, sayExamined } from './examine.ts';
import { partsOption } from './parts.ts';
import { placeOf, type PlaceOptions, withPlace } from './place.ts';
import { sayUses } from './show.ts';

interface Options extends PlaceOptions {
  for?: ModelPart[];
  yes?: true;
  json?: true;
}

/** `reverie models use NAME`: examines a model, asks, and uses it from then on. */
export function addUseModel(models: Command, terminal: Terminal): void {
  withPlace(models.command('use'))
    .description('examine a model, or agree to use a coding agent, then use it; it applies at once')
    .argument('<name>', 'as its server names it, or a coding agent such as claude-code')
    .addOption(partsOption('what to use it for (else ask,dreams, or vectors for one that embeds)'))
    .addOption(yesOption())
    .addOption(jsonOption())
    .action(async (name: string, options: Options) => {
      const yes = options.yes === true;
      const agent = agentNamed(name, options);
      const after = agent ? 'what is sent to whom' : 'how it does';
      refuseUnasked(terminal, { what: `${inOneLine(name)} is used after you have seen ${after}.`, yes });
      const { client } = await connect(homeOf(terminal), terminal.env);
      if (agent)
        return useAgent(terminal, client, { agent, for: options.for, yes, json: options.json === true });
      const { server, model } = await placeOf(client, name, options);
      const embeds = model?.can.includes('vectors') === true && !model.can.includes('chat');
      const parts: ModelPart[] = options.for ?? (embeds ? ['vectors'] : ['ask', 'dreams']);
      const beyond = beyondOf(options);
      // As its server names it: `embeddinggemma` is `embeddinggemma:latest`.
      const wanted = { server, name: model?.name ?? name, ...beyond };
      const examined = await examine(terminal, client, wanted);
      if (!options.json || examined?.status !== 'done') sayExamined(terminal, examined);
      if (examined?.status !== 'done') return;
      const what = `${inOneLine(wanted.name)} at ${server} is used for ${parts.join(', ')} from then on.${unfit(examined, parts)}`;
      if (!(await agreed(terminal, { what, type: 'yes', yes }))) {
        terminal.exitCode = 1;
        return note(terminal, 'Nothing was changed.');
      }
      const state = await client(useModel, { body: { ...wanted, for: parts } });
      if (options.json) return printJson(terminal, state);
      sayUses(terminal, state);
    });
}

function unfit({ fit_for }: Examination, parts: readonly ModelPart[]): string {
  const not = parts.filter((part) => !fit_for.includes(part));
  return not.length === 0 ? '' : ` The examination does not find it fit for ${not.join(', ')}.`;
}

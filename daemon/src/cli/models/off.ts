import type { Command } from 'commander';
import { type ModelPart, stopUsingModels } from '@reverie/shared/contract/system/models';
import { connect } from '../connection.ts';
import { jsonOption } from '../options.ts';
import { printJson } from '../print.ts';
import { homeOf, type Terminal } from '../terminal.ts';
import { partsOption } from './parts.ts';
import { sayUses } from './show.ts';

/** `reverie models off`: use no model any more. */
export function addModelsOff(models: Command, terminal: Terminal): void {
  models
    .command('off')
    .description('use no model any more; it applies at once')
    .addOption(partsOption('only for these'))
    .addOption(jsonOption())
    .action(async ({ for: parts, json }: { for?: ModelPart[]; json?: true }) => {
      const { client } = await connect(homeOf(terminal), terminal.env);
      const [first, ...others] = parts ?? [];
      let state = await client(stopUsingModels, { query: first === undefined ? {} : { for: first } });
      for (const part of others) state = await client(stopUsingModels, { query: { for: part } });
      if (json) return printJson(terminal, state);
      sayUses(terminal, state);
    });
}

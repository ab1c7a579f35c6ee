import type { Command } from 'commander';
import { addExamine } from './models/examine.ts';
import { addGetModel } from './models/get.ts';
import { addModelsOff } from './models/off.ts';
import { addShowModels } from './models/show.ts';
import { addSheets } from './models/sheets.ts';
import { addUseModel } from './models/use.ts';
import type { Terminal } from './terminal.ts';

const AFTER = `
Examples:
  reverie models                       what is used, what answers on this machine, what can be got
  reverie models get qwen3.5:4b        have Ollama get it; Ctrl-C stops, asking again goes on
  reverie models use qwen3.5:4b        examine it, then ask and dream with it
  reverie models use claude-code       ask and dream with your own login there, once you agree to what is sent
  reverie models use opus --server agent:claude-code   the same with a model that you name
  reverie models use embeddinggemma --for vectors
  reverie models off --for dreams      dream without a model again
  reverie models sheets                what left for a model, and whereto

Nothing is looked for, got or asked before you say so.`;

/** `reverie models [show|get|use|examine|off|sheets]` */
export function addModels(program: Command, terminal: Terminal): void {
  const models = program
    .command('models')
    .description('find, get, examine and use models of this machine; say how they do')
    .addHelpText('after', AFTER);
  for (const add of [addShowModels, addGetModel, addUseModel, addExamine, addModelsOff, addSheets])
    add(models, terminal);
}

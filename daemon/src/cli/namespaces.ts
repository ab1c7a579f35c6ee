import type { Command } from 'commander';
import { Argument } from 'commander';
import {
  listNamespaces,
  type NamespaceModels,
  namespaceModels,
  changeNamespace,
} from '@reverie/shared/contract/memories/memories';
import { connect } from './connection.ts';
import { jsonOption } from './options.ts';
import { inOneLine, note, printJson, printTable, say, writtenTime, size } from './print.ts';
import { homeOf, type Terminal } from './terminal.ts';

const AFTER = `
Examples:
  reverie namespaces                      what there is
  reverie namespaces models diary local   only a model on this machine may see the namespace
  reverie namespaces models diary none    no model may
  reverie namespaces models diary any     whichever is in use may`;

/** What each setting is called. */
const MODELS: Readonly<Record<NamespaceModels, string>> = {
  any: 'Any model in use may see it',
  local: 'Only models on this machine may see it',
  none: 'No model may see it',
};

/** `reverie namespaces [models NAME any|local|none]` */
export function addNamespaces(program: Command, terminal: Terminal): void {
  const namespaces = program
    .command('namespaces')
    .description('list the namespaces and what they hold; say which models may see one')
    .addHelpText('after', AFTER);
  addList(namespaces, terminal);
  addModels(namespaces, terminal);
}

function addList(namespaces: Command, terminal: Terminal): void {
  namespaces
    .command('list', { isDefault: true })
    .description('what `reverie namespaces` alone does')
    .addOption(jsonOption())
    .action(async ({ json }: { json?: true }) => {
      const { client } = await connect(homeOf(terminal), terminal.env);
      const reply = await client(listNamespaces, {});
      if (json) return printJson(terminal, reply);
      const isTTY = terminal.stdout.isTTY;
      printTable(
        terminal,
        ['Namespace', 'Memories', 'Size', 'Changed', 'Models'],
        reply.namespaces.map(({ namespace, count, bytes, updated_at, models = 'any' }) => [
          namespace,
          String(count),
          isTTY ? size(bytes) : String(bytes),
          isTTY ? writtenTime(updated_at) : updated_at,
          models,
        ]),
      );
      if (isTTY && reply.namespaces.length === 0)
        note(terminal, 'There are no memories yet. `reverie import ~/notes` brings your own.');
    });
}

function addModels(namespaces: Command, terminal: Terminal): void {
  namespaces
    .command('models')
    .description('say which models may see a namespace; it holds from the next question on')
    .argument('<name>', 'the namespace; it may be empty still')
    .addArgument(
      new Argument('<which>', 'any, local (on this machine) or none').choices([...namespaceModels]),
    )
    .addOption(jsonOption())
    .action(async (namespace: string, models: NamespaceModels, { json }: { json?: true }) => {
      const { client } = await connect(homeOf(terminal), terminal.env);
      const reply = await client(changeNamespace, { params: { namespace }, body: { models } });
      if (json) return printJson(terminal, reply);
      say(terminal, `${inOneLine(reply.namespace)}: ${MODELS[reply.models]}.`);
    });
}

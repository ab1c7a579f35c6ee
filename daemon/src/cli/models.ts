import type { Command } from 'commander';
import { status } from '@reverie/shared/contract/system';
import { connect } from './connection.ts';
import { jsonOption } from './options.ts';
import { printJson, say, shortTime } from './print.ts';
import { homeOf, type Terminal } from './terminal.ts';

interface State {
  state: 'ok' | 'catching_up' | 'down';
  since: string;
  error: string | null;
}

/** `reverie models`: which models are used, and how their servers do. */
export function addModels(program: Command, terminal: Terminal): void {
  program
    .command('models')
    .description('say which models are used, and how they do')
    .addOption(jsonOption())
    .action(async ({ json }: { json?: true }) => {
      const { client } = await connect(homeOf(terminal), terminal.env);
      const { embedder, language_model: language } = await client(status, {});
      if (json) return printJson(terminal, { embedder, language_model: language });
      const progress = `${embedder.embedded} of ${embedder.total} chunks embedded`;
      say(terminal, `Embedder:       ${embedder.model}, ${stateOf(embedder)}; ${progress}`);
      say(
        terminal,
        language
          ? `Language model: ${language.model}, ${stateOf(language)}`
          : 'Language model: none; answers are quoted. Set llm.base_url and llm.model to have them put into words.',
      );
    });
}

const WORDS = { ok: 'it is well', catching_up: 'it is catching up', down: 'it is down' } as const;

function stateOf({ state, since, error }: State): string {
  return `${WORDS[state]} since ${shortTime(since)}${error === null ? '' : `: ${error}`}`;
}

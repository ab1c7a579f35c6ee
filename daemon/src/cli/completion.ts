import { Argument, type Command, Option } from 'commander';
import type { Client } from '@reverie/shared/client';
import { listInsights } from '@reverie/shared/contract/dreams/dreams';
import { listNamespaces } from '@reverie/shared/contract/memories/memories';
import { memoryKeys } from '@reverie/shared/contract/memories/memory-keys';
import { listSessions, sessionAgents } from '@reverie/shared/contract/sessions/sessions';
import { listWebhooks } from '@reverie/shared/contract/events/webhooks';
import { settings } from '../config/config.ts';
import { connect } from './connection.ts';
import { namespaceIn } from './options.ts';
import { inOneLine, say, visible } from './print.ts';
import { homeOf, type Terminal } from './terminal.ts';

/** Longer than this nobody waits for a key after Tab, ms. */
const PATIENCE = 700;
const MOST = 200;

const AFTER = `
Put it where your shell looks:
  bash   echo 'eval "$(reverie completion bash)"' >> ~/.bashrc
  zsh    echo 'eval "$(reverie completion zsh)"' >> ~/.zshrc     (below compinit)
  fish   reverie completion fish > ~/.config/fish/completions/reverie.fish`;

/** What each shell runs at Tab: it asks `reverie complete` with the words so far, a candidate a line. */
const SCRIPTS = {
  bash: `_reverie() {
  local line
  COMPREPLY=()
  # A key may hold colons, at which readline would take it apart.
  COMP_WORDBREAKS=\${COMP_WORDBREAKS//:}
  while IFS= read -r line; do COMPREPLY+=("$(printf '%q' "\${line%%$'\\t'*}")"); done < <(reverie complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _reverie reverie
`,
  zsh: `#compdef reverie
_reverie() {
  local -a found described
  local line
  found=("\${(@f)$(reverie complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  for line in $found; do
    [[ -n $line ]] && described+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done
  if (( $#described )); then _describe -V reverie described; else _files; fi
}
compdef _reverie reverie
`,
  fish: `function __reverie_complete
  set -l words (commandline -opc) (commandline -ct)
  reverie complete -- $words[2..-1] 2>/dev/null
end
complete -c reverie -f -a '(__reverie_complete)'
complete -c reverie -F -n '__fish_seen_subcommand_from import export backup restore'
`,
} as const;
const shells = Object.keys(SCRIPTS) as (keyof typeof SCRIPTS)[];

/** `reverie completion SHELL`, and what its script asks for the words at the cursor. */
export function addCompletion(program: Command, terminal: Terminal): void {
  program
    .command('completion')
    .description('print what completes commands, options and keys at Tab, for your shell')
    .addArgument(new Argument('<shell>', 'which one').choices(shells))
    .addHelpText('after', AFTER)
    .action((shell: keyof typeof SCRIPTS) => void terminal.stdout.write(SCRIPTS[shell]));
  program
    .command('complete', { hidden: true })
    .description('print what may stand in place of the last word, for the scripts of `reverie completion`')
    .argument('[words...]', 'what is typed so far')
    .action(async (words: string[]) => {
      for (const { word, about } of await candidates(program, terminal, words))
        say(terminal, `${visible(word)}\t${about}`);
    });
}

interface Candidate {
  word: string;
  about: string;
}

/** What the last word may become. */
async function candidates(
  program: Command,
  terminal: Terminal,
  words: readonly string[],
): Promise<Candidate[]> {
  const last = words.at(-1) ?? '';
  const found = await wanted(placeOf(program, words.slice(0, -1)), terminal, last);
  return found.filter(({ word }) => word.startsWith(last) && !/[\n\t]/.test(word)).slice(0, MOST);
}

/** Where the last word stands. */
interface Place {
  command: Command;
  /** The option whose value it is. */
  option: Option | undefined;
  /** Arguments before it. */
  given: string[];
  /** Values of options before it, by name. */
  values: Map<string, string>;
}

function placeOf(program: Command, before: readonly string[]): Place {
  const place: Place = { command: program, option: undefined, given: [], values: new Map() };
  for (const word of before) {
    if (place.option) {
      place.values.set(place.option.attributeName(), word);
      place.option = undefined;
      continue;
    }
    if (word.startsWith('-') && word !== '-') {
      place.option = optionsOf(place.command).find(
        (one) => (one.short === word || one.long === word) && one.required,
      );
      continue;
    }
    const below = place.given.length === 0 && place.command.commands.find((one) => one.name() === word);
    if (below) place.command = below;
    else place.given.push(word);
  }
  return place;
}

/** Those of a command and of what it stands below: `--home` is taken everywhere. */
function optionsOf(command: Command): readonly Option[] {
  return [...command.options, ...(command.parent ? optionsOf(command.parent) : [])];
}

async function wanted(place: Place, terminal: Terminal, last: string): Promise<Candidate[]> {
  const { command, option, given } = place;
  if (option) return valuesOf(option.attributeName(), option.argChoices, { place, terminal, last });
  if (last.startsWith('-'))
    return [...optionsOf(command), new Option('--help', 'show this help')].map((one) => ({
      word: one.long ?? one.flags,
      about: one.description,
    }));
  const visibleOnes = command.createHelp().visibleCommands(command);
  if (visibleOnes.length > 0 && given.length === 0)
    return visibleOnes.map((one) => ({ word: one.name(), about: one.description() }));
  const argument = command.registeredArguments[given.length] ?? command.registeredArguments.at(-1);
  if (!argument || (given.length >= command.registeredArguments.length && !argument.variadic)) return [];
  return valuesOf(argument.name(), argument.argChoices, { place, terminal, last });
}

interface Asked {
  place: Place;
  terminal: Terminal;
  last: string;
}

/** The values that an argument or option of this name may have. */
async function valuesOf(
  name: string,
  choices: readonly string[] | undefined,
  { place, terminal, last }: Asked,
): Promise<Candidate[]> {
  if (choices) return choices.map((word) => ({ word, about: '' }));
  const { env } = terminal;
  if (name === 'setting')
    return settings().map((one) => ({ word: one.name, about: one.schema.description ?? '' }));
  const home = place.values.get('home');
  const ask = (look: (client: Client) => Promise<Candidate[]>) =>
    withinPatience(terminal, home === undefined ? env : { ...env, REVERIE_HOME: home }, look);
  if (name === 'namespace')
    return ask(async (client) =>
      (await client(listNamespaces, {})).namespaces.map((one) => ({
        word: one.namespace,
        about: `${one.count}`,
      })),
    );
  if (name === 'key' && place.command.parent?.name() === 'reverie') {
    const namespace = place.values.get('namespace') ?? namespaceIn(env) ?? 'default';
    const query = { namespace, limit: MOST, ...(last !== '' && { prefix: last }) };
    return ask(async (client) =>
      (await client(memoryKeys, { query })).keys.map((word) => ({ word, about: '' })),
    );
  }
  if (name === 'id' && place.command.parent?.name() === 'webhooks')
    return ask(async (client) =>
      (await client(listWebhooks, {})).webhooks.map(({ id, url }) => ({ word: id, about: url })),
    );
  if (name === 'id' && place.command.parent?.name() === 'dream') {
    const proposed = { status: 'proposed' } as const;
    const only = place.command.name() === 'undo' ? {} : proposed;
    if (place.command.name() !== 'cancel')
      return ask(async (client) =>
        (await client(listInsights, { query: { limit: MOST, order: 'kind', ...only } })).insights.map(
          ({ id, title }) => ({
            word: id,
            about: inOneLine(title),
          }),
        ),
      );
  }
  if (place.command.parent?.name() === 'sessions') {
    if (name === 'agent') return sessionAgents.map((word) => ({ word, about: '' }));
    if (name === 'id' || name === 'session')
      return ask(async (client) =>
        (await client(listSessions, { query: { limit: MOST } })).sessions.map(({ id, title }) => ({
          word: id,
          about: inOneLine(title),
        })),
      );
  }
  return [];
}

/** What the daemon says in time; nothing where it does not run or is slow, for at Tab nobody wants to be told why. */
async function withinPatience(
  terminal: Terminal,
  env: NodeJS.ProcessEnv,
  look: (client: Client) => Promise<Candidate[]>,
): Promise<Candidate[]> {
  const late = new Promise<Candidate[]>((resolve) => setTimeout(resolve, PATIENCE, []).unref());
  const found = connect(homeOf({ ...terminal, env }), env)
    .then(({ client }) => look(client))
    .catch(() => []);
  return Promise.race([found, late]);
}

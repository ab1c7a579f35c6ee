import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Command } from 'commander';
import type { Client } from '@reverie/shared/client';
import { Namespace } from '@reverie/shared/contract/fields';
import type { Received, Sent } from '@reverie/shared/contract/route';
import { readTexts } from '@reverie/shared/contract/system/models';
import { importMemories, type PortableMemory } from '@reverie/shared/contract/memories/portable';
import { projectOf } from '../platform/project.ts';
import { connect } from './connection.ts';
import { jsonOption, namespaceIn } from './options.ts';
import { count, note, paint, printJson, quoted, say, visible } from './print.ts';
import { homeOf, type Terminal, UsageError } from './terminal.ts';

interface Options {
  namespace?: string;
  yes?: true;
  withModel?: true;
  undo?: true;
  json?: true;
}

const AFTER = `
It reads the last commit, not what is only in your working folder: README, CONTRIBUTING, AGENTS.md and the like, records of
decisions, scripts, and what runs for pull requests. Nothing is stored before you have seen it.
Run it again after a while: it shows what is new or changed. What you edited since stays as it is, and what you deleted stays away.

Examples:
  reverie start-from-git                  look at the repository of this folder, and choose
  reverie start-from-git ~/src/shop --yes
  reverie start-from-git --undo           all of it to the trash, but what was edited`;

/** `reverie start-from-git [FOLDER]`: a first brief of a project, out of its own repository. */
export function addStartFromGit(program: Command, terminal: Terminal): void {
  program
    .command('start-from-git')
    .description(
      'propose memories of a project from what its Git repository says, and store those you choose',
    )
    .addHelpText('after', AFTER)
    .argument('[folder]', 'a folder of the repository', '.')
    .option('-n, --namespace <name>', 'the namespace, instead of that of the project')
    .option('-y, --yes', 'store all of them')
    .option('--with-model', 'have the language model that is set read the texts, too, where one is')
    .option('--undo', 'move to the trash what came from there; what was edited here stays')
    .addOption(jsonOption())
    .action((folder: string, options: Options) =>
      options.undo ? undo(terminal, folder, options) : propose(terminal, folder, options),
    );
}

/** The namespace that agents use in this folder: see `reverie mcp`. */
function namespaceOf({ env }: Terminal, folder: string, given: string | undefined): string {
  if (given !== undefined) {
    const parsed = Namespace.safeParse(given);
    if (parsed.success) return parsed.data;
    throw new UsageError(`The namespace ${parsed.error.issues[0]?.message ?? 'is none'}.`);
  }
  const namespace = namespaceIn(env) ?? projectOf(path.resolve(folder))?.namespace;
  if (namespace !== undefined) return namespace;
  throw new UsageError(`${folder} is no working folder of a Git repository: name the namespace with -n.`);
}

type Item = PortableMemory & { state: 'new' | 'changed' };

async function propose(terminal: Terminal, folder: string, options: Options): Promise<void> {
  const namespace = namespaceOf(terminal, folder, options.namespace);
  const { client } = await connect(homeOf(terminal), terminal.env);
  const { briefOf, gistsOf, memoriesOf } = await import('../portable/repository/brief.ts');
  const brief = await briefOf(folder, terminal.env);
  const known = brief.proposals.map(({ text }) => text.slice(0, 2_000));
  const found = options.withModel
    ? await askModel(terminal, client, { namespace, texts: await brief.texts(), known })
    : [];
  const items = memoriesOf(namespace, [...brief.proposals, ...gistsOf(found)]);
  const { fresh, outcomes } = await compare(client, items);
  if (!options.json) {
    note(
      terminal,
      `Read ${count(brief.files, 'text')}${options.withModel ? ` and ${count(brief.commits, 'commit')}` : ''}${brief.redacted > 0 ? `; ${count(brief.redacted, 'secret')} taken out` : ''}.`,
    );
    for (const [at, item] of fresh.entries()) show(terminal, item, at + 1);
  }
  const chosen = options.yes ? fresh : options.json ? [] : await choose(terminal, fresh);
  const stored = await store(client, chosen);
  if (options.json) {
    const proposals = fresh.map(({ key, value, metadata, state }) => ({ key, value, metadata, state }));
    return printJson(terminal, {
      namespace,
      proposals,
      stored,
      unchanged: outcomes.unchanged,
      kept: outcomes.kept,
      deleted_here: outcomes.deleted_here,
    });
  }
  tell(terminal, { namespace, folder, fresh, stored, outcomes, options });
}

/** Has the model that is set read the texts; where none may, says why, and goes on without. */
async function askModel(
  terminal: Terminal,
  client: Client,
  body: Sent<typeof readTexts>['body'],
): Promise<Received<typeof readTexts>['found']> {
  if (body.texts.length === 0) return [];
  const { found, model, why, unread, unfounded } = await client(readTexts, { body });
  note(
    terminal,
    why === null
      ? `${model ?? ''} read ${count(body.texts.length - unread, 'text')} and found ${found.length} more; ${unfounded} had no quote that stands there.`
      : `No model has read it: ${why}.`,
  );
  return found;
}

type Outcomes = Record<'unchanged' | 'kept' | 'deleted_here', number>;

/** Asks what an import would do with each: what is known already, was edited here or was deleted here is not proposed. */
async function compare(
  client: Client,
  items: readonly PortableMemory[],
): Promise<{ fresh: Item[]; outcomes: Outcomes }> {
  if (items.length === 0) return { fresh: [], outcomes: { unchanged: 0, kept: 0, deleted_here: 0 } };
  const reply = await client(importMemories, { body: { items: [...items], dry_run: true } });
  const fresh = items.flatMap((item, at): Item[] => {
    const outcome = reply.outcomes[at];
    if (outcome === 'created' || outcome === 'restored') return [{ ...item, state: 'new' }];
    return outcome === 'updated' ? [{ ...item, state: 'changed' }] : [];
  });
  return { fresh, outcomes: reply };
}

function show(terminal: Terminal, { key, value, metadata, state }: Item, number: number): void {
  const source = typeof metadata?.['source'] === 'string' ? metadata['source'] : '';
  const changed = state === 'changed' ? ' (changed)' : '';
  say(terminal, `${String(number).padStart(2)}  ${paint(terminal, 'bold', visible(key))}${changed}`);
  for (const line of visible(value).split('\n')) say(terminal, `    ${line}`);
  say(terminal, `    from ${visible(source)}\n`);
}

/** Asks which ones to store; nobody is asked where nobody is there. */
async function choose(terminal: Terminal, fresh: readonly Item[]): Promise<readonly Item[]> {
  if (!terminal.stdin.isTTY || fresh.length === 0) return [];
  const lines = createInterface({ input: terminal.stdin, terminal: false });
  try {
    const typed = lines[Symbol.asyncIterator]();
    for (;;) {
      terminal.stderr.write('Store which? all, none, or numbers such as 1 3-5: ');
      const { value, done } = await typed.next();
      // Whoever closes the input has chosen none.
      const chosen = numbersIn(done === true ? 'none' : value.trim(), fresh.length);
      if (chosen) return fresh.filter((_, at) => chosen.has(at + 1));
      note(terminal, `It must be all, none, or numbers from 1 to ${fresh.length}.`);
    }
  } finally {
    lines.close();
  }
}

/** The numbers that an answer names; undefined for one that names something else. */
function numbersIn(answer: string, most: number): Set<number> | undefined {
  if (answer === 'none') return new Set();
  const ranges = answer === 'all' ? [`1-${most}`] : answer.split(/[\s,]+/u).filter((part) => part !== '');
  const chosen = new Set<number>();
  for (const range of ranges) {
    const [, first, last = first] = /^(\d{1,4})(?:-(\d{1,4}))?$/u.exec(range) ?? [];
    const [from, to] = [Number(first), Number(last)];
    if (!(from >= 1 && from <= to && to <= most)) return undefined;
    for (let number = from; number <= to; number += 1) chosen.add(number);
  }
  return ranges.length === 0 ? undefined : chosen;
}

async function store(client: Client, chosen: readonly Item[]): Promise<number> {
  if (chosen.length === 0) return 0;
  // Of one moment, so that a brief, which tells the newest first, keeps the order in which they were shown.
  const now = new Date().toISOString();
  const items = chosen.map(({ state, ...item }) => {
    if (item.created_at !== undefined) return item;
    return { ...item, updated_at: now, ...(state === 'new' && { created_at: now }) };
  });
  const reply = await client(importMemories, { body: { items } }, { idempotencyKey: randomUUID() });
  return reply.created + reply.updated + reply.restored;
}

interface Told {
  namespace: string;
  folder: string;
  fresh: readonly Item[];
  stored: number;
  outcomes: Outcomes;
  options: Options;
}

function tell(terminal: Terminal, { namespace, folder, fresh, stored, outcomes, options }: Told): void {
  const { unchanged, kept, deleted_here } = outcomes;
  const before = [
    ...(unchanged > 0 ? [`${unchanged} are there already`] : []),
    ...(kept > 0 ? [`${kept} you have in your own words`] : []),
    ...(deleted_here > 0 ? [`${deleted_here} you deleted`] : []),
  ];
  if (before.length > 0) note(terminal, `Not shown: ${before.join(', ')}.`);
  if (fresh.length === 0) return say(terminal, `Nothing new for ${namespace}.`);
  if (stored === 0)
    return say(terminal, `Nothing was stored${terminal.stdin.isTTY ? '' : ': --yes stores all of it'}.`);
  say(terminal, `Stored ${count(stored, 'memory', 'memories')} in ${namespace}.`);
  const where = [
    ...(folder === '.' ? [] : [quoted(folder)]),
    ...(options.namespace === undefined ? [] : ['-n', quoted(options.namespace)]),
  ];
  note(terminal, `\`${['reverie start-from-git', ...where, '--undo'].join(' ')}\` takes them back.`);
}

async function undo(terminal: Terminal, folder: string, options: Options): Promise<void> {
  const namespace = namespaceOf(terminal, folder, options.namespace);
  const { client } = await connect(homeOf(terminal), terminal.env);
  const [{ sourceRoot }, { knownOf, prune }] = await Promise.all([
    import('../portable/repository/brief.ts'),
    import('../portable/vanished.ts'),
  ]);
  const known = await knownOf(client, [{ kind: 'records', root: sourceRoot(namespace), file: folder }]);
  const { signal } = new AbortController();
  const { pruned, kept } = await prune(
    client,
    known.flatMap(({ sources }) => sources),
    { dryRun: false, signal },
  );
  if (options.json) return printJson(terminal, { namespace, pruned, kept });
  say(terminal, `Moved ${count(pruned.length, 'memory', 'memories')} of ${namespace} to the trash.`);
  if (kept.length > 0) note(terminal, `Edited here, so they stay: ${kept.map(({ key }) => key).join(', ')}.`);
}

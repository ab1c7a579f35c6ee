/**
 * Drives the real coding agents that are installed, against a fake model, in a network of their own without a way out: as a person runs them
 * who uses Reverie, and as models of a daemon.
 *
 *   npm run test:agents -- [--agents FOLDER] [--only claude-code,codex,…] [--as users|models] [--markdown FILE] [--keep]
 *
 * `FOLDER` has their commands (`npm i @anthropic-ai/claude-code @openai/codex @google/gemini-cli opencode-ai @opencode-ai/plugin
 * @github/copilot @qwen-code/qwen-code @earendil-works/pi-coding-agent` in an empty folder puts them into its node_modules/.bin); without it they are looked for on the PATH.
 * `--markdown` writes what held into a section of a file, `--keep` leaves the homes to look at. Exits with 1 where something was not as it
 * should be, and says what it skipped. Linux alone: it needs `unshare`, `ip` and `tmux`.
 */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { agentKinds } from '@reverie/shared/contract/system/models';
import { tryAgents } from './scenarios.ts';
import { REAL_AGENTS } from './users/agents.ts';
import { faultsIn, writeMarkdown } from './users/report.ts';
import { runUsers } from './users/users.ts';

const names = [...new Set([...REAL_AGENTS.map(({ name }) => name), ...agentKinds])];
const { values: options } = parseArgs({
  options: {
    agents: { type: 'string' },
    only: { type: 'string', default: names.join(',') },
    as: { type: 'string', default: 'users,models' },
    markdown: { type: 'string' },
    keep: { type: 'boolean', default: false },
    inside: { type: 'boolean', default: false },
  },
});
const kinds = options.only.split(',');
const unknown = kinds.filter((kind) => !names.some((name) => name === kind));
if (unknown.length > 0) {
  process.stderr.write(`There is no agent ${unknown.join(', ')}; there are ${names.join(', ')}.\n`);
  process.exit(2);
}
if (options.inside) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'reverie-agents-'));
  // What is left behind is looked for there.
  process.env['TMPDIR'] = path.join(folder, 'tmp');
  const say = (line: string) => process.stdout.write(`${line}\n`);
  const agents = options.agents === undefined ? undefined : path.resolve(options.agents);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));
  let faults = 0;
  try {
    if (options.as.includes('users')) {
      const runs = await runUsers({ folder, agents, names: kinds, say });
      faults += faultsIn(runs);
      if (options.markdown !== undefined) await writeMarkdown(options.markdown, runs);
    }
    if (options.as.includes('models'))
      faults += await tryAgents({
        folder,
        agents,
        kinds: agentKinds.filter((kind) => kinds.includes(kind)),
        say,
      });
    say(faults === 0 ? 'Everything was as it should be.' : `${faults} things were not as they should be.`);
    process.exitCode = faults === 0 ? 0 : 1;
  } finally {
    if (options.keep) say(`The homes are in ${folder}.`);
    else fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
  process.exit();
}
// A user namespace too: a person is no administrator.
const again = [process.execPath, ...process.argv.slice(1), '--inside'];
const { status, error } = spawnSync(
  'unshare',
  ['-rn', 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh', ...again],
  {
    stdio: 'inherit',
  },
);
if (error)
  process.stderr.write(`No network of its own could be made (${error.message}): it needs unshare and ip.\n`);
process.exit(status ?? 2);

/**
 * Drives the real coding agents that are installed as models of a daemon, against a fake model, in a network of their own without a way out:
 *
 *   npm run test:agents -- [--agents FOLDER] [--only claude-code,codex,…]
 *
 * `FOLDER` has their commands (`npm i @anthropic-ai/claude-code @openai/codex @google/gemini-cli opencode-ai @github/copilot
 * @qwen-code/qwen-code` in an empty folder puts them into its node_modules/.bin); without it they are looked for on the PATH. Exits with 1
 * where something was not as it should be, and says what it skipped. Linux alone: it needs `unshare` and `ip`.
 */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { type AgentKind, agentKinds } from '@reverie/shared/contract/models';
import { tryAgents } from './scenarios.ts';

const { values: options } = parseArgs({
  options: {
    agents: { type: 'string' },
    only: { type: 'string', default: agentKinds.join(',') },
    inside: { type: 'boolean', default: false },
  },
});
const kinds = options.only.split(',');
const unknown = kinds.filter((kind) => !agentKinds.includes(kind as AgentKind));
if (unknown.length > 0) {
  process.stderr.write(`There is no agent ${unknown.join(', ')}; there are ${agentKinds.join(', ')}.\n`);
  process.exit(2);
}
if (options.inside) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'reverie-agents-'));
  // What is left behind is looked for there.
  process.env['TMPDIR'] = path.join(folder, 'tmp');
  try {
    const faults = await tryAgents({
      folder,
      agents: options.agents === undefined ? undefined : path.resolve(options.agents),
      kinds: agentKinds.filter((kind) => kinds.includes(kind)),
      say: (line) => process.stdout.write(`${line}\n`),
    });
    process.exitCode = faults === 0 ? 0 : 1;
  } finally {
    fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
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

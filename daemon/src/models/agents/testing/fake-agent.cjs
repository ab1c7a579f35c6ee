// Stands for the command of each coding agent in tests: it is copied under each of their names, prints in that one's form, and does
// what `mode.json` beside it says. Each call is a line of `calls.jsonl`.
'use strict';

const { spawn } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');

const folder = path.dirname(process.argv[1]);
const name = path.basename(process.argv[1]);
const args = process.argv.slice(2);

const VERSIONS = {
  claude: '2.1.332 (Claude Code)',
  codex: 'codex-cli 0.171.0',
  gemini: '0.61.0',
  opencode: '1.18.33',
  copilot: "GitHub Copilot CLI 1.0.102.\nRun 'copilot update' to check for updates.",
  qwen: '0.24.4',
};
const USAGE = { input_tokens: 1000, output_tokens: 34 };

/** An answer as the command prints it. */
function printed(text) {
  switch (name) {
    case 'claude':
      return JSON.stringify({ type: 'result', is_error: false, result: text, usage: USAGE });
    case 'codex':
      return lines(
        { type: 'thread.started' },
        { type: 'item.completed', item: { type: 'error', message: 'a warning' } },
        { type: 'item.completed', item: { type: 'agent_message', text } },
        { type: 'turn.completed', usage: USAGE },
      );
    case 'gemini':
      return JSON.stringify(
        { response: text, stats: { models: { pro: { tokens: { total: 1034 } } } } },
        null,
        2,
      );
    case 'opencode':
      return lines(
        { type: 'step_start', part: {} },
        { type: 'text', part: { text } },
        {
          type: 'step_finish',
          part: { tokens: { input: 1000, output: 34, reasoning: 0, cache: { read: 0, write: 0 } } },
        },
      );
    case 'copilot': {
      const usage = { modelMetrics: { some: { usage: { inputTokens: 1000, outputTokens: 34 } } } };
      const option = args.find((arg) => arg.startsWith('--usage-output-file='));
      fs.writeFileSync(option.slice(option.indexOf('=') + 1), JSON.stringify(usage));
      return lines({ type: 'assistant.message', data: { content: text } }, { type: 'result', exitCode: 0 });
    }
    default:
      return JSON.stringify([
        { type: 'system' },
        { type: 'result', is_error: false, result: text, usage: USAGE },
      ]);
  }
}

function lines(...values) {
  return `${values.map((value) => JSON.stringify(value)).join('\n')}\n`;
}

/** What it says where nobody is logged in. */
function loggedOut() {
  switch (name) {
    case 'claude':
      return {
        out: JSON.stringify({
          type: 'result',
          is_error: true,
          result: 'Invalid API key · Please run /login',
        }),
      };
    case 'codex':
      return {
        out: lines({
          type: 'turn.failed',
          error: { message: 'unexpected status 401 Unauthorized: sk-secret' },
        }),
      };
    case 'gemini':
      return {
        err: JSON.stringify({ error: { message: 'Please set an Auth method in your settings', code: 41 } }),
      };
    case 'opencode':
      return { out: lines({ type: 'error', error: { name: 'APIError', data: { statusCode: 401 } } }) };
    case 'copilot':
      return { err: 'Error: No authentication information found.' };
    default:
      return {
        out: JSON.stringify([
          { type: 'result', is_error: true, error: { message: 'No auth type is selected.' } },
        ]),
      };
  }
}

function behave(mode, stdin) {
  switch (mode.kind) {
    case 'hang': {
      // It does not care to be told to end, and neither does what it started.
      process.on('SIGTERM', () => undefined);
      const child = spawn(process.execPath, [
        '-e',
        "process.on('SIGTERM', () => undefined); setInterval(() => undefined, 1000)",
      ]);
      fs.writeFileSync(path.join(folder, 'pids.json'), JSON.stringify([process.pid, child.pid]));
      setInterval(() => undefined, 1000);
      return;
    }
    case 'logged-out': {
      const { out = '', err = '' } = loggedOut();
      process.stdout.write(out);
      process.stderr.write(err);
      process.exitCode = 1;
      return;
    }
    case 'slow':
      setTimeout(() => process.stdout.write(printed(mode.text)), 1000);
      return;
    case 'killed':
      process.kill(process.pid, 'SIGKILL');
      return;
    case 'broken':
      process.stderr.write('Segmentation fault');
      process.exitCode = 139;
      return;
    case 'huge':
      process.stdout.write(printed('x'.repeat(3 * 2 ** 20)));
      return;
    case 'garbage':
      process.stdout.write(printed('I would rather not say.'));
      return;
    default:
      // Asked for a word, it says it.
      process.stdout.write(printed(stdin.includes('Answer {"yes": true}') ? '{"yes": true}' : mode.text));
  }
}

if (args[0] === '--version') process.stdout.write(`${VERSIONS[name]}\n`);
else {
  const stdin = fs.readFileSync(0, 'utf8');
  const call = {
    name,
    args,
    stdin,
    cwd: process.cwd(),
    files: fs.readdirSync('.'),
    inside: process.env.REVERIE_INSIDE_MODEL,
  };
  const env = Object.keys(process.env).filter((one) => one.startsWith('REVERIE_'));
  fs.appendFileSync(path.join(folder, 'calls.jsonl'), `${JSON.stringify({ ...call, env })}\n`);
  behave(JSON.parse(fs.readFileSync(path.join(folder, 'mode.json'), 'utf8')), stdin);
}

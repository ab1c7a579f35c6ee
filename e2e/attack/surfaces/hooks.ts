import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { hookAgents, hookEvents } from '@reverie/shared/contract/agents/hooks';
import { createKey, revokeKey } from '@reverie/shared/contract/accounts/keys';
import { getMemory } from '@reverie/shared/contract/memories/memories';
import { furnish, signUpBot } from '../fuzz/furnish.ts';
import { secretWord } from '../planted.ts';
import { isWell, jsonBy, shoot, type Shot, type Surface, startLoaded } from './surface.ts';

const PATH = '/v1/agents/hooks';
const rep = (text: string, length: number) => text.repeat(Math.ceil(length / text.length)).slice(0, length);

/** What a person may have pasted, 900 kB of each. */
const PASTED = [
  '1. ',
  '漢。',
  '<',
  'a-',
  '- [ ] x\n',
  '"a" ',
  'Please look at the build and say why the release is late. ',
  'I always use tabs. ',
  '\u0301',
  '\u0000',
  '```\n',
  'http://x/ ',
  'é',
  'a',
  '{"a":[',
  '|a|',
];

/** Hooks: inputs that no agent writes, prompts of 900 kB, folders that are named pipes, and keys that have no business there. */
export const hooks: Surface = {
  name: 'hooks',
  async run(scene) {
    const { section, grounds, random } = scene;
    const daemon = await startLoaded(scene, 'hooks');
    const words = Array.from({ length: 7 }, () => secretWord(random));
    await furnish(daemon.call, { secrets: words, hook: undefined });
    const places = madePlaces(path.join(grounds.folder, 'places'));
    let n = 0;
    const input = (fields: object) =>
      JSON.stringify({
        session_id: `s${(n += 1)}`,
        cwd: '/tmp',
        prompt: 'hello',
        source: 'startup',
        ...fields,
      });
    const call = (
      event: string,
      given: string,
      { key = daemon.ownerKey, ...more }: { key?: string; [field: string]: unknown } = {},
    ) => ({
      method: 'POST',
      path: PATH,
      headers: jsonBy(key),
      body: JSON.stringify({ agent: 'claude-code', event, input: given, ...more }),
    });
    const inputs: [string, string][] = [
      ['nothing', ''],
      ['NUL', '\u0000'],
      ['a byte order mark', `\ufeff${input({})}`],
      ['two marks', `\ufeff\ufeff${input({})}`],
      ['UTF-16 read as latin-1', Buffer.from(`\ufeff${input({})}`, 'utf16le').toString('latin1')],
      ['two objects', `${input({})}\n${input({})}`],
      ['cut', input({}).slice(0, -5)],
      ['null', 'null'],
      ['a list', '[]'],
      ['500,000 brackets', rep('[', 500_000)],
      ['100,000 levels', `${rep('{"a":', 500_000)}1${rep('}', 100_000)}`],
      ['a lone surrogate', input({ prompt: '\ud800' })],
      ['prototype names', '{"__proto__":{"prompt":"x"},"constructor":1,"session_id":"p"}'],
      ['fields of other types', input({ session_id: {}, prompt: [1], cwd: 5, workspace_roots: 'x' })],
      ['100,000 fields', `{${Array.from({ length: 90_000 }, (_, i) => `"f${i}":1`).join(',')}}`],
      ['100,000 roots', input({ workspace_roots: Array(90_000).fill('/tmp') })],
      ['a session of 900 kB', input({ session_id: rep('s', 900_000) })],
    ];
    const cwds = [
      ...Object.values(places),
      '',
      '.',
      '..',
      '\u0000',
      'a\u0000b',
      '/dev/zero',
      '/dev/stdin',
      '/proc/self/fd',
      '/proc/self/mem',
      rep('/a', 4000),
      rep('/../', 4000),
      '//',
      'C:\\',
      '\\\\x\\y',
      '~',
      '\ud800',
      'file:///etc',
    ];
    const events = ['start', 'prompt', 'compact', 'end'] as const;
    const shots: Shot[] = [
      ...inputs.flatMap(([what, given]) =>
        events.map((event) => ({ what: `hook ${event}, ${what}`, sent: call(event, given), mayRead: true })),
      ),
      ...PASTED.map((text) => ({
        what: `hook, a prompt of 900 kB of ${JSON.stringify(text.slice(0, 8))}`,
        sent: call(
          'prompt',
          input({
            prompt: rep(
              text,
              Math.floor(
                900_000 /
                  Math.max(
                    Buffer.byteLength(text) / text.length,
                    JSON.stringify(text).length / text.length - 1,
                  ),
              ),
            ),
          }),
        ),
        mayRead: true,
      })),
      ...cwds.flatMap((cwd) => [
        { what: `hook in ${cwd.slice(-40)}`, sent: call('start', input({ cwd })), mayRead: true },
        {
          what: `hook whose own folder is ${cwd.slice(-40)}`,
          sent: call('prompt', input({ cwd: undefined }), { cwd }),
          mayRead: true,
        },
      ]),
      ...hookAgents.flatMap((agent) =>
        hookEvents.map((event) => ({
          what: `hook of ${agent} at ${event}`,
          sent: call(event, input({ conversation_id: 'c' }), { agent }),
          mayRead: true,
        })),
      ),
      ...['__proto__', '', null, 5, 'Start'].map((event) => ({
        what: `the event ${String(event)}`,
        sent: call(event as string, input({})),
        expected: [400],
      })),
      ...['..', '\u0000', rep('x', 600), '*'].map((namespace) => ({
        what: `the namespace ${namespace.slice(0, 8)}`,
        sent: call('start', input({}), { namespace }),
        mayRead: true,
      })),
      ...[
        Buffer.from(call('start', input({})).body, 'utf16le'),
        Buffer.from(`\ufeff${call('start', input({})).body}`),
        Buffer.from([0xff, 0xfe, 0]),
        'null',
        '[]',
        '',
      ].map((body, m) => ({
        what: `hook, body ${m}`,
        sent: { method: 'POST', path: PATH, headers: jsonBy(daemon.ownerKey), body },
        mayRead: true,
      })),
      {
        what: 'hook of 2 MB',
        sent: call('prompt', input({ prompt: rep('x', 2_000_000) })),
        expected: [400, 413],
      },
    ];
    const secrets = new Set(words);
    await shoot(section, daemon, { secrets, shots });
    const bot = await signUpBot(daemon, 'hooks@example.org');
    const narrow = await daemon.call(createKey, { body: { name: 'narrow', namespaces: ['project/narrow'] } });
    const gone = await daemon.call(createKey, { body: { name: 'gone to be' } });
    await daemon.call(revokeKey, { params: { id: gone.id } });
    await shoot(section, daemon, {
      secrets,
      shots: [
        ['a bot', bot.key, [403]] as const,
        ['a narrower key', narrow.key, undefined] as const,
        ['a revoked key', gone.key, [401]] as const,
        ['nobody', 'rv_live_x', [401]] as const,
      ].flatMap(([who, key, expected]) =>
        events.flatMap((event) =>
          ['private', 'default', 'project/narrow'].map((namespace): Shot => ({
            what: `hook ${event} in ${namespace} by ${who}`,
            sent: call(event, input({ prompt: 'When does the bakery open? What does Ada drive?' }), {
              namespace,
              key,
            }),
            ...(expected && { expected }),
          })),
        ),
      ),
    });
    const kept = await daemon.call(getMemory, { body: { namespace: 'private', key: 'note 1' } });
    section.did('acknowledged writes');
    if (!kept.value.includes('stands here')) section.found('lost', 'a memory says something else');
    await isWell(section, daemon);
  },
};

/** Folders in which a program is easily caught: each is there, and none is a project. */
function madePlaces(folder: string): Record<string, string> {
  const made = (name: string) => {
    const at = path.join(folder, name);
    fs.mkdirSync(at, { recursive: true });
    return at;
  };
  const pipe = (at: string) => execFileSync('mkfifo', [at]);
  const gitPipe = made('git-is-a-pipe');
  pipe(path.join(gitPipe, '.git'));
  const configPipe = made('config-is-a-pipe/.git');
  pipe(path.join(configPipe, 'config'));
  pipe(path.join(configPipe, 'HEAD'));
  const zero = made('config-is-zero/.git');
  fs.symlinkSync('/dev/zero', path.join(zero, 'config'));
  const loop = made('git-is-a-loop');
  fs.symlinkSync('.git', path.join(loop, '.git'));
  const worktree = made('worktree-of-itself');
  fs.writeFileSync(path.join(worktree, '.git'), `gitdir: ${worktree}/.git\n`);
  const elsewhere = made('gitdir-is-a-pipe');
  fs.writeFileSync(path.join(elsewhere, '.git'), `gitdir: ${configPipe}\n`);
  const large = made('config-of-40-mb/.git');
  fs.writeFileSync(path.join(large, 'config'), rep('[remote "origin"]\nurl = x\n', 40_000_000));
  pipe(path.join(made('.'), 'pipe'));
  return {
    gitPipe,
    configPipe: path.dirname(configPipe),
    zero: path.dirname(zero),
    loop,
    worktree,
    elsewhere,
    large: path.dirname(large),
    pipe: path.join(folder, 'pipe'),
  };
}

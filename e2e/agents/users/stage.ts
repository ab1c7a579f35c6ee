import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type Client, createClient } from '@reverie/shared/client';
import { setMemory } from '@reverie/shared/contract/memories/memories';
import { z } from 'zod';
import { furnishHome, KEYS, pointedAt } from '../homes.ts';
import { type FakeModel, startFakeModel } from '../model/fake-model.ts';
import { killOf } from '../processes.ts';
import type { RealAgent } from './agents.ts';
import { type Ended, runCommand } from './commands.ts';
import { createPlay, type Play, type Scene } from './play.ts';
import { KEPT, NAMESPACE, PREFERENCE, PROJECT, type SceneName, scenesIn } from './scenes.ts';
import { openScreen, type Screen } from './screen.ts';

/** The variable by which all that was started for an agent is found: its value is the folder of the stage. */
const MARK = 'REVERIE_AGENT_STAGE';

/** Kills what is left of a stage. */
export function killStage(folder: string): void {
  killOf(`${MARK}=${folder}`);
}
/** Seconds that an agent has for a session without a screen, and our program for a command. */
const [AGENT_SECONDS, OWN_SECONDS] = [180, 60];

/** A home with a daemon, a project and agents that are pointed at a fake model. */
export interface Stage {
  agent: RealAgent;
  /** To which a session is handed over. */
  other: RealAgent;
  home: string;
  project: string;
  scenes: Record<SceneName, Scene>;
  play: Play;
  call: Client;
  /** Runs our program in the project. */
  reverie(...args: readonly string[]): Promise<Ended>;
  /** Runs the agent in the project, without a screen. */
  run(args: readonly string[]): Promise<Ended>;
  /** Runs a line of a shell in the project, in which an agent opens its screen. */
  open(line: string, agent: RealAgent): Promise<Screen>;
  stop(): Promise<void>;
}

const PROGRAM = path.join(import.meta.dirname, '../../../daemon/bin/reverie.cjs');

/** Sets a stage for an agent in an empty folder; `agents` has the commands, undefined for the PATH. */
export async function setStage({
  folder,
  agents,
  agent,
  other,
}: Pick<Stage, 'agent' | 'other'> & { folder: string; agents: string | undefined }): Promise<Stage> {
  const home = path.join(folder, 'home');
  const project = path.join(home, 'work/billing');
  const tmp = path.join(folder, 'tmp');
  for (const one of [project, tmp]) fs.mkdirSync(one, { recursive: true });
  const scenes = scenesIn(project, agent.first ?? []);
  const play = createPlay(Object.values(scenes), (action) =>
    action.kind === 'own' ? action.call : agent.callOf(action),
  );
  const fake = await startFakeModel((request) => play.answer(request));
  const env = environmentOf({ folder, home, tmp, agents, fake });
  furnishHome(home, { origin: fake.origin, project, codexModel: agent.codexModel ?? other.codexModel });
  if (agents !== undefined) bringOpencodePlugin(agents, home);
  const where = { folder: project, env };
  const must = async (...command: string[]) => {
    const { code, stderr } = await runCommand(command, { ...where, seconds: OWN_SECONDS });
    if (code !== 0) throw new Error(`${command.join(' ')}: ${stderr.trim()}`);
  };
  const reverie = async (...args: readonly string[]) =>
    await runCommand([process.execPath, PROGRAM, ...args], { ...where, seconds: OWN_SECONDS });
  await must('git', 'init', '-q', '-b', 'main');
  await must('git', 'remote', 'add', 'origin', `https://${PROJECT}.git`);
  await must('git', 'commit', '-q', '--allow-empty', '-m', 'Begin');
  await must(process.execPath, PROGRAM, 'start', '--background');
  const reverieHome = path.join(home, 'memory');
  const { origin } = z
    .object({ origin: z.string() })
    .parse(JSON.parse(fs.readFileSync(path.join(reverieHome, 'daemon.json'), 'utf8')));
  const key = fs.readFileSync(path.join(reverieHome, 'owner-key'), 'utf8').trim();
  const call = createClient({ origin, key: () => key });
  for (const memory of KEPT) await call(setMemory, { body: { namespace: NAMESPACE, ...memory } });
  await call(setMemory, { body: { ...PREFERENCE, metadata: { tags: ['preference'] } } });
  let screens = 0;
  return {
    agent,
    other,
    home,
    project,
    scenes,
    play,
    call,
    reverie,
    run: async (args) => await runCommand([agent.command, ...args], { ...where, seconds: AGENT_SECONDS }),
    open: async (line, { questions }) => {
      screens += 1;
      return await openScreen(line, { ...where, socket: path.join(tmp, `screen-${screens}`), questions });
    },
    async stop() {
      await reverie('stop');
      killStage(folder);
      fake.stop();
      // For who looks into it later (`--keep`).
      fs.writeFileSync(path.join(folder, 'requests.json'), JSON.stringify(fake.asked, undefined, 1));
    },
  };
}

function environmentOf({
  folder,
  home,
  tmp,
  agents,
  fake,
}: {
  folder: string;
  home: string;
  tmp: string;
  agents: string | undefined;
  fake: FakeModel;
}): NodeJS.ProcessEnv {
  const folders = [agents, path.dirname(process.execPath), process.env['PATH']].filter(Boolean);
  const person = { GIT_AUTHOR_NAME: 'Ana', GIT_AUTHOR_EMAIL: 'ana@example.invalid' };
  return {
    PATH: folders.join(path.delimiter),
    HOME: home,
    TMPDIR: tmp,
    LANG: 'C.UTF-8',
    TERM: 'xterm-256color',
    SHELL: '/bin/sh',
    USER: os.userInfo().username,
    // Not the usual home, so that agents are told of it.
    REVERIE_HOME: path.join(home, 'memory'),
    REVERIE_PORT: '0',
    DO_NOT_TRACK: '1',
    DISABLE_AUTOUPDATER: '1',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    OPENCODE_DISABLE_AUTOUPDATE: '1',
    OPENCODE_DISABLE_MODELS_FETCH: '1',
    PI_OFFLINE: '1',
    [MARK]: folder,
    ...person,
    GIT_COMMITTER_NAME: person.GIT_AUTHOR_NAME,
    GIT_COMMITTER_EMAIL: person.GIT_AUTHOR_EMAIL,
    ...KEYS,
    ...pointedAt(fake.origin),
  };
}

/**
 * Leaves beside opencode's plugins what it installs there at its first start. It looks for the package in the lock file; where that does not
 * name it, each start asks the registry for 70 seconds before it answers, and takes a link in place of the modules away.
 */
function bringOpencodePlugin(agents: string, home: string): void {
  const modules = path.dirname(agents);
  const about = path.join(modules, '@opencode-ai/plugin/package.json');
  if (!fs.existsSync(about)) return;
  const { name, version } = z
    .object({ name: z.string(), version: z.string() })
    .parse(JSON.parse(fs.readFileSync(about, 'utf8')));
  const folder = path.join(home, '.config/opencode');
  const root = { dependencies: { [name]: version } };
  const locked = { lockfileVersion: 3, packages: { '': root, [`node_modules/${name}`]: { version } } };
  fs.writeFileSync(path.join(folder, 'package.json'), JSON.stringify(root));
  fs.writeFileSync(path.join(folder, 'package-lock.json'), JSON.stringify(locked));
  fs.symlinkSync(modules, path.join(folder, 'node_modules'));
}

import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { listMessages } from '@reverie/shared/contract/events/inbox';
import { getMemory } from '@reverie/shared/contract/memories/memories';
import {
  type CodingSession,
  listEntries,
  listSessions,
  type SessionEntry,
} from '@reverie/shared/contract/sessions/sessions';
import { z } from 'zod';
import { WHEN_TO_USE } from '../../../daemon/src/mcp/instructions.ts';
import { changed, type Files, isWithoutOurs, read } from './files.ts';
import { faultsOfLog } from './log.ts';
import { CONTENT, KEPT, NAMESPACE, PREFERENCE, RULE, SAVED, type SceneName } from './scenes.ts';
import type { Stage } from './stage.ts';

/** What was found of a step: what is not as it should be, or why there is nothing to look at. */
export type Found = readonly string[] | { notApplicable: string };

export interface Step {
  name: string;
  /** What holds where nothing was found. */
  promises: string;
  look: (stage: Stage, memory: Remembered) => Promise<Found>;
}

/** What a step leaves for later ones. */
export interface Remembered {
  /** The agent's files before it was connected, and right after. */
  before?: Files;
  connected?: Files;
}

/** How long a call of a hook that comes again is taken for the same one, ms. */
const DOUBLED_MS = 10_000;
const BRIEF = 'What Reverie remembers of this project';
const POINTERS = 'May help here';
const [ABOUT_PROMPT] = KEPT;
/** The newest of the project that stay so when another one is saved, and what the person wants everywhere. */
const IN_BRIEF = [...KEPT.slice(-5), PREFERENCE].map(({ key }) => key);

/** All steps, in the order in which a person takes them. */
export const STEPS: readonly Step[] = [
  {
    name: 'connect',
    promises: 'connected; a second time changes nothing; undone to the byte',
    async look({ agent, reverie }, memory) {
      const { changed: files } = Connected.parse(
        JSON.parse((await reverie('connect', agent.name, '--dry-run', '--json')).stdout),
      );
      const paths = files.map(({ file }) => file);
      memory.before = read(paths);
      const faults: string[] = [];
      const connect = async () => {
        const { code, stdout, stderr } = await reverie('connect', agent.name);
        if (code !== 0) faults.push(`connect: ${stderr.trim()}`);
        return stdout;
      };
      await connect();
      const first = read(paths);
      if (changed(memory.before, first).length !== paths.length) faults.push('a file was not written');
      const again = await connect();
      if (!again.includes('connected already') || changed(first, read(paths)).length > 0)
        faults.push(`the second time: ${again.trim()}`);
      await reverie('disconnect', agent.name);
      faults.push(...changed(memory.before, read(paths)).map((file) => `${file} is not as it was`));
      await connect();
      memory.connected = read(paths);
      return faults;
    },
  },
  {
    name: 'session',
    promises: 'it works: memory searched, set and read, a file written, commands run',
    async look({ agent, play, project, reverie, run, open, scenes, call }) {
      const faults: string[] = [];
      if (agent.asksForTrust) {
        const screen = await open(agent.command, agent);
        if (!(await screen.until((shown) => agent.ready.test(shown))))
          faults.push(`its screen was not ready: ${await screen.read()}`);
        await screen.close(agent.quit);
      }
      for (const args of [agent.begin(scenes.work.prompt), agent.goOn(scenes.again.prompt)]) {
        const { code, stdout, stderr } = await run(args);
        if (code !== 0) faults.push(`it ended with ${code}: ${`${stdout}\n${stderr}`.trim().slice(-300)}`);
        // What was written before is read, and what comes then is followed.
        const enabled = await reverie('sessions', 'enable', agent.name, '--yes');
        if (enabled.code !== 0) faults.push(`sessions enable: ${enabled.stderr.trim()}`);
      }
      for (const name of ['work', 'again'] as const) {
        const turns = new Set(play.taken.filter(({ scene }) => scene === name).map(({ turn }) => turn)).size;
        if (turns !== scenes[name].turns.length)
          faults.push(`${name}: ${turns} replies of ${scenes[name].turns.length}`);
      }
      faults.push(...new Set(play.unoffered.map((tool) => `no tool ${tool}`)));
      const results = lastMessages({ play }, 'work').filter(({ role }) => role === 'tool');
      for (const says of ['PostgreSQL 16', 'auditors', 'going-wrong'])
        if (!results.some(({ text }) => text.includes(says))) faults.push(`no tool answered “${says}”`);
      const file = path.join(project, 'made.txt');
      if (!fs.existsSync(file) || fs.readFileSync(file, 'utf8').trim() !== CONTENT.trim())
        faults.push('the file was not made');
      const saved = await call(getMemory, { body: { namespace: NAMESPACE, key: SAVED.key } });
      if (saved.value !== SAVED.value) faults.push(`memory_set kept ${JSON.stringify(saved.value)}`);
      return faults;
    },
  },
  {
    name: 'brief',
    promises: 'each request has the newest of the project and what the person wants everywhere, once',
    look: async (stage) => [...briefFaults(stage, 'work'), ...briefFaults(stage, 'again')],
  },
  {
    name: 'pointers',
    promises: 'a prompt is pointed once at the memory that helps',
    async look({ agent, play }) {
      if (!agent.takesPrompts) return { notApplicable: 'takes no text at a prompt' };
      const taken = play.taken.filter(({ scene }) => scene === 'work');
      if (taken.length === 0) return ['no request of work came'];
      return taken
        .flatMap(({ request: { body }, turn }) => {
          const [pointers, key] = [times(body, POINTERS), body.includes(`[${ABOUT_PROMPT.key}] `)];
          return pointers === 1 && key
            ? []
            : [`request ${turn + 1} has ${pointers} pointers${key ? '' : ', none to the right one'}`];
        })
        .slice(0, 1);
    },
  },
  {
    name: 'instructions',
    promises: 'when to search and when to save stands in what the model is sent, once',
    async look(stage) {
      const { body = '' } = lastRequest(stage, 'work') ?? {};
      const found = times(body, WHEN_TO_USE);
      return found === 1 ? [] : [`they stand there ${found} times`];
    },
  },
  {
    name: 'log',
    promises: 'its log is read entry by entry: prompts, answers, calls, results, failures, tokens',
    look: async (stage) => await logFaults(stage, ['work', 'again']),
  },
  {
    name: 'proposal',
    promises: 'what was said to last is in the inbox, once, and `reverie inbox` says where',
    async look(stage) {
      if (stage.agent.endsOnScreen) return { notApplicable: 'proposes with a screen alone: see resume' };
      return await proposalFaults(stage);
    },
  },
  {
    name: 'resume',
    promises: 'the printed command opens the session, with the brief, and its log goes on',
    async look(stage) {
      const { agent, open, reverie, scenes } = stage;
      const session = await sessionOf(stage);
      const { stdout, stderr, code } = await reverie('sessions', 'resume', session.id, '--print');
      if (code !== 0) return [stderr.trim()];
      // Where no end comes between, as of Qwen Code without a screen, a start that comes sooner is taken for a hook that is installed twice.
      await pause(DOUBLED_MS);
      const screen = await open(stdout.trim(), agent);
      const lastOf = (name: SceneName) => scenes[name].turns.at(-1)?.says ?? '';
      await screen.until((shown) => agent.ready.test(shown) && shown.includes(lastOf('again')));
      await screen.say(scenes.resumed.prompt);
      const says = lastOf('resumed');
      const isThere = await screen.until((shown) => shown.includes(says));
      const shown = await screen.read();
      await screen.close(agent.quit);
      if (!isThere) return [`${stdout.trim()}: no answer stands on its screen: ${shown.slice(-600)}`];
      return [
        ...briefFaults(stage, 'resumed'),
        ...(await logFaults(stage, ['work', 'again', 'resumed'])),
        ...(agent.endsOnScreen ? await proposalFaults(stage) : []),
      ];
    },
  },
  {
    name: 'hand-over',
    promises: 'another agent begins with what was asked, done and went wrong',
    async look(stage) {
      const { open, other, reverie, scenes } = stage;
      const session = await sessionOf(stage);
      const { stdout, stderr, code } = await reverie(
        'sessions',
        'resume',
        session.id,
        '--in',
        other.name,
        '--print',
      );
      if (code !== 0) return [stderr.trim()];
      const screen = await open(stdout.trim(), other);
      const [{ says = '' } = {}] = scenes.handover.turns;
      const isThere = await screen.until((shown) => shown.includes(says));
      const shown = await screen.read();
      await screen.close(other.quit);
      if (!isThere) return [`${other.title} shows no answer on its screen: ${shown.slice(-600)}`];
      const prompt =
        lastMessages(stage, 'handover').find(({ text }) => text.includes(scenes.handover.prompt))?.text ?? '';
      return [RULE, 'made.txt', 'going-wrong']
        .filter((words) => !prompt.includes(words))
        .map((words) => `“${words}” is not in what ${other.title} was told`);
    },
  },
  {
    name: 'hooks',
    promises: 'each hook was called and answered in time; doctor finds nothing wrong',
    async look({ home, reverie }) {
      const file = path.join(home, 'memory/logs/hooks.log');
      const lines = fs.existsSync(file) ? fs.readFileSync(file, 'utf8').trim().split('\n') : [];
      const { stdout } = await reverie('doctor', 'agents', '--json');
      const { findings } = Doctor.parse(JSON.parse(stdout));
      return [
        ...lines.filter((line) => !QUIET.test(line)),
        ...findings
          .filter(({ level }) => level !== 'ok')
          .map(({ check, text }) => `doctor: ${check}: ${text}`),
      ];
    },
  },
  {
    name: 'disconnect',
    promises: 'its files are byte for byte as they were; where it wrote itself, without ours',
    async look({ agent, reverie }, { before, connected }) {
      if (!before || !connected) return ['it was not connected'];
      const whole = read(before.keys());
      const { code, stderr } = await reverie('disconnect', agent.name);
      if (code !== 0) return [stderr.trim()];
      const after = read(before.keys());
      return changed(before, after)
        .filter((file) => {
          const [now, left] = [whole.get(file), after.get(file)];
          const isUntouched = now === connected.get(file);
          return isUntouched || now === undefined || left === undefined || !isWithoutOurs(file, [now, left]);
        })
        .map((file) => `${file} is not as it was`);
    },
  },
];

const Connected = z.object({ changed: z.array(z.object({ file: z.string() })) });
const Doctor = z.object({
  findings: z.array(z.object({ check: z.string(), level: z.string(), text: z.string() })),
});
/** Lines of the hooks' log that say nothing of a fault. Gemini CLI calls the end of a screen two or three times. */
const QUIET =
  /: (?:\d+ proposed to the inbox|nothing here that is new|nobody said anything|the prompt asks nothing|\w+ takes no text here)| end gemini: the same call was there/u;

function times(text: string, part: string): number {
  return text.split(part).length - 1;
}

function lastRequest({ play }: Pick<Stage, 'play'>, name: SceneName) {
  return play.taken.findLast(({ scene }) => scene === name)?.request;
}

function lastMessages(stage: Pick<Stage, 'play'>, name: SceneName) {
  return lastRequest(stage, name)?.messages ?? [];
}

function briefFaults({ play }: Stage, name: SceneName): string[] {
  const taken = play.taken.filter(({ scene }) => scene === name);
  if (taken.length === 0) return [`no request of ${name} came`];
  return taken
    .flatMap(({ request: { body }, turn }) => {
      const where = `request ${turn + 1} of ${name}`;
      if (!body.includes(BRIEF)) return [`${where} has no brief`];
      return IN_BRIEF.map((key) => [key, times(body, `- [${key}] `)] as const)
        .filter(([, told]) => told !== 1)
        .map(([key, told]) => `${where} has ${key} ${told} times`);
    })
    .slice(0, 1);
}

async function proposalFaults({ reverie, call }: Stage): Promise<string[]> {
  const { messages } = await call(listMessages, { params: { namespace: NAMESPACE }, query: {} });
  const proposed = messages.filter(({ payload }) => payload['value'] === RULE);
  const { stdout, stderr } = await reverie('inbox');
  return [
    ...(proposed.length === 1 ? [] : [`proposed ${proposed.length} times`]),
    ...(stderr.includes(NAMESPACE) ? [] : [`reverie inbox says ${JSON.stringify(`${stdout}${stderr}`)}`]),
  ];
}

/** The one session that the agent had in the project. Throws where there is none, or another one. */
async function sessionOf({ call, agent }: Stage): Promise<CodingSession> {
  const { sessions } = await call(listSessions, { query: { agent: agent.name } });
  const [session, ...more] = sessions;
  if (!session || more.length > 0)
    throw new Error(
      `${sessions.length} sessions are there: ${sessions.map(({ title }) => title).join(', ')}`,
    );
  return session;
}

async function logFaults(stage: Stage, names: readonly SceneName[]): Promise<string[]> {
  const { agent, call, scenes } = stage;
  let faults: string[] = [];
  // It is followed: what was written a moment ago is still on its way.
  await until(async () => {
    const { sessions } = await call(listSessions, { query: { agent: agent.name } });
    if (sessions.length === 0) {
      faults = ['no session was read'];
      return false;
    }
    const session = await sessionOf(stage);
    const entries: SessionEntry[] = [];
    const page = await call(listEntries, {
      params: { id: session.id },
      query: { limit: 500, text: 'whole' },
    });
    entries.push(...page.entries);
    faults = faultsOfLog(
      { session, entries },
      names.map((name) => scenes[name]),
      agent,
    );
    return faults.length === 0;
  });
  return faults;
}

/** Waits until something is so, 30 seconds at most; answers whether it is. */
async function until(isSo: () => boolean | Promise<boolean>): Promise<boolean> {
  for (let look = 0; look < 60; look += 1) {
    if (await isSo()) return true;
    await pause(500);
  }
  return false;
}

import fs from 'node:fs';
import path from 'node:path';
import { REAL_AGENTS, type RealAgent } from './agents.ts';
import { runCommand } from './commands.ts';
import { killStage, setStage } from './stage.ts';
import { type Found, type Remembered, STEPS } from './steps.ts';

/** What was found of an agent, step by step. */
export interface AgentRun {
  agent: RealAgent;
  version: string;
  steps: readonly { name: string; found: Found }[];
}

interface Running {
  /** An empty folder, for homes. */
  folder: string;
  /** The folder of the commands; undefined for the PATH. */
  agents: string | undefined;
  names: readonly string[];
  say: (line: string) => void;
}

/** Runs each agent that is installed as a person does who uses Reverie. */
export async function runUsers({ folder, agents, names, say }: Running): Promise<AgentRun[]> {
  const PATH = [agents, path.dirname(process.execPath), process.env['PATH']]
    .filter(Boolean)
    .join(path.delimiter);
  const env = { PATH, HOME: folder };
  const versions = new Map<RealAgent, string>();
  for (const agent of REAL_AGENTS) {
    const { code, stdout } = await runCommand([agent.command, '--version'], { folder, env, seconds: 30 });
    if (code === 0) versions.set(agent, /\d+\.\d+\.\d+\S*/u.exec(stdout)?.[0].replace(/\.$/u, '') ?? '');
    else if (names.includes(agent.name)) say(`- ${agent.name} is skipped: no \`${agent.command}\` runs here`);
  }
  for (const name of names.filter((one) => !REAL_AGENTS.some((agent) => agent.name === one)))
    say(`- ${name} is skipped as a user: \`reverie connect\` has no such agent, or users/agents.ts has none`);
  const installed = [...versions.keys()];
  const runs: AgentRun[] = [];
  for (const [at, agent] of installed.entries()) {
    if (!names.includes(agent.name)) continue;
    const from = performance.now();
    const version = versions.get(agent) ?? '';
    say(`${agent.name} ${version}`);
    const other = installed[(at + 1) % installed.length] ?? agent;
    const place = path.join(folder, agent.name);
    fs.mkdirSync(place);
    // Also where the run is broken off.
    process.once('exit', () => killStage(place));
    const memory: Remembered = {};
    const steps: { name: string; found: Found }[] = [];
    const tell = (name: string, found: Found) => {
      steps.push({ name, found });
      say(`  ${lineOf(name, found)}`);
    };
    try {
      const stage = await setStage({ folder: place, agents, agent, other });
      try {
        for (const { name, look } of STEPS)
          tell(name, await look(stage, memory).catch((cause: unknown) => [String(cause)]));
      } finally {
        await stage.stop();
      }
    } catch (cause) {
      tell('stage', [String(cause)]);
    }
    runs.push({ agent, version, steps });
    say(`  in ${Math.round((performance.now() - from) / 1000)} s`);
  }
  return runs;
}

function lineOf(name: string, found: Found): string {
  if ('notApplicable' in found) return `-     ${name}: ${found.notApplicable}`;
  return found.length === 0 ? `ok    ${name}` : `FAULT ${name}: ${found.join('; ')}`;
}

import fs from 'node:fs';
import { format, resolveConfig } from 'prettier';
import { STEPS } from './steps.ts';
import type { AgentRun } from './users.ts';

const HEADING = '## Run for real';
/** Characters of a fault that are written down: what stood on a screen is for who runs it. */
const LONGEST_NOTE = 200;

/** How many steps were not as they should be. */
export function faultsIn(runs: readonly AgentRun[]): number {
  return runs
    .flatMap(({ steps }) => steps)
    .filter(({ found }) => !('notApplicable' in found) && found.length > 0).length;
}

/** Writes what was run into its section of a file, in place of what stood there. */
export async function writeMarkdown(file: string, runs: readonly AgentRun[]): Promise<void> {
  const text = fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '';
  const at = text.indexOf(HEADING);
  const next = at < 0 ? -1 : text.indexOf('\n## ', at);
  const before = at < 0 ? `${text.trimEnd()}\n\n` : text.slice(0, at);
  const after = next < 0 ? '' : text.slice(next);
  const whole = `${before.trimStart()}${sectionOf(runs)}${after}`;
  fs.writeFileSync(file, await format(whole, { ...(await resolveConfig(file)), parser: 'markdown' }));
}

function sectionOf(runs: readonly AgentRun[]): string {
  const day = new Date().toISOString().slice(0, 10);
  const notes: string[] = [];
  const cellOf = ({ steps }: AgentRun, name: string) => {
    const found = steps.find((step) => step.name === name)?.found ?? { notApplicable: 'was not run' };
    if ('notApplicable' in found) return `— (${found.notApplicable})`;
    if (found.length === 0) return 'holds';
    notes.push(found.join('; ').replaceAll(/\s+/gu, ' ').slice(0, LONGEST_NOTE));
    return `does not (${notes.length})`;
  };
  const rows = runs.map(
    (run) =>
      `| ${run.agent.title} ${run.version} | ${STEPS.map(({ name }) => cellOf(run, name)).join(' | ')} |`,
  );
  return `${HEADING}

On ${day} \`npm run test:agents\` ran each agent as a person does, against a fake model and without a network: connected in a home of its own, a session of two prompts
without a screen that calls tools of Reverie and its own, one more prompt on its screen, handed over to the next agent, and disconnected.

| agent | ${STEPS.map(({ name }) => name).join(' | ')} |
| --- |${' --- |'.repeat(STEPS.length)}
${rows.join('\n')}
${notes.map((note, at) => `\n${at + 1}. ${note}`).join('')}

What holds where it says so:

${STEPS.map(({ name, promises }) => `- ${name}: ${promises}`).join('\n')}
`;
}

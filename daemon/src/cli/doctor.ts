import { styleText } from 'node:util';
import type { Command } from 'commander';
import { checkAgents } from './doctor/agents.ts';
import { checkConfig, checkDaemon, checkPort } from './doctor/daemon.ts';
import { checkBackups, checkDatabase, checkLinks } from './doctor/database.ts';
import { type DoctorFinding, type Patient, problem, reasonOf } from './doctor/finding.ts';
import { checkKeychain } from './doctor/keychain.ts';
import { checkSessionLogs } from './doctor/session-logs.ts';
import { checkLeftovers } from './doctor/leftovers.ts';
import { checkClock, checkDisk, checkHome, checkNode } from './doctor/machine.ts';
import { jsonOption } from './options.ts';
import { note, printJson, say, visible } from './print.ts';
import { homeOf, type Terminal } from './terminal.ts';

/** `reverie doctor`: exits 1 where there is a problem. */
export function addDoctor(program: Command, terminal: Terminal): void {
  const patient = () => ({ home: homeOf(terminal), env: terminal.env, now: Date.now() });
  const doctor = program
    .command('doctor')
    .description('look for what is wrong, and say what to do; changes nothing')
    .addOption(jsonOption())
    .action(async ({ json }: { json?: true }) => {
      if (!json && terminal.stderr.isTTY) note(terminal, 'Looking; a large database takes some seconds …');
      report(terminal, await examine(patient()), json);
    });
  doctor
    .command('agents')
    .description('the agents that are connected: their files, keys and hooks, and a call through each')
    .addOption(jsonOption())
    .action(async (_: unknown, command: Command) => {
      const { json } = command.optsWithGlobals<{ json?: true }>();
      report(terminal, await checkAgents(patient()), json);
    });
}

function report(terminal: Terminal, findings: readonly DoctorFinding[], json: true | undefined): void {
  const problems = findings.filter(({ level }) => level === 'problem').length;
  if (problems > 0) terminal.exitCode = 1;
  if (json) return printJson(terminal, { ok: problems === 0, findings });
  for (const finding of findings) tell(terminal, finding);
  const warnings = findings.filter(({ level }) => level === 'warning').length;
  if (problems > 0) say(terminal, `Problems: ${problems}. Mend them from the top.`);
  else say(terminal, warnings > 0 ? `There is no problem; warnings: ${warnings}.` : 'Nothing is wrong.');
}

/** All checks, in the order in which to mend. */
export async function examine(patient: Patient): Promise<DoctorFinding[]> {
  const { finding, config } = checkConfig(patient);
  return [
    checkNode(),
    await attempt('Disk', () => checkDisk(patient)),
    await attempt('Home', () => checkHome(patient)),
    finding,
    await attempt('Daemon', () => checkDaemon(patient)),
    ...(config ? [await attempt('Port', () => checkPort(patient, config))] : []),
    await attempt('Database', () => checkDatabase(patient)),
    await attempt('Links', () => checkLinks(patient)),
    await attempt('Backups', () => checkBackups(patient)),
    await attempt('Session logs', () => checkSessionLogs(patient)),
    await attempt('Leftovers', () => checkLeftovers(patient)),
    await attempt('Keychain', () => checkKeychain()),
    await attempt('Clock', () => checkClock(patient)),
  ];
}

/** A check that cannot be made is a finding, too: one that fails must not hide the others. */
async function attempt(
  check: string,
  look: () => DoctorFinding | Promise<DoctorFinding>,
): Promise<DoctorFinding> {
  try {
    return await look();
  } catch (cause) {
    return problem(
      check,
      `it cannot be looked at (${reasonOf(cause)})`,
      'Check that this user may read and write the home and everything in it.',
    );
  }
}

const COLOURS = { ok: 'green', warning: 'yellow', problem: 'red' } as const;

function tell(terminal: Terminal, { level, check, text, todo }: DoctorFinding): void {
  const mark = level.padEnd(8);
  const shown = terminal.stdout.isTTY ? styleText(COLOURS[level], mark) : mark;
  say(terminal, `${shown} ${check}: ${visible(text)}`);
  if (todo !== undefined) say(terminal, `${' '.repeat(9)}${visible(todo)}`);
}

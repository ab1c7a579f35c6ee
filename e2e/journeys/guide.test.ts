import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  type Block,
  blocksOf,
  mentionsOf,
  needsShell,
  type Statement,
  statementsOf,
} from '../guide/commands.ts';
import { EXCUSED } from '../guide/excused.ts';
import { commandNames, wrongMention, wrongWith } from '../guide/parsing.ts';
import { type GuideWorld, type Machine, openGuideWorld } from '../guide/world.ts';

const ROOT = path.join(import.meta.dirname, '../..');
const GUIDE = 'docs/guide';
const pages = ['README.md', ...fs.readdirSync(path.join(ROOT, GUIDE)).map((name) => `${GUIDE}/${name}`)];
const textOf = (page: string) => fs.readFileSync(path.join(ROOT, page), 'utf8');
const scripts = Object.keys(
  (JSON.parse(textOf('package.json')) as { scripts: Record<string, string> }).scripts,
);
const has = (command: string) => spawnSync(command, ['--version']).status === 0;

/** The words of a command of ours; nothing where it is another program's. */
function ours({ words }: Pick<Statement, 'words'>): string[] | undefined {
  const [first, second] = words;
  if (first === 'reverie') return words.slice(1);
  return first === 'npx' && second === 'reverie' ? words.slice(2) : undefined;
}

function machineOf({ text }: Block): Machine {
  const said = /^# on the (other device|other person's device)$/m.exec(text)?.[1];
  return said === 'other device' || said === "other person's device" ? said : 'own';
}

describe('README and guide', () => {
  test('say every command so that it is understood', async () => {
    const wrong: string[] = [];
    for (const page of pages)
      for (const block of blocksOf(textOf(page)).filter((one) => one.language === 'sh' && !needsShell(one)))
        for (const statement of statementsOf(block, '/home')) {
          const words = ours(statement);
          const why = words && (await wrongWith(words));
          if (why !== undefined) wrong.push(`${page}:${statement.line}: ${statement.written}: ${why}`);
        }
    expect(wrong).toEqual([]);
  });

  test('mention no command, option or script that is not there', () => {
    const wrong = pages.flatMap((page) =>
      mentionsOf(textOf(page)).flatMap((mention) => {
        const block = { language: 'sh', line: 0, text: mention.replaceAll(/[[\]…]/g, '') };
        return statementsOf(block, '/home').flatMap((statement) => {
          const script = /^npm run ([\w:-]+)/.exec(statement.written)?.[1];
          if (script !== undefined && !statement.written.includes('--workspace') && !scripts.includes(script))
            return [`${page}: ${mention}: no such script`];
          const words = ours(statement);
          const why = words && wrongMention(words);
          return why === undefined ? [] : [`${page}: ${mention}: ${why}`];
        });
      }),
    );
    expect(wrong).toEqual([]);
  });

  test('name every command of the command line on its page', () => {
    const text = textOf(`${GUIDE}/command-line.md`);
    const missing = commandNames().filter((name) => !new RegExp(`\`${name}[\` ]`).test(text));
    expect(missing).toEqual([]);
  });

  test('excuse no command that they do not have', () => {
    const all = pages.flatMap((page) =>
      blocksOf(textOf(page)).flatMap((block) =>
        block.language === 'sh' && !needsShell(block) ? statementsOf(block, '/home') : [],
      ),
    );
    const written = new Set(all.map((statement) => statement.written));
    expect(Object.keys(EXCUSED).filter((command) => !written.has(command))).toEqual([]);
  });
});

describe('every command runs, in the order of its page', () => {
  let world: GuideWorld;
  let before: string;
  beforeEach(() => {
    before = process.cwd();
  });
  async function enter(linked = false): Promise<void> {
    world = await openGuideWorld({ linked });
    process.chdir(world.folder);
  }
  afterEach(async () => {
    process.chdir(before);
    await world.close();
  });

  async function complaintsOf(page: string): Promise<string[]> {
    const complaints: string[] = [];
    for (const block of blocksOf(textOf(page))) {
      if (block.language !== 'sh') continue;
      if (needsShell(block)) {
        const { code, out, err } = await world.shell(block.text);
        if (code !== 0) complaints.push(`${page}:${block.line}: ended with ${code}: ${out}${err}`);
        continue;
      }
      let code = 0;
      let piped: string | undefined;
      for (const statement of statementsOf(block, world.user)) {
        const { line, words, after, written } = statement;
        if ((after === '||' && code === 0) || (after === '&&' && code !== 0)) continue;
        const ourWords = ours(statement);
        if (words[0] === 'true' || EXCUSED[written] !== undefined) code = 0;
        else if (words[0] === 'echo') piped = `${words.slice(1).join(' ')}\n`;
        else if (ourWords) {
          const ended = await world.reverie(ourWords, piped, machineOf(block));
          piped = undefined;
          code = ended.code;
          const isMended = block.text.split('\n')[line - block.line]?.includes('||');
          if (code !== 0 && !isMended)
            complaints.push(`${page}:${line}: ${written} ended with ${code}: ${ended.out}${ended.err}`);
        } else complaints.push(`${page}:${line}: no test runs ${written}, and nothing excuses it`);
      }
    }
    return complaints;
  }

  test.runIf(has('curl')).each(pages)('%s', async (page) => {
    // Sharing a session takes a relay; the page of devices links by itself.
    await enter(page.endsWith('coding-sessions.md'));
    expect(await complaintsOf(page)).toEqual([]);
  });

  test('README: the transcript is what the commands print', async () => {
    await enter();
    const wrong: string[] = [];
    /** Without what differs from time to time: names of marks, ids, times, scores, and how lines are broken. */
    const lasting = (text: string) =>
      text
        .replaceAll(/reverie-[\da-f]{12}/g, 'reverie-MARK')
        .replaceAll(/rcl_\w+/g, 'rcl_ID')
        .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
        .replaceAll(/\s+/g, '');
    let seen = 0;
    for (const { language, text } of blocksOf(textOf('README.md'))) {
      if (language !== 'console') continue;
      for (const piece of text.split(/^\$ /m).slice(1)) {
        const [command = '', ...lines] = piece.split('\n');
        const { code, out } = await world.shell(command.replace('SHOP', world.folder));
        if (code !== 0 || lasting(out) !== lasting(lines.join('\n'))) wrong.push(`${command}\n${out}`);
        seen += 1;
      }
    }
    expect(wrong).toEqual([]);
    expect(seen).toBeGreaterThan(2);
  });
});

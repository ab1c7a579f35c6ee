import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import type { AnchorNow } from '@reverie/shared/contract/memories/anchor-now';
import type { Anchor } from '@reverie/shared/contract/memories/anchors';
import { isDeep, runs } from '@reverie/shared/testing/depth';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../testing.ts';
import { anchorTo, readCode } from './anchoring.ts';
import { createAnchorCheck } from './checking.ts';
import { codeFile } from './code-files.ts';
import { readRange } from './lines.ts';
import { repositoryHistory } from './repository.ts';

/** A line of code as its writer sees it: however it is broken and indented it is the same line, until its text or level is changed. */
interface Line {
  id: number;
  text: string;
  level: number;
}

/** A file of the repository, and how it is formatted. */
interface Source {
  name: string;
  isPython: boolean;
  lines: Line[];
  indent: string;
  end: string;
  /** How many blank lines stand here and there. */
  blank: number;
  /** Whether lists within brackets are broken. */
  isBroken: boolean;
}

interface Memory {
  anchor: Anchor;
  source: Source;
  /** The lines that were named. */
  lines: readonly Line[];
}

/** Throws the dice: the same ones for a seed (mulberry32). */
function dice(seed: number) {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const int = (below: number) => Math.floor(next() * below);
  return {
    int,
    chance: (share: number) => next() < share,
    pick: <T>(some: readonly T[]): T => some[int(some.length)] as T,
  };
}
type Random = ReturnType<typeof dice>;

const MEMORIES = runs(120, 200);
const FILES = 24;
/** What stands in many places. */
const COMMON = ['return null;', 'await next();', 'if (isDone) return;', 'count += 1;', 'log(error);'];

/** Makes a repository and edits it as people do: nothing in it knows how anchors are found again. */
class Repository {
  readonly root: string;
  readonly sources: Source[] = [];
  private ids = 0;
  private readonly random: Random;

  constructor(random: Random) {
    this.random = random;
    const { folder, remove } = temporaryFolder();
    onTestFinished(remove);
    this.root = fs.realpathSync(folder);
    this.git('init', '-q');
    for (let at = 0; at < FILES; at += 1) this.add();
    this.commit();
  }

  git(...args: string[]): void {
    const who = ['-c', 'user.name=a', '-c', 'user.email=a@example.org', '-c', 'gc.auto=0'];
    execFileSync('git', ['-C', this.root, ...who, ...args]);
  }

  commit(): void {
    this.git('add', '-A');
    this.git('commit', '-q', '--allow-empty', '-m', 'x');
  }

  line(level: number, text = this.text()): Line {
    return { id: (this.ids += 1), text, level };
  }

  text(): string {
    const { random } = this;
    if (random.chance(0.2)) return random.pick(COMMON);
    const name = () => `${random.pick(['order', 'retry', 'user', 'row', 'cache'])}${random.int(400)}`;
    return random.pick([
      `const ${name()} = ${name()}(${name()}, ${name()}, ${random.int(90)});`,
      `${name()}.${name()}(${name()}, "${name()} of ${name()}");`,
      `await ${name()}({ ${name()}: ${random.int(90)}, ${name()} });`,
      `${name()} = ${name()} - ${random.int(9)} * ${name()};`,
    ]);
  }

  /** A function of some lines, with a block in it. */
  unit(isPython: boolean): Line[] {
    const name = `unit${this.random.int(100_000)}`;
    const body = (level: number) => Array.from({ length: 2 + this.random.int(4) }, () => this.line(level));
    const [open, block] = isPython
      ? [`def ${name}(a, b):`, 'if a:']
      : [`function ${name}(a, b) {`, 'if (a) {'];
    const close = (level: number) => (isPython ? [] : [this.line(level, '}')]);
    const inner = [this.line(1, block), ...body(2), ...close(1)];
    return [this.line(0, open), ...body(1), ...inner, ...body(1), ...close(0)];
  }

  add(): void {
    const isPython = this.random.chance(0.4);
    const name = `src/${this.random.pick(['a', 'b', 'c'])}/file${(this.ids += 1)}.${isPython ? 'py' : 'ts'}`;
    const lines = Array.from({ length: 5 + this.random.int(5) }, () => this.unit(isPython)).flat();
    const source = { name, isPython, lines, indent: '  ', end: '\n', blank: 9, isBroken: false };
    this.sources.push(source);
    this.write(source);
  }

  /** Where each line of a source stands in its file, from 1, and what that says. */
  private rendered({ lines, indent, end, blank, isBroken }: Source) {
    const out: string[] = [];
    const at = new Map<Line, { from: number; to: number }>();
    for (const line of lines) {
      if (line.id % blank === 0) out.push('');
      const from = out.length + 1;
      const [, head, list, tail] = /^(.*?\w\()(.+, .+)(\).*)$/u.exec(line.text) ?? [];
      const deeper = indent.repeat(line.level + 1);
      if (isBroken && head !== undefined && list !== undefined && line.id % 2 === 0)
        out.push(
          indent.repeat(line.level) + head,
          ...list.split(', ').map((part, n, all) => deeper + part + (n < all.length - 1 ? ',' : '')),
          indent.repeat(line.level) + (tail ?? ''),
        );
      else out.push(indent.repeat(line.level) + line.text);
      at.set(line, { from, to: out.length });
    }
    return { text: out.join(end) + end, at };
  }

  placesOf(source: Source) {
    return this.rendered(source).at;
  }

  write(source: Source): void {
    const file = path.join(this.root, source.name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, this.rendered(source).text);
  }

  /** Makes one edit; answers the sources that it touched. */
  edit(): Source[] {
    const { random } = this;
    const source = random.pick(this.sources);
    const { lines } = source;
    const at = random.int(lines.length);
    const line = lines[at];
    // An agent commits after some ten edits.
    if (!line || random.chance(0.1)) this.commit();
    if (!line) return [];
    const kind = random.int(100);
    if (kind < 25)
      lines.splice(at, 0, ...Array.from({ length: 1 + random.int(3) }, () => this.line(line.level)));
    else if (kind < 40) lines.splice(at, 1 + random.int(3));
    else if (kind < 60) lines[at] = this.line(line.level, this.changed(line.text));
    else if (kind < 70) {
      const moved = lines.splice(at, 1 + random.int(25));
      lines.splice(random.int(lines.length + 1), 0, ...moved);
    } else if (kind < 75) lines.splice(random.int(lines.length), 0, ...this.unit(source.isPython));
    else if (kind < 78 && source.isPython) this.outdent(source, at);
    else if (kind < 93) {
      source.indent = random.pick(['  ', '    ', '\t']);
      source.end = random.pick(['\n', '\n', '\r\n', '  \n']);
      source.blank = random.pick([3, 5, 9, 1_000_000]);
      source.isBroken = random.chance(0.5);
    } else if (kind < 97) return this.rename(source);
    else if (kind < 99) {
      this.sources.splice(this.sources.indexOf(source), 1);
      fs.rmSync(path.join(this.root, source.name));
      this.add();
      return [source];
    } else this.add();
    this.write(source);
    return [source];
  }

  private changed(text: string): string {
    const { random } = this;
    if (random.chance(0.2)) return `// ${text}`;
    const [number] = /\d+/u.exec(text) ?? [];
    if (number !== undefined) return text.replace(number, String(Number(number) + 1 + random.int(3)));
    return `${text} // ${random.int(1000)}`;
  }

  /** The last line of a block leaves it. */
  private outdent(source: Source, at: number): void {
    const { lines } = source;
    const [before, line, next] = [lines[at - 1], lines[at], lines[at + 1]];
    if (!before || !line || line.level < 1 || before.level !== line.level || next?.level === line.level)
      return;
    lines[at] = this.line(line.level - 1, line.text);
  }

  private rename(source: Source): Source[] {
    const name = source.name.replace(/\w+\.(\w+)$/u, `file${(this.ids += 1)}.$1`);
    if (this.random.chance(0.5)) {
      // Git moves only what it knows.
      this.git('add', '-A');
      this.git('mv', source.name, name);
    } else fs.renameSync(path.join(this.root, source.name), path.join(this.root, name));
    source.name = name;
    return [source];
  }
}

/** Whether the lines that a memory named still stand one after the other, as they were. */
function isGood({ source, lines }: Memory, sources: readonly Source[]): boolean {
  const at = source.lines.indexOf(lines[0] as Line);
  return sources.includes(source) && at >= 0 && lines.every((line, n) => source.lines[at + n] === line);
}

test('what changed is always told, and what did not hardly ever', async () => {
  const rng = dice(Number(process.env['REVERIE_TEST_SEED'] ?? 20_261_129));
  const repository = new Repository(rng);
  let now = 0;
  const history = repositoryHistory({ now: () => now }, process.env);
  const check = createAnchorCheck({
    history,
    log: {
      warn: (it: unknown) => {
        throw it;
      },
    },
  });
  const { signal: late } = new AbortController();
  const stateOf = async (anchor: Anchor) => {
    let told: AnchorNow = { path: anchor.path, state: 'unchecked' };
    const tell = (_: Anchor, now: AnchorNow) => (told = now);
    await check([{ root: repository.root, anchor }], { late, forCommits: false, tell });
    return told;
  };

  /** Anchors a memory to some lines, as an agent would name them. */
  const remember = async (): Promise<Memory> => {
    for (;;) {
      const source = rng.pick(repository.sources);
      const from = rng.int(source.lines.length);
      const lines = source.lines.slice(from, from + 1 + rng.int(12));
      const places = repository.placesOf(source);
      const [first, last] = [lines[0], lines.at(-1)].map((line) => line && places.get(line));
      const file = codeFile(repository.root, source.name);
      const read = typeof file === 'string' ? undefined : await readCode(file, source.name);
      if (!first || !last || !read) continue;
      const anchor = anchorTo(read, { lines: { from: first.from, to: last.to } });
      if (typeof anchor !== 'string')
        return { anchor: { ...anchor, commit: await history.head(repository.root) }, source, lines };
    }
  };
  const memories: Memory[] = [];
  while (memories.length < MEMORIES) memories.push(await remember());
  const counts = { good: 0, goodMarked: 0, stale: 0, staleUnmarked: 0, moved: 0 };
  const wrong: unknown[] = [];
  for (let edit = 1; edit <= runs(60, 1_000); edit += 1) {
    const touched = repository.edit();
    now += 60_000;
    for (const [at, memory] of memories.entries()) {
      if (edit % 25 !== 0 && !touched.includes(memory.source)) continue;
      const told = await stateOf(memory.anchor);
      const isMarked = told.state !== 'same' && told.state !== 'moved';
      if (isGood(memory, repository.sources)) {
        counts.good += 1;
        if (isMarked) counts.goodMarked += 1;
        if (told.state === 'moved') {
          counts.moved += 1;
          const place = repository.placesOf(memory.source).get(memory.lines[0] as Line);
          const { from, to } = readRange(told.lines_now ?? memory.anchor.lines ?? '1');
          // The place that is named is the one where it stands, perhaps with what it was widened by.
          const isThere = (told.path_now ?? told.path) === memory.source.name;
          if (!isThere || !place || place.from < from || place.from > to)
            wrong.push({ edit, told, place, file: memory.source.name });
        }
        continue;
      }
      counts.stale += 1;
      if (!isMarked) {
        counts.staleUnmarked += 1;
        wrong.push({ edit, told, lines: memory.lines });
      }
      // Whoever is told so looks at the code, and stores the memory anew.
      memories[at] = await remember();
    }
  }
  if (isDeep) console.log(JSON.stringify(counts));
  expect(wrong).toEqual([]);
  expect(counts.staleUnmarked).toBe(0);
  expect(counts.stale).toBeGreaterThan(20);
  expect(counts.goodMarked / counts.good).toBeLessThanOrEqual(0.03);
});

import fs from 'node:fs';
import path from 'node:path';

/** A small generator with a seed (mulberry32): a run that failed can be run again. */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The rules of the folder that is edited: these names are passed over. */
const RULES = 'draft-*\n';

/** Somebody who edits a folder in the ways of real programs, by chance. */
export interface Editors {
  /** Does one thing, and says what. */
  step(): string;
}

interface EditedFolder {
  root: string;
  /** A folder beside it, for what is moved out. */
  outside: string;
  random: () => number;
}

/** Prepares a folder with rules of what is passed over, and edits it from then on. */
export function createEditors({ root, outside, random }: EditedFolder): Editors {
  let count = 0;
  const pick = <T>(from: readonly T[]): T | undefined => from[Math.floor(random() * from.length)];
  const text = () => `# Note ${(count += 1)}\n\n${'pears and apples '.repeat(1 + random() * 40)}\n`;
  const name = () => {
    const folder = pick(['', '', 'a', 'b', 'a/deep', 'ü']) ?? '';
    const kind = pick(['note', 'note', 'note', 'draft-', 'ß']) ?? 'note';
    return path.posix.join(
      folder,
      `${kind}${Math.floor(random() * 60)}${pick(['.md', '.md', '.txt']) ?? ''}`,
    );
  };
  const at = (relative: string) => {
    const file = path.join(root, relative);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    return file;
  };
  const some = () => pick(filesBelow(root).filter((file) => /\.(md|txt)$/.test(file)));
  const beside = (file: string, mark: (base: string) => string) =>
    path.join(path.dirname(file), mark(path.basename(file)));

  const truncates = (file: string) => {
    const content = text();
    const handle = fs.openSync(file, 'w');
    fs.writeSync(handle, content.slice(0, content.length / 2));
    fs.writeSync(handle, content.slice(content.length / 2));
    fs.closeSync(handle);
  };
  const atomically = (file: string) => {
    const draft = beside(file, (base) => `.${base}.${Math.floor(random() * 1e6)}.tmp`);
    fs.writeFileSync(draft, text());
    fs.renameSync(draft, file);
  };
  const vim = (file: string) => {
    const swap = beside(file, (base) => `.${base}.swp`);
    const probe = beside(file, () => '4913');
    const backup = `${file}~`;
    fs.writeFileSync(swap, 'swap');
    fs.writeFileSync(probe, '');
    fs.rmSync(probe);
    fs.renameSync(file, backup);
    fs.writeFileSync(file, text());
    fs.rmSync(backup);
    fs.rmSync(swap);
  };
  const emacs = (file: string) => {
    const lock = beside(file, (base) => `.#${base}`);
    const saved = beside(file, (base) => `#${base}#`);
    fs.symlinkSync('ada@machine.1234:1', lock);
    fs.writeFileSync(saved, text());
    fs.copyFileSync(file, `${file}~`);
    truncates(file);
    fs.rmSync(saved);
    fs.rmSync(lock);
  };
  const inPlace = (file: string) => {
    const { atime, mtime, size } = fs.statSync(file);
    fs.writeFileSync(file, `${(count += 1)}`.padEnd(size, '.').slice(0, Math.max(size, 1)));
    fs.utimesSync(file, atime, mtime);
  };

  const deeds: Readonly<Record<string, () => void>> = {
    creates: () => fs.writeFileSync(at(name()), text()),
    'creates another': () => fs.writeFileSync(at(name()), text()),
    appends: () => withSome((file) => fs.appendFileSync(file, text())),
    truncates: () => withSome(truncates),
    'saves atomically': () => withSome(atomically),
    'saves as vim does': () => withSome(vim),
    'saves as emacs does': () => withSome(emacs),
    'edits in place, size and time kept': () => withSome(inPlace),
    empties: () =>
      withSome((file) => {
        fs.writeFileSync(file, '');
        fs.writeFileSync(file, text());
      }),
    renames: () => withSome((file) => fs.renameSync(file, at(name()))),
    'renames and edits': () =>
      withSome((file) => {
        const to = at(name());
        fs.renameSync(file, to);
        fs.appendFileSync(to, text());
      }),
    swaps: () =>
      withSome((file) => {
        const other = some() ?? file;
        const aside = beside(file, (base) => `${base}.swap`);
        fs.renameSync(file, aside);
        if (other !== file) fs.renameSync(other, file);
        fs.renameSync(aside, other);
      }),
    copies: () => withSome((file) => fs.copyFileSync(file, at(name()))),
    removes: () => withSome((file) => fs.rmSync(file)),
    'removes and writes again': () =>
      withSome((file) => {
        fs.rmSync(file);
        fs.writeFileSync(file, text());
      }),
    'moves out': () => withSome((file) => fs.renameSync(file, path.join(outside, `${(count += 1)}.md`))),
    'moves in': () => {
      const file = pick(fs.readdirSync(outside));
      if (file !== undefined) fs.renameSync(path.join(outside, file), at(name()));
    },
    'renames a folder': () => {
      const from = path.join(root, pick(['a', 'b', 'a/deep', 'ü', 'c']) ?? 'a');
      const to = path.join(root, pick(['c', 'd', 'b/deep', 'a']) ?? 'c');
      if (fs.existsSync(from) && !fs.existsSync(to) && !to.startsWith(`${from}/`)) {
        fs.mkdirSync(path.dirname(to), { recursive: true });
        fs.renameSync(from, to);
      }
    },
    'removes a folder': () => {
      if (random() < 0.3)
        fs.rmSync(path.join(root, pick(['b', 'd', 'ü']) ?? 'd'), { recursive: true, force: true });
    },
  };

  function withSome(deed: (file: string) => void): void {
    const file = some();
    if (file === undefined) fs.writeFileSync(at(name()), text());
    else deed(file);
  }

  fs.mkdirSync(root, { recursive: true });
  fs.mkdirSync(outside, { recursive: true });
  fs.writeFileSync(path.join(root, '.gitignore'), RULES);
  return {
    step() {
      const [said, deed] = pick(Object.entries(deeds)) ?? ['nothing', () => undefined];
      deed();
      return said;
    },
  };
}

function filesBelow(folder: string): string[] {
  return fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => !file.includes('.reverie-trash'))
    .sort();
}

/** What a folder says, told without the program that follows it: the text of each note by its path. */
export function notesBelow(root: string): Record<string, string> {
  const notes = filesBelow(root)
    .filter((file) => /\.(md|txt)$/.test(file) && !path.basename(file).startsWith('draft-'))
    .map((file): [string, string] => [
      path.relative(root, file).split(path.sep).join('/').normalize('NFC'),
      fs.readFileSync(file, 'utf8'),
    ]);
  return Object.fromEntries(notes.filter(([, text]) => text.trim() !== ''));
}

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { addFolder, listFolders } from '@reverie/shared/contract/memories/folders';
import { listMemories, setMemory } from '@reverie/shared/contract/memories/memories';
import { type AttackedDaemon, eventually } from '../grounds.ts';
import { secretWord, wordsIn } from '../planted.ts';
import { one, type Random, whole } from '../random.ts';
import { during, isWell, shoot, type Surface, startLoaded } from './surface.ts';

const NAMESPACE = 'notes';
const rep = (text: string, length: number) => text.repeat(Math.ceil(length / text.length)).slice(0, length);

/** Notes whose frontmatter, name or bytes are none. */
const NOTES: readonly [string, string | Buffer][] = [
  ['no end.md', '---\ntitle: x\ntext'],
  [
    'bomb.md',
    `---\na: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b]\nd: [*c,*c,*c,*c,*c,*c,*c,*c]\n---\ntext`,
  ],
  ['deep.md', `---\na: ${rep('[', 100_000)}\n---\ntext`],
  [
    'large frontmatter.md',
    `---\n${Array.from({ length: 20_000 }, (_, n) => `k${n}: ${n}`).join('\n')}\n---\ntext`,
  ],
  ['tabs.md', '---\n\ttitle:\t[\n---\ntext'],
  ['prototype.md', '---\n__proto__: { a: 1 }\nconstructor: 1\n---\ntext'],
  ['tag.md', '---\na: !!js/function "x"\nb: !!binary "AA=="\nc: 2026-99-99\n---\ntext'],
  ['twin.md', 'one twin'],
  ['Twin.md', 'another twin'],
  ['twin.markdown', 'a third twin'],
  ['caf\u00e9.md', 'composed'],
  ['cafe\u0301.md', 'decomposed'],
  [' .md', 'a blank'],
  [`${rep('n', 240)}.md`, 'a long name'],
  ['line\nbreak.md', 'a break'],
  ['\u202egnp.md', 'turned'],
  ['empty.md', ''],
  ['nul.md', 'a\u0000b'],
  ['latin.md', Buffer.from('caf\xe9', 'latin1')],
  ['wide.md', Buffer.from('\ufeffwide', 'utf16le')],
  ['half.md', Buffer.from([0x61, 0xed, 0xa0, 0x80])],
  ['3 MB.md', rep('All work and no play. ', 3_000_000)],
  ['one word.md', rep('a_', 900_000)],
  ['brackets.md', rep('[[', 200_000)],
  ['headings.md', rep('# x\n', 300_000)],
];

/** Folders that are followed both ways, full of what is no note, while files become folders, pipes and links, and back. */
export const folders: Surface = {
  name: 'folders',
  async run(scene) {
    const { section, grounds, random, times } = scene;
    const daemon = await startLoaded(scene, 'folders');
    const folder = path.join(grounds.folder, 'notes');
    const outside = path.join(grounds.folder, 'outside');
    const words = [secretWord(random), secretWord(random)];
    for (const at of [folder, outside]) fs.mkdirSync(at);
    fs.writeFileSync(path.join(outside, 'secret.md'), `The safe opens with ${words[0]}.`);
    fs.writeFileSync(path.join(folder, 'kept.md'), 'kept as it is\n');
    plant(folder, outside);
    const key = { Authorization: `Bearer ${daemon.ownerKey}`, 'Content-Type': 'application/json' };
    const post = (body: object) => ({
      method: 'POST',
      path: '/v1/folders',
      headers: key,
      body: JSON.stringify(body),
    });
    await shoot(section, daemon, {
      mayTakeMs: 5000,
      shots: [
        '/dev/zero',
        '/proc/self/mem',
        '\u0000',
        'x',
        '',
        '/',
        rep('/a', 4000),
        path.join(folder, 'pipe.md'),
        path.join(folder, 'loop'),
        daemon.home.folder,
        '/nowhere',
      ].map((at) => ({
        what: `follow ${at.slice(-30)}`,
        sent: post({ path: at, namespace: 'odd' }),
        expected: [400, 404, 409, 413],
      })),
    });
    await during({ section, target: daemon }, 'a folder of odd notes is followed', async () => {
      await daemon.call(addFolder, {
        body: { path: folder, namespace: NAMESPACE, sync: 'both', format: 'markdown' },
      });
      await memoryIs(daemon, 'kept.md', 'kept as it is');
    });
    const rounds = Math.ceil(times / 4);
    for (let round = 0; round < rounds; round += 1)
      await during({ section, target: daemon }, `round ${round} of changes`, async () => {
        change(folder, outside, random);
        section.did('changes');
        if (round % 5 === 0)
          await daemon.call(setMemory, {
            body: { namespace: NAMESPACE, key: `written ${round}.md`, value: `by us ${round}` },
          });
        await memoryIs(daemon, 'kept.md', 'kept as it is');
      });
    // What is written last is there, and what was acknowledged has its file.
    fs.writeFileSync(path.join(folder, 'last.md'), 'the last note');
    if (!(await memoryIs(daemon, 'last.md', 'the last note')))
      section.found('lost', 'a note that was written last is no memory after 20 s');
    const written = Array.from({ length: rounds }, (_, n) => n).filter((n) => n % 5 === 0);
    for (const n of written) {
      const file = path.join(folder, `written ${n}.md`);
      const stands = await eventually(
        () =>
          fs.existsSync(file) && fs.readFileSync(file, 'utf8').includes(`by us ${n}`) ? true : undefined,
        { withinMs: 20_000 },
      );
      const remembered = await memoryIs(daemon, `written ${n}.md`, `by us ${n}`);
      if (!stands || !remembered)
        section.found(
          'lost',
          `written ${n}.md is ${remembered ? 'remembered, and has no file' : 'not remembered'}`,
        );
    }
    section.did('acknowledged writes', written.length + 2);
    if (fs.readFileSync(path.join(folder, 'kept.md'), 'utf8') !== 'kept as it is\n')
      section.found('lost', 'a file that nobody changed is another');
    if (
      fs.readFileSync(path.join(outside, 'secret.md'), 'utf8') !== `The safe opens with ${words[0]}.` ||
      fs.readdirSync(outside).length !== 1
    )
      section.found('wrong', 'something was written outside of the folder');
    const all = JSON.stringify([
      await daemon.call(listMemories, { body: { namespace: NAMESPACE, limit: 100 } }),
      await daemon.call(listFolders, {}),
    ]);
    if (wordsIn(all, new Set(words)).length > 0)
      section.found('readable', 'what stands outside of the folder was taken');
    await isWell(section, daemon);
  },
};

function memoryIs(daemon: AttackedDaemon, key: string, value: string): Promise<true | undefined> {
  return eventually(
    async () => {
      const { memories } = await daemon.call(listMemories, { body: { namespace: NAMESPACE, prefix: key } });
      return memories.some((memory) => memory.key === key && memory.value?.trim() === value)
        ? true
        : undefined;
    },
    { withinMs: 20_000, everyMs: 100 },
  );
}

function plant(folder: string, outside: string): void {
  for (const [name, bytes] of NOTES) fs.writeFileSync(path.join(folder, name), bytes);
  execFileSync('mkfifo', [path.join(folder, 'pipe.md')]);
  fs.symlinkSync('loop', path.join(folder, 'loop'));
  fs.symlinkSync('.', path.join(folder, 'itself'));
  fs.symlinkSync('link.md', path.join(folder, 'link.md'));
  fs.symlinkSync(outside, path.join(folder, 'out'));
  fs.symlinkSync(path.join(outside, 'secret.md'), path.join(folder, 'secret.md'));
  fs.symlinkSync('/dev/zero', path.join(folder, 'zero.md'));
  fs.mkdirSync(path.join(folder, 'a folder.md'));
  fs.mkdirSync(path.join(folder, ...Array<string>(60).fill('deep')), { recursive: true });
  fs.writeFileSync(path.join(folder, ...Array<string>(60).fill('deep'), 'down.md'), 'deep down');
  fs.writeFileSync(path.join(folder, '.gitignore'), `${rep('*', 5000)}x\n[\n!\\\n`);
}

/** Makes something else of a file: a folder, a pipe, a link outside, another note, nothing. */
function change(folder: string, outside: string, random: Random): void {
  const name = `changing ${whole(random, 0, 5)}.md`;
  const at = path.join(folder, name);
  const what = one(random, ['file', 'folder', 'pipe', 'link', 'loop', 'gone', 'locked', 'odd'] as const);
  if (fs.lstatSync(at, { throwIfNoEntry: false })) fs.rmSync(at, { recursive: true, force: true });
  if (what === 'file') fs.writeFileSync(at, `a note ${random()}`);
  if (what === 'folder') {
    fs.mkdirSync(at);
    fs.writeFileSync(path.join(at, 'inside.md'), 'inside');
  }
  if (what === 'pipe') execFileSync('mkfifo', [at]);
  if (what === 'link') fs.symlinkSync(path.join(outside, 'secret.md'), at);
  if (what === 'loop') fs.symlinkSync(name, at);
  if (what === 'locked') fs.writeFileSync(at, 'locked', { mode: 0 });
  if (what === 'odd') fs.writeFileSync(at, one(random, NOTES)?.[1] ?? '');
}

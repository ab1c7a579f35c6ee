import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { memoryAttachments } from '@reverie/shared/contract/memories/attachments';
import { addFolder, listFolders } from '@reverie/shared/contract/memories/folders';
import { memoryGraph } from '@reverie/shared/contract/search/graph';
import { memoryLinks } from '@reverie/shared/contract/memories/links';
import { listMemories } from '@reverie/shared/contract/memories/memories';
import { renameMemory } from '@reverie/shared/contract/memories/naming';
import { searchMemories } from '@reverie/shared/contract/search/search';
import { seconds } from '@reverie/shared/testing/patience';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { verifyDatabase } from '../../db/backup/verify.ts';
import { startTestDaemon, temporaryFolder, type TestDaemon } from '../../testing.ts';

let daemon: TestDaemon;
let temporary: { folder: string; remove: () => void };
let root = '';
beforeEach(async () => {
  daemon = await startTestDaemon();
  temporary = temporaryFolder();
  root = path.join(fs.realpathSync(temporary.folder), 'vault');
  fs.mkdirSync(root);
});
afterEach(async () => {
  await daemon.stop();
  temporary.remove();
});

const namespace = 'vault';
const SECRET = 'nobody-may-read-this-outside';
const at = (name: string) => path.join(root, name);
function put(name: string, text: string | Buffer): void {
  fs.mkdirSync(path.dirname(at(name)), { recursive: true });
  fs.writeFileSync(at(name), text);
}
const times = <T>(count: number, make: (at: number) => T) => Array.from({ length: count }, (_, n) => make(n));
/** Something outside the vault, for what leads out of it. */
function outside(): string {
  const folder = path.join(path.dirname(root), 'outside');
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(path.join(folder, 'secret.md'), SECRET);
  fs.writeFileSync(path.join(folder, 'secret.png'), SECRET);
  return folder;
}
const PNG = Buffer.from('89504e470d0a1a0a', 'hex');
const SVG = '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(1)</script></svg>';

/** Vaults that somebody made to break what reads them, or that came out so by accident. */
const VAULTS: Readonly<Record<string, () => void>> = {
  'links in a ring': () => {
    for (const n of times(300, (one) => one)) put(`${n}.md`, `[[${(n + 1) % 300}]]`);
  },
  'a note that leads to itself': () => put('a.md', '[[a]] ![[a]] [[a#a]] ![[a#^a]] ^a'),
  'embeds of embeds, in a ring': () => {
    for (const n of times(60, (one) => one)) put(`${n}.md`, `![[${(n + 1) % 60}]] `.repeat(20));
  },
  '10,000 links in a note': () => put('a.md', times(10_000, (n) => `[[n${n % 400}|${n}]]`).join(' ')),
  '10,000 links to one note': () => {
    put('hub.md', '# Hub');
    for (const n of times(500, (one) => one)) put(`from/${n}.md`, '[[hub]] '.repeat(20));
  },
  'aliases that all say the same': () => {
    for (const n of times(200, (one) => one)) put(`${n}.md`, '---\naliases: [same, same]\n---\n[[same]]');
  },
  'ten thousand aliases': () =>
    put('a.md', `---\naliases: [${times(10_000, (n) => `x${n}`).join(', ')}]\n---\n[[x9999]]`),
  'brackets that are never closed': () => put('a.md', '[['.repeat(50_000)),
  'links in links': () => put('a.md', `${'[['.repeat(5_000)}a${']]'.repeat(5_000)}`),
  'a link of 100,000 characters': () =>
    put('a.md', `[[${'x'.repeat(100_000)}]] [y](${'../'.repeat(30_000)}etc)`),
  'headings without end': () => put('a.md', `${'# h\n'.repeat(20_000)}[[a#h]]`),
  'block ids without end': () =>
    put('a.md', `${times(20_000, (n) => `line ^b${n}`).join('\n')}\n[[a#^b19999]]`),
  'links that lead out': () => {
    outside();
    put(
      'a.md',
      '![[../outside/secret.png]] [x](../outside/secret.md) [y](/etc/passwd) [z](file:///etc/passwd)',
    );
    put('deep/b.md', '[x](../../outside/secret.md) ![](%2e%2e/%2e%2e/outside/secret.png)');
  },
  'files that are links out': () => {
    const folder = outside();
    fs.symlinkSync(path.join(folder, 'secret.md'), at('link.md'));
    fs.symlinkSync(path.join(folder, 'secret.png'), at('link.png'));
    fs.symlinkSync(folder, at('folder'));
    fs.symlinkSync(root, at('round'));
    put('a.md', '![[link.png]] [[link]] [[folder/secret]] ![[folder/secret.png]]');
  },
  'pipes in the place of files': () => {
    execFileSync('mkfifo', [at('pipe.md'), at('pipe.png')]);
    put('a.md', '![[pipe.png]] [[pipe]]');
  },
  'scripts in pictures': () => {
    put('bad.svg', SVG);
    put('bad.png', SVG);
    put('bad.pdf', '%PDF-1.7 <script>alert(1)</script>');
    put('a.md', '![[bad.svg]] ![[bad.png]] [[bad.pdf]] <img src=x onerror=alert(1)>');
  },
  'pictures of 500 MB': () => {
    for (const n of times(20, (one) => one)) {
      put(`${n}.png`, Buffer.concat([PNG, Buffer.from([n])]));
      fs.truncateSync(at(`${n}.png`), 25_000_000);
    }
    put('huge.png', PNG);
    fs.truncateSync(at('huge.png'), 2_000_000_000);
    put('a.md', `${times(20, (n) => `![[${n}.png]]`).join(' ')} ![[huge.png]]`);
  },
  'pictures that are none': () => {
    put('empty.png', '');
    put('html.png', '<!doctype html><script>alert(1)</script>');
    put('a.md', '![[empty.png]] ![[html.png]] ![[missing.png]]');
  },
  'names that differ by case': () => {
    put('Note.md', 'upper [[note]]');
    put('note.md', 'lower [[Note]]');
    put('NOTE.md', 'loud [[nOTE]]');
  },
  'names that differ by form': () => {
    put('ä.md'.normalize('NFC'), 'composed [[ä]]');
    put('ä.md'.normalize('NFD'), 'decomposed [[ä]]');
    put('Å.md', 'a ring');
    put('Å.md', 'the unit');
  },
  'names of signs': () => {
    for (const name of [
      'con',
      'a:b',
      'a?b',
      'a"b',
      "a'b",
      '%2e%2e',
      '..a',
      '-rf',
      '$(x)',
      '`x`',
      'a\\b',
      '#a',
      'a^b',
      'a|b',
      '[a]',
    ])
      put(`${name}.md`, `[[${name}]]`);
  },
  'names that cannot be seen': () => {
    put('\u202egpj.md', 'turned round');
    put('\u200b.md', 'no width');
    put('a\u0000b'.replace('\u0000', '\u0001') + '.md', 'a control sign');
    put(' .md', 'a blank');
    put('\u3164.md', 'a filler');
  },
  'a name that is no UTF-8': () => {
    put('good.md', 'good');
    fs.writeFileSync(
      Buffer.concat([Buffer.from(`${root}/`), Buffer.from([0xff, 0xfe]), Buffer.from('.md')]),
      'bytes',
    );
  },
  'names as long as may be': () => {
    put(`${'x'.repeat(251)}.md`, 'long');
    put(`${times(40, () => 'folder'.repeat(8)).join('/')}/deep.md`, 'deep');
  },
  'folders that are called as notes': () => {
    put('a.md/b.md', 'below');
    put('b.png/c.md', '![[b.png]]');
  },
  'front matter that explodes': () => {
    put(
      'bomb.md',
      `---\na: &a [x,x,x,x,x,x,x,x,x]\n${times(9, (n) => `${'bcdefghij'[n]}: &${'bcdefghij'[n]} [${times(9, () => `*${'abcdefghi'[n]}`).join(',')}]`).join('\n')}\n---\nbomb`,
    );
    put('deep.md', `---\na: ${'['.repeat(2_000)}${']'.repeat(2_000)}\n---\ndeep`);
    put(
      'proto.md',
      '---\n__proto__: { polluted: yes }\nconstructor: x\ntags: { a: 1 }\naliases: 7\ndate: 9999999999999999\n---\nproto',
    );
    put('open.md', '---\ntitle: never closed\n');
  },
  'dates of no calendar': () => {
    put('2024-13-45.md', 'no day');
    put('0000-00-00.md', 'no year');
    put('2024-02-30 x.md', '---\ndate: 275760-09-14\ncreated: -1\n---\nfar');
  },
  'bytes that are no text': () => {
    put('nul.md', Buffer.from([0x61, 0, 0x62]));
    put('latin.md', Buffer.from([0xe4, 0xf6, 0xfc]));
    put('utf16.md', Buffer.from('\ufeffwide', 'utf16le'));
    put('lone.md', Buffer.from([0xed, 0xa0, 0x80]));
    put('good.md', 'good');
  },
  'notes without text': () => {
    put('empty.md', '');
    put('blank.md', ' \n\t\n');
    put('bom.md', '\ufeff');
    put('good.md', 'good');
  },
  'a note of ten megabytes': () => put('a.md', `# Long\n\n${'[[b]] word '.repeat(900_000)}`),
  'rules that ignore everything, and cannot be read': () => {
    put('.gitignore', `${'**/'.repeat(2_000)}x\n[\n!(((\n${'a*'.repeat(500)}b\n`);
    put(`${'a'.repeat(200)}.md`, 'here');
  },
  'settings of Obsidian that are none': () => {
    put('.obsidian/app.json', '{"attachmentFolderPath": "../outside"');
    put('.obsidian/daily-notes.json', '{"folder": "../../outside", "format": "/etc/passwd"}');
    put(
      'logseq/config.edn',
      `{:journals-directory "../outside" :journal/page-title-format "${'E'.repeat(5_000)}"}`,
    );
    put('a.md', '[[b]]');
  },
};

test.each(Object.entries(VAULTS))(
  '%s: nothing is lost without a word, nothing leaks, and all goes on',
  async (_, make) => {
    make();
    await daemon.call(addFolder, { body: { path: root, namespace, sync: 'both' } });
    const folder = await vi.waitFor(
      async () => {
        const [one] = (await daemon.call(listFolders, {})).folders;
        expect(one?.state).toEqual({ kind: 'watching' });
        return one;
      },
      { timeout: seconds(60), interval: 100 },
    );
    const { memories } = await daemon.call(listMemories, { body: { namespace, limit: 1000 } });
    const named = new Set(folder?.issues.map((issue) => issue.path));
    const texts = new Set(memories.map(({ value }) => value));
    const silent = notesOf(root).filter(
      (file) => !named.has(file.normalize('NFC')) && !texts.has(fs.readFileSync(at(file), 'utf8')),
    );
    expect(silent, 'neither here nor named').toEqual([]);
    for (const { key } of memories.slice(0, 20)) {
      await daemon.call(memoryLinks, { query: { namespace, key } });
      await daemon.call(memoryAttachments, { query: { namespace, key } });
    }
    await daemon.call(memoryGraph, { query: { namespace } });
    const { results } = await daemon.call(searchMemories, { body: { query: SECRET, namespace } });
    expect(JSON.stringify(results)).not.toContain(SECRET);
    const [first] = memories;
    // A twin of another name, or one whose name was cut, has no file at its key.
    if (first && fs.existsSync(at(first.key))) {
      await daemon.call(renameMemory, {
        body: { key: first.key, namespace, to: { key: 'renamed/by hand.md' } },
      });
      await vi.waitFor(() => expect(fs.existsSync(at('renamed/by hand.md'))).toBe(true), {
        timeout: seconds(20),
      });
    }
    const stored = fs.existsSync(daemon.home.attachments) ? fs.readdirSync(daemon.home.attachments) : [];
    for (const name of stored)
      expect(fs.readFileSync(path.join(daemon.home.attachments, name)).includes(SECRET)).toBe(false);
    expect(verifyDatabase(daemon.home.database).problems).toEqual([]);
  },
  seconds(120),
);

/** The notes below a folder, relative, found without the program that follows it; no link is followed. */
function notesOf(folder: string, below = ''): string[] {
  return fs.readdirSync(path.join(folder, below), { withFileTypes: true }).flatMap((entry) => {
    const file = path.join(below, entry.name);
    if (entry.name.startsWith('.') || entry.name.includes('\ufffd')) return [];
    if (entry.isDirectory()) return notesOf(folder, file);
    return entry.isFile() && /\.(md|txt)$/u.test(entry.name) ? [file] : [];
  });
}

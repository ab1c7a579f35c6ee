import { runs } from '@reverie/shared/testing/depth';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  foldName,
  type FindNamed,
  type Leading,
  type NamedNote,
  namesOfNote,
  resolveLink,
} from './note-names.ts';
import { obsidianLeads, type VaultNote } from '../testing/obsidian.ts';

/** A vault as the daemon keeps it: notes by the names that they answer to. */
function namedIn(vault: readonly VaultNote[]): FindNamed {
  const named = vault.flatMap(({ key, value }, id) =>
    [...namesOfNote({ key, value, metadata: {} })].map(([name, kind]) => ({
      name,
      note: { id, key, path: foldName(key), kind } satisfies NamedNote,
    })),
  );
  return (name) => named.filter((one) => one.name === name).map(({ note }) => note);
}

const leads = (vault: readonly VaultNote[], from: string, link: Partial<Leading>) =>
  resolveLink({ form: 'wiki', target: '', part: '', ...link }, from, namedIn(vault))?.key;

describe('a link', () => {
  const vault = [
    'beta.md',
    'a/beta.md',
    'a/deep/er/beta.md',
    'a/deep/er/only.md',
    'z/only.md',
    'b/Straße.md',
    'b/Cafe\u0301.md',
    'pages/Ns___What is it%3F.md',
    'c#sharp',
    'b/image.png',
  ].map((key) => ({ key, value: 'Nothing.' }));
  it.each([
    ['x.md', 'beta', 'beta.md'],
    ['x.md', 'BETA.md', 'beta.md'],
    ['a/x.md', 'beta', 'beta.md'],
    ['a/x.md', './beta', 'a/beta.md'],
    ['a/x.md', '../beta', 'beta.md'],
    ['a/x.md', '../../beta', undefined],
    ['a/x.md', '/beta', 'beta.md'],
    ['a/x.md', 'er/beta', 'a/deep/er/beta.md'],
    ['x.md', 'deep/beta', undefined],
    ['x.md', 'only', 'z/only.md'],
    ['a/x.md', 'only', 'a/deep/er/only.md'],
    ['x.md', 'straße', 'b/Straße.md'],
    ['x.md', 'CAFÉ', 'b/Cafe\u0301.md'],
    ['x.md', 'ns/what is it?', 'pages/Ns___What is it%3F.md'],
    ['x.md', 'image.png', 'b/image.png'],
    ['x.md', '', undefined],
  ])('from %s to %j leads to %s', (from, target, to) => {
    expect(leads(vault, from, { target })).toBe(to);
  });

  it('names a key with a number sign, and is a path first where it is one of Markdown', () => {
    expect(leads(vault, 'x.md', { target: 'c', part: '#sharp' })).toBe('c#sharp');
    expect(leads(vault, 'a/x.md', { target: 'beta.md', form: 'markdown' })).toBe('a/beta.md');
    expect(leads(vault, 'q/x.md', { target: 'beta.md', form: 'markdown' })).toBe('beta.md');
  });

  it('leads by an alias, then by a title, and by no title that was cut', () => {
    const long =
      'A heading that is so long that it has to be cut somewhere, which nobody will ever write again';
    const named = [
      { key: '1', value: '---\nalias: Heap, Pile\n---\n# Compost' },
      { key: '2', value: '---\naliases:\n  - "Doe, John"\n---\n# Heap' },
      { key: '3', value: `# ${long}` },
      { key: '4', value: 'title:: Page of a name\nalias:: Short, Other name\n\n- text' },
    ];
    const to = (target: string) => leads(named, 'x', { target });
    expect(['heap', 'pile', 'compost', 'Doe, John', 'Doe'].map(to)).toEqual(['1', '1', '1', '2', undefined]);
    expect([long, 'page of a NAME', 'short', 'Other name'].map(to)).toEqual([undefined, '4', '4', '4']);
    expect(leads(named, 'x', { target: 'heap', form: 'markdown' })).toBeUndefined();
  });
});

describe('the rules of Obsidian', () => {
  const name = fc.constantFrom('x', 'X', 'caf\u00e9', 'cafe\u0301', 'z.1');
  const folder = fc.constantFrom('', 'a/', 'A/', 'a/b/', 'b/', 'b/a/b/', 'a/b/x/', 'x.md/');
  const ending = fc.constantFrom('.md', '.md', '.md', '', '.MD', '.txt');
  const key = fc.tuple(folder, name, ending).map((parts) => parts.join(''));
  const value = fc.oneof(
    fc.constant('Text.'),
    name.map((title) => `# ${title}\n`),
    fc.tuple(name, name).map(([alias, title]) => `---\naliases: [${alias}]\n---\n# ${title}`),
  );
  const vaults = fc.uniqueArray(fc.record({ key, value }), {
    selector: (note) => note.key,
    maxLength: 20,
    size: 'max',
  });
  const start = fc.constantFrom('', '', '', '/', './', '../', '../../../', 'a/../');
  const target = fc.tuple(start, folder, name, fc.constantFrom('', '', '.md')).map((parts) => parts.join(''));

  const links = fc
    .tuple(target, fc.boolean())
    .map(([written, isWiki]) => ({ form: isWiki ? 'wiki' : 'markdown', target: written, part: '' }) as const);

  it('lead every link of a made-up vault where these do', () => {
    fc.assert(
      fc.property(vaults, key, links, (vault, from, link) => {
        expect(leads(vault, from, link)).toBe(obsidianLeads(vault, from, link));
      }),
      { numRuns: runs(1_000, 50_000) },
    );
  });
});

import fc from 'fast-check';
import { expectLinear } from '@reverie/shared/testing/linear';
import { expect, test } from 'vitest';
import { foldName, lastPart } from '../../language/notes/note-names.ts';
import { createFileResolver, fileNamed, resolveFile } from './naming.ts';

const part = fc.constantFrom('a', 'b', 'B', 'c');
const name = fc.constantFrom('x.png', 'X.png', 'y.png');
const place = fc
  .tuple(fc.array(part, { maxLength: 4 }), name)
  .map(([parts, last]) => [...parts, last].join('/'));
const lead = fc.constantFrom('', '', '/', './', '../', '../../');

test('a link leads to the same file as where all that are called so are looked at', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(place, { maxLength: 30 }),
      fc.array(fc.record({ lead, place, from: place, form: fc.constantFrom('wiki', 'markdown') }), {
        minLength: 1,
        maxLength: 20,
      }),
      (paths, links) => {
        const all = paths.map(fileNamed);
        const resolve = createFileResolver(paths);
        for (const { lead: way, place: to, from, form } of links) {
          const link = { form, target: `${way}${to}`, part: '' } as const;
          const among = (folded: string) => all.filter(({ path }) => lastPart(path) === folded);
          expect(resolve(link, from)).toBe(resolveFile(link, from, among));
        }
      },
    ),
  );
});

test('thousands of files that are called the same take no link longer', async () => {
  await expectLinear((length) => {
    const resolve = createFileResolver(
      Array.from({ length: length / 8 }, (_, n) => `photos/${n % 50}/${n}/image.png`),
    );
    for (let n = 0; n < length; n += 1) {
      const target = n % 3 === 0 ? 'image.png' : `${n}/image.png`;
      resolve({ form: 'wiki', target, part: '' }, `notes/${n}/note.md`);
    }
  }, 16_000);
});

test('what is deep is found by its path, and by what it is called', () => {
  const deep = `${'d/'.repeat(100)}x.png`;
  const resolve = createFileResolver([deep]);
  const to = (target: string) => resolve({ form: 'wiki', target, part: '' }, 'note.md');
  expect(to(deep)).toBe(deep);
  expect(to(foldName('X.png'))).toBe(deep);
});

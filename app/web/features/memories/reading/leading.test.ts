import { expect, test } from 'vitest';
import { leadingIn, mayLink } from './leading.ts';

const link = (written: string, to: string, found: boolean) => ({ link: written, to, text: written, found });

test('a link leads where the daemon says, and a dead one to the key under which it would be written', () => {
  const out = [
    link('beta#Part', 'a/beta.md', true),
    link('gone', 'gone', false),
    link('../x y.md', '../x y.md', false),
  ];
  const leadsTo = leadingIn(out, 'a/b.md');
  expect(leadsTo('beta #Part')).toEqual({ target: { key: 'a/beta.md' }, isFound: true });
  expect(leadsTo('gone')).toEqual({ target: { key: 'gone.md' }, isFound: false });
  expect(leadsTo('../x y.md')).toEqual({ target: { key: 'x y.md' }, isFound: false });
  const block = { ...link('((1-2))', 'a/beta.md', true), block: '## What **it** says' };
  expect(leadingIn([block], 'a')('((1-2))')).toMatchObject({ isFound: true, says: 'What it says' });
  expect(leadsTo('unknown')).toBeUndefined();
  expect(leadingIn(out, 'plain')('gone')?.target).toEqual({ key: 'gone' });
});

test('most texts have no links', () => {
  expect(['[[a]]', '[a](b.md)', '[a]: b', 'a ((b))', 'a [b] (c)', '[ ] open'].map(mayLink)).toEqual([
    true,
    true,
    true,
    true,
    false,
    false,
  ]);
});

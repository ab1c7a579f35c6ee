import { describe, expect, it } from 'vitest';
import { connect } from './connect.ts';
import { devSet } from './fixtures/dev-set.ts';
import { contextOf, viewOf, type Written } from './fixtures/view.ts';

describe('connect, of what other memories say', () => {
  it('does not link by a bare name what are the nearest of each other anyway', async () => {
    const pair = [
      {
        at: '2026-06-01',
        key: 'a',
        value:
          'According to the wife of the baker bees do best on the heath, she would put every hive up at Tilbrack.',
      },
      {
        at: '2026-09-20',
        key: 'b',
        value:
          'Took the green hive to the heather at Tilbrack for three weeks, the man there offers us a shed; the other two stay with the hens by the pond.',
      },
    ];
    const links = async (isNear: boolean) => {
      const neighbours = (id: number) =>
        isNear && id > devSet.length
          ? [{ id: id === devSet.length + 1 ? id + 1 : id - 1, rank: 1, cosine: 0.9 }]
          : [];
      const view = viewOf([...devSet, ...pair], { neighbours });
      return (await connect.run(view, contextOf())).filter(({ content }) => content === 'link tilbrack')
        .length;
    };
    expect([await links(false), await links(true)]).toEqual([1, 0]);
  });

  it('does not link what is one of a series', async () => {
    const rows = (name: string) => [
      {
        at: '2026-02-01',
        key: `timeout/${name.length}`,
        value: `Each request towards ${name} fails after 5 s.`,
      },
      {
        at: '2026-07-01',
        key: `limit/${name.length}`,
        value: `The partner ${name} offers 20 calls per second.`,
      },
    ];
    const links = async (...names: string[]) =>
      (await connect.run(viewOf([...devSet, ...names.flatMap(rows)]), contextOf())).flatMap(({ content }) =>
        /fuch|blitz/u.test(content) ? [content] : [],
      );
    expect([await links('Paketfuchs'), await links('Paketfuchs', 'Eilbotenblitz')]).toEqual([
      ['link paketfuch'],
      [],
    ]);
  });

  it('does not link by what the key of a third one names', async () => {
    const third = { at: '2026-06-02', key: 'people/velthuizen', value: 'Has a boat.' };
    const pair = [
      { at: '2026-06-01', key: 'home/shelf', value: 'We want Velthuizen for the shelf.' },
      { at: '2026-09-01', key: 'diary/june', value: 'Velthuizen offers a discount.' },
    ];
    const links = async (more: readonly Written[]) =>
      (await connect.run(viewOf([...devSet, ...pair, ...more]), contextOf())).filter(
        ({ content }) => content === 'link velthuizen',
      ).length;
    expect([await links([]), await links([third])]).toEqual([1, 0]);
  });

  it('does not link by what more than three memories name', async () => {
    const many = ['a', 'b', 'c', 'd'].map((key) => ({
      at: '2026-06-01',
      key: `${key}/x`,
      value: `In ${key} stands KB-4471.`,
    }));
    const links = await connect.run(viewOf([...devSet, ...many]), contextOf());
    expect(links.filter(({ evidence }) => evidence.some(({ key }) => key.endsWith('/x')))).toEqual([]);
  });

  it('leaves to a model what is named in passing, and proposes it where one note has what the other lacks', async () => {
    const told = async (one: string, other: string) => {
      const view = viewOf([
        ...devSet,
        { at: '2026-06-01', key: 'a', value: one },
        { at: '2026-09-20', key: 'b', value: other },
      ]);
      const isTheirs = ({ content }: { content: string }) => content === 'link tilbrack';
      const [proposed, asked] = await Promise.all([
        connect.run(view, contextOf()),
        connect.nominees?.(view, contextOf()),
      ]);
      return [proposed.some(isTheirs), asked?.some(isTheirs)];
    };
    expect(
      await told('Flat tyre of the cargo bike at Tilbrack.', 'Ola has her test close to Tilbrack.'),
    ).toEqual([false, true]);
    expect(
      await told(
        'The pump of the Tilbrack press is broken.',
        'An old Tilbrack is given away by a neighbour.',
      ),
    ).toEqual([true, false]);
    // `Found` and `cheap` say little by themselves.
    expect(await told('Found a hat in Tilbrack.', 'Ola has her test close to Tilbrack.')).toEqual([
      false,
      true,
    ]);
  });

  it('does not link by a title that has the name of something that more notes speak of', async () => {
    const pair = [
      { at: '2026-06-01', key: 'a', value: 'Museum Tilbrack wants the shelf back.' },
      { at: '2026-09-01', key: 'b', value: 'Museum Tilbrack offers to lend a lamp.' },
    ];
    const third = { at: '2026-07-01', key: 'c', value: 'Tilbrack has no lift.' };
    const links = async (more: readonly Written[]) =>
      (await connect.run(viewOf([...devSet, ...pair, ...more]), contextOf())).filter(({ content }) =>
        content.includes('tilbrack'),
      ).length;
    expect([await links([]), await links([third])]).toEqual([1, 0]);
  });

  it('takes a part number as one though nothing is said of it, and a program where something is wrong with it', async () => {
    const links = async (one: string, other: string) =>
      (
        await connect.run(
          viewOf([
            ...devSet,
            { at: '2026-06-01', key: 'a', value: one },
            { at: '2026-09-01', key: 'b', value: other },
          ]),
          contextOf(),
        )
      ).filter(({ content }) => /kb8841|openjpk/u.test(content)).length;
    expect(await links('The shelf has a KB-8841 in it.', 'Under the bed stands a KB-8841.')).toBe(1);
    expect(
      await links(
        'The lab delivers its scans as OpenJPK frames.',
        'OpenJPK 0.21 corrupts each second plane.',
      ),
    ).toBe(1);
    expect(
      await links(
        'The lab delivers its scans as OpenJPK frames.',
        'A stranger wore a shirt with OpenJPK on it.',
      ),
    ).toBe(0);
  });
});

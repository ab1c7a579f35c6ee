import { describe, expect, it } from 'vitest';
import { devSet } from './fixtures/dev-set.ts';
import { contextOf, viewOf, type Written } from './fixtures/view.ts';
import { refine } from './refine.ts';

describe('refine, of values that moved', () => {
  const updatesOf = async (one: string, other: string, more: Partial<Written> = {}) =>
    (
      await refine.run(
        viewOf([
          ...devSet,
          { at: '2026-03-01', key: 'older', value: one, ...more },
          { at: '2026-06-01', key: 'newer', value: other, ...more },
        ]),
        contextOf(),
      )
    ).flatMap(({ change, title }) =>
      change?.kind === 'update' && change.key === 'older' ? [{ ...change, title }] : [],
    );

  it.each([
    [
      'a port',
      'The quill editor listens on port 8081. It needs no password.',
      'The quill editor listens on port 9181 now.',
      'The quill editor listens on port 9181. It needs no password.',
    ],
    [
      'a weekday',
      'Pottery with Corinna is on Tuesdays.',
      'Since May pottery with Corinna is on Thursdays.',
      'Pottery with Corinna is on Thursdays.',
    ],
    [
      'a number in words',
      "Six eggs go into Corinna's sponge.",
      "Corinna's sponge: four eggs go into it, she corrected me.",
      "Four eggs go into Corinna's sponge.",
    ],
    [
      'a tool',
      'The quill repo installs with yarn.',
      'The quill repo installs with pnpm now.',
      'The quill repo installs with pnpm.',
    ],
    [
      'what is told from old to new',
      'Rent of the studio is 410 euro.',
      'Rent of the studio was raised from 410 to 440 euro.',
      'Rent of the studio is 440 euro.',
    ],
  ])('brings up to date %s that moved', async (...[, one, other, value]) => {
    expect(await updatesOf(one, other)).toEqual([
      { kind: 'update', key: 'older', value, title: expect.stringContaining('"older" says') as string },
    ]);
  });

  it.each([
    [
      'nobody says that it changed',
      'The quill editor listens on port 8081.',
      'The quill editor listens on port 9181.',
    ],
    [
      'it is another one',
      'The quill editor listens on port 8081.',
      'The Vellum editor listens on port 9181 now.',
    ],
    ['it is a reading', 'Weighed the dog of Corinna, 18 kg.', 'Weighed the dog of Corinna, 17 kg now.'],
    [
      'it is asked',
      'The quill editor listens on port 8081.',
      'Does the quill editor listen on port 9181 now?',
    ],
    [
      'it is planned',
      'The quill editor listens on port 8081.',
      'The quill editor will listen on port 9181 instead.',
    ],
    [
      'it is of another kind',
      'The quill editor listens on port 8081.',
      'The quill editor listens at 10:30 now.',
    ],
    [
      'several values differ',
      'The quill editor takes 8 pages and 3 fonts.',
      'The quill editor takes 9 pages and 4 fonts now.',
    ],
  ])('leaves a value where %s', async (_, one, other) => {
    expect(await updatesOf(one, other)).toEqual([]);
    // The same with what says that it changed, so that the silence is not for want of a pair.
    expect(
      await updatesOf('The quill editor has 8 columns.', 'The quill editor has 9 columns now.'),
    ).toHaveLength(1);
  });

  it('leaves the value of what somebody did', async () => {
    expect(await updatesOf('Ran the quill lap in 48:05.', 'Ran the quill lap in 47:50, new shoes.')).toEqual(
      [],
    );
    expect(
      await updatesOf('The quill lap record is 48:05.', 'The quill lap record is 47:50, new shoes.'),
    ).toHaveLength(1);
  });

  it('leaves a value that moved within one conversation', async () => {
    const [one, other] = ['The quill editor has 8 columns.', 'The quill editor has 9 columns now.'];
    expect(await updatesOf(one, other, { session: 's' })).toEqual([]);
  });
});

import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Fetched } from './queries/Fetched.tsx';

const failed = new Error('The store is closed');

function drawn(of: { data?: string[]; error?: Error }): string {
  const query = { data: of.data, error: of.error ?? null, refetch: () => undefined };
  return renderToStaticMarkup(
    <Fetched of={query} lines={4}>
      {(words) => <p>{words.length === 0 ? 'none' : words.join(', ')}</p>}
    </Fetched>,
  );
}

test('what is on its way is as many grey lines as it is told', () => {
  expect(drawn({})).toContain('aria-label="Loading"');
  expect(drawn({}).match(/<span>/g)).toHaveLength(4);
});

test('what could not be fetched says why, and can be tried again', () => {
  expect(drawn({ error: failed })).toContain('The store is closed.');
  expect(drawn({ error: failed })).toContain('Try again');
});

test('what was fetched is drawn, also where it is nothing', () => {
  expect(drawn({ data: ['oak', 'elm'] })).toBe('<p>oak, elm</p>');
  expect(drawn({ data: [] })).toBe('<p>none</p>');
});

test('what was fetched stays while fetching it again fails', () => {
  expect(drawn({ data: ['oak'], error: failed })).toBe('<p>oak</p>');
});

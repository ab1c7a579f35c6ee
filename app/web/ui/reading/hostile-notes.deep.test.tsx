import { Tooltip } from 'radix-ui';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Blocks } from './Blocks.tsx';
import { layOut } from './layout/lay-out.ts';
import { hostileNotes } from './testing/hostile-notes.ts';
import { tagsOf } from './testing/markup.ts';

/** The elements that a note may become, and those of the button that copies code. */
const TAGS = new Set(
  'a blockquote br code del details div em h2 h3 h4 h5 h6 hr img li mark ol p pre small span strong summary sup table tbody td th thead tr ul button svg path'.split(
    ' ',
  ),
);
const ATTRIBUTES = new Set(
  'alt aria-busy aria-hidden aria-label class d data-block data-done data-level data-state data-tone decoding dir fill focusable height hidden href id loading open rel role src start stroke stroke-linecap stroke-linejoin stroke-width tabindex target title type viewbox width'.split(
    ' ',
  ),
);

function drawn(source: string): string {
  const of = {
    prefix: 'note1-',
    under: 1,
    links: {
      namespaces: ['default'],
      hrefOf: (target: { key: string }) => `/memories?${new URLSearchParams(target)}`,
      onOpen: () => undefined,
    },
  };
  return renderToStaticMarkup(
    <Tooltip.Provider>
      <Blocks blocks={layOut(source)} of={of} />
    </Tooltip.Provider>,
  );
}

/** What of a drawn note could run, fetch, or pass for a part of the page. */
function dangersOf(markup: string): string[] {
  return tagsOf(markup).flatMap(({ name, attributes }) => [
    ...(TAGS.has(name.toLowerCase()) ? [] : [`element ${name}`]),
    ...Object.entries(attributes).flatMap(([key, value]) => {
      const isFine = ATTRIBUTES.has(key.toLowerCase()) && mayBe(key, value, attributes);
      return isFine ? [] : [`${name} ${key}="${value.slice(0, 80)}"`];
    }),
  ]);
}

function mayBe(key: string, value: string, { target, rel }: Readonly<Record<string, string>>): boolean {
  if (key === 'id') return value.startsWith('note1-');
  if (key === 'src')
    return /^(?:data:image\/(?:(?:png|jpeg|gif|webp);base64,|svg\+xml[;,])|\/(?![/\\]))/.test(value);
  if (key !== 'href') return true;
  if (/^#note1-|^\/memories\?/.test(value)) return true;
  return /^(?:https?:\/\/|mailto:)/.test(value) && target === '_blank' && rel === 'noopener noreferrer';
}

test('there are as many attacks as were asked for, each by its own name', () => {
  expect(hostileNotes.length).toBeGreaterThanOrEqual(45);
  expect(new Set(hostileNotes.map(({ name }) => name)).size).toBe(hostileNotes.length);
});

test('what is dangerous is seen by this test', () => {
  expect(
    dangersOf('<img src="x" onerror="y"><a href="javascript:z">a</a><svg onload=""></svg><b id="root"></b>'),
  ).toEqual([
    'img src="x"',
    'img onerror="y"',
    'a href="javascript:z"',
    'svg onload=""',
    'element b',
    'b id="root"',
  ]);
});

// The slow ones are given up by the worker's clock; the journey through the page opens them.
test.each(hostileNotes.filter(({ isSlow }) => !isSlow))(
  'nothing of “$name” could run or fetch',
  ({ source }) => {
    let markup = '';
    try {
      markup = drawn(source);
    } catch (error) {
      // Nested deeper than the stack: the page shows it as it is written.
      expect(error).toBeInstanceOf(RangeError);
    }
    expect(dangersOf(markup)).toEqual([]);
  },
);

test('what is shown of a hostile note says what it tried', () => {
  expect(drawn('<script>alert(1)</script>')).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  expect(drawn('[click](javascript:alert(1))')).toBe('<p dir="auto">click</p>');
  expect(drawn('![A map](https://elsewhere.invalid/map.png)')).toContain('(image not loaded)');
});

import { useMemo } from 'react';
import { piecesOfText } from './layout/text-pieces.ts';
import { linkTo } from './layout/addresses.ts';
import { Blocks } from './Blocks.tsx';
import type { NoteLinks } from './note-target.ts';
import { propertiesIn } from './properties.ts';
import css from './Properties.module.css';

/** Properties that are shown at once. */
const AT_ONCE = 6;

/** The front matter of a note, as a table; nothing where it has none. */
export function Properties({ source, links }: { source: string; links: NoteLinks }) {
  const properties = useMemo(() => propertiesIn(source), [source]);
  const of = useMemo(() => ({ prefix: 'property-', under: 2, links }), [links]);
  if (properties.length === 0) return null;
  return (
    <details className={css['properties']} open={properties.length <= AT_ONCE}>
      <summary>Properties</summary>
      <dl>
        {properties.map(({ name, values }, at) => (
          <div key={at}>
            <dt>
              <bdi>{name}</bdi>
            </dt>
            <dd>
              {values.map((value, index) => (
                <span key={index} dir="auto">
                  <Blocks blocks={laid(value)} of={of} />
                </span>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

/** A value with its links: to other notes, or out of the page. */
function laid(value: string) {
  const href = /^https?:\/\/\S+$/u.test(value) ? linkTo(value) : undefined;
  if (href !== undefined) return [{ kind: 'link' as const, href, children: [value] }];
  return piecesOfText({ value }, { body: '', marks: [] }, { inLink: false, inCode: false });
}

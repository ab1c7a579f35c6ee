import { useMemo, type ReactNode } from 'react';
import { piecesOfText } from './layout/text-pieces.ts';
import { linkTo } from './layout/addresses.ts';
import { Blocks } from './Blocks.tsx';
import type { NoteLinks } from './note-target.ts';
import type { NoteProperty } from './properties.ts';
import css from './Properties.module.css';

/** Properties that are shown at once. */
const AT_ONCE = 6;

interface PropertiesProps {
  properties: readonly NoteProperty[];
  /** Of a property: what stands in the place of its values, and behind them. */
  instead?: (property: NoteProperty) => ReactNode;
  behind?: (property: NoteProperty) => ReactNode;
  links: NoteLinks;
  /** What stands below the table. */
  children?: ReactNode;
}

/** The front matter of a note, as a table. */
export function Properties({ properties, links, instead, behind, children }: PropertiesProps) {
  const of = useMemo(() => ({ prefix: 'property-', under: 2, links }), [links]);
  return (
    <details className={css['properties']} open={properties.length <= AT_ONCE}>
      <summary>Properties</summary>
      <dl>
        {properties.map((property, at) => (
          <div key={at}>
            <dt>
              <bdi>{property.name}</bdi>
            </dt>
            <dd>
              {instead?.(property) ?? (
                <>
                  {property.values.map((value, index) => (
                    <span key={index} dir="auto">
                      <Blocks blocks={laid(value)} of={of} />
                    </span>
                  ))}
                  {behind?.(property)}
                </>
              )}
            </dd>
          </div>
        ))}
      </dl>
      {children}
    </details>
  );
}

/** A value with its links: to other notes, or out of the page. */
function laid(value: string) {
  const href = /^https?:\/\/\S+$/u.test(value) ? linkTo(value) : undefined;
  if (href !== undefined) return [{ kind: 'link' as const, href, children: [value] }];
  return piecesOfText({ value }, { body: '', marks: [] }, { inLink: false, inCode: false });
}

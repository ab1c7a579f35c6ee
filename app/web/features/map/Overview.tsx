import type { GraphNode } from '@reverie/shared/contract/search/graph';
import { Link } from '@tanstack/react-router';
import { countOf } from '../../platform/format.ts';
import { BareIconButton } from '../../ui/Button.tsx';
import { calledAs } from './groups.ts';
import { hubsOf, nameOf } from './hubs.ts';
import type { Drawn } from './layout.ts';
import css from './MapView.module.css';

interface OverviewProps {
  namespace: string;
  of: Drawn;
  /** The group that was chosen in the picture. */
  group: string | undefined;
  onAround: (key: string) => void;
  onGroup: (id: string | undefined) => void;
}

/** Of a note so many others are named. */
const NAMED = 6;

/** The map as a list: the notes with the most links first and what they are linked to, then folders and tags. */
export function Overview({
  namespace,
  of: { nodes, links, groups },
  group,
  onAround,
  onGroup,
}: OverviewProps) {
  const hubs = hubsOf(nodes, links);
  const known = new Map(nodes.map((node) => [node.key, node]));
  return (
    <section className={css['around']} aria-label="What hangs together">
      {hubs.length > 0 && (
        <>
          <h2>Linked the most</h2>
          <ul className={css['hubs']} role="list">
            {hubs.map(({ node, others }) => (
              <li key={node.key}>
                <div className={css['hub']}>
                  <Open namespace={namespace} node={node} />
                  <BareIconButton
                    icon="map"
                    label={`Show what is around ${nameOf(node)}`}
                    onClick={() => onAround(node.key)}
                  />
                </div>
                <p className={css['soft']} dir="auto">
                  with{' '}
                  {others.slice(0, NAMED).map((other, at) => (
                    <span key={other.key}>
                      {at > 0 && ' · '}
                      <Open namespace={namespace} node={other} />
                    </span>
                  ))}
                  {others.length > NAMED && ` · and ${others.length - NAMED} more`}
                </p>
              </li>
            ))}
          </ul>
        </>
      )}
      {groups.length > 0 && (
        <>
          <h2>Folders and tags</h2>
          <ul className={css['hubs']} role="list">
            {groups.map((one) => (
              <li key={one.id}>
                <details
                  open={one.id === group}
                  onToggle={({ currentTarget }) => {
                    if (currentTarget.open !== (one.id === group))
                      onGroup(currentTarget.open ? one.id : undefined);
                  }}
                >
                  <summary>
                    <bdi>{calledAs(one)}</bdi>{' '}
                    <span className={css['soft']}>{countOf(one.keys.length, 'note', 'notes')}</span>
                  </summary>
                  <ul role="list" className={css['members']}>
                    {one.keys.map((key) => (
                      <li key={key}>
                        <Open namespace={namespace} node={known.get(key)} />
                      </li>
                    ))}
                  </ul>
                </details>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

function Open({ namespace, node }: { namespace: string; node: GraphNode | undefined }) {
  return (
    node && (
      <Link to="/memories" search={{ namespace, key: node.key }}>
        <bdi>{nameOf(node)}</bdi>
      </Link>
    )
  );
}

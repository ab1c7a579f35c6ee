import { type GraphLink, type GraphNode, type LinkKind, linkKinds } from '@reverie/shared/contract/graph';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useMemo, useState } from 'react';
import { Fetched } from '../../platform/Fetched.tsx';
import { countOf } from '../../platform/format.ts';
import { useGo, usePlace } from '../../platform/place.ts';
import { plainLine } from '../../ui/reading/plain-line.ts';
import { Badge, type Tone } from '../../ui/Badge.tsx';
import { Message, Skeleton } from '../../ui/Message.tsx';
import css from './MapView.module.css';
import { graphQuery } from './queries.ts';

const Picture = lazy(() => import('./Picture.tsx'));

interface MapProps {
  namespaces: readonly string[];
  namespace: string;
}

const KINDS: Readonly<Record<LinkKind, { tone: Tone; word: string }>> = {
  link: { tone: 'violet', word: 'linked' },
  similar: { tone: 'plain', word: 'similar' },
  fact: { tone: 'good', word: 'same thing' },
  session: { tone: 'plain', word: 'session' },
  insight: { tone: 'violet', word: 'dream' },
};

/** What hangs together around a memory: a picture to walk through, and the same as a list. */
export default function MapView({ namespaces, namespace }: MapProps) {
  const place = usePlace();
  const go = useGo('/map');
  const graph = useQuery(graphQuery(namespace, place.key));
  const [kinds, setKinds] = useState<ReadonlySet<LinkKind>>(new Set(linkKinds));
  useEffect(() => {
    document.title = 'Map · Reverie';
  }, []);
  const links = useMemo(
    () => graph.data?.links.filter(({ kind }) => kinds.has(kind)) ?? [],
    [graph.data, kinds],
  );
  const choose = (key: string) => go({ key });
  const turn = (kind: LinkKind) =>
    setKinds((now) => {
      const next = new Set(now);
      if (!next.delete(kind)) next.add(kind);
      return next;
    });
  return (
    <div className={css['view']}>
      <div className={css['head']}>
        <h1>Map</h1>
        <select
          aria-label="Namespace"
          dir="auto"
          value={namespace}
          onChange={(event) => go({ namespace: event.target.value, key: undefined })}
        >
          {[...new Set([namespace, ...namespaces])].map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
        <fieldset className={css['kinds']}>
          <legend className="sr-only">Links</legend>
          {linkKinds.map((kind) => (
            <label key={kind}>
              <input type="checkbox" checked={kinds.has(kind)} onChange={() => turn(kind)} />
              {KINDS[kind].word}
            </label>
          ))}
        </fieldset>
      </div>
      <Fetched of={graph} lines={8}>
        {(data) =>
          data.center === null ? (
            <Message icon="map" title="Nothing to draw yet">
              <p>
                The map shows how the memories of <bdi>{namespace}</bdi> hang together, once there are some.
              </p>
            </Message>
          ) : (
            <div className={css['split']}>
              <Suspense fallback={<Skeleton lines={8} />}>
                <Picture nodes={data.nodes} links={links} onChoose={choose} />
              </Suspense>
              <Around
                namespace={namespace}
                center={data.nodes.find(({ key }) => key === data.center)}
                nodes={data.nodes}
                links={links}
                onChoose={choose}
              />
            </div>
          )
        }
      </Fetched>
    </div>
  );
}

interface AroundProps {
  namespace: string;
  center: GraphNode | undefined;
  nodes: readonly GraphNode[];
  links: readonly GraphLink[];
  onChoose: (key: string) => void;
}

function otherOf({ from, to }: GraphLink, key: string): string {
  return from === key ? to : from;
}

/** What a memory is called; its key where it says nothing. */
function nameOf(node: GraphNode | undefined, key = node?.key ?? ''): string {
  return node === undefined || node.title === '' ? key : node.title;
}

/** The memory in the middle, and what it is linked to: each is a step to walk. */
function Around({ namespace, center, nodes, links, onChoose }: AroundProps) {
  if (!center) return null;
  const own = links.filter(({ from, to }) => from === center.key || to === center.key);
  const others = new Set(own.map((link) => otherOf(link, center.key)));
  const known = new Map(nodes.map((node) => [node.key, node]));
  return (
    <section className={css['around']} aria-label="In the middle">
      <h2>
        <bdi>{nameOf(center)}</bdi>
      </h2>
      <p dir="auto">{plainLine(center.excerpt, center.title)}</p>
      <p>
        <Link to="/memories" search={{ namespace, key: center.key }}>
          Open it
        </Link>
      </p>
      <h3>
        {own.length === 0
          ? 'It is linked to nothing'
          : `Linked to ${countOf(others.size, 'memory', 'memories')}`}
      </h3>
      <ul className={css['links']} role="list">
        {own.map((link) => {
          const { kind, why } = link;
          const other = otherOf(link, center.key);
          return (
            <li key={`${kind} ${other}`}>
              <button type="button" onClick={() => onChoose(other)}>
                <span className={css['line']}>
                  <bdi>{nameOf(known.get(other), other)}</bdi>{' '}
                  <Badge tone={KINDS[kind].tone}>{KINDS[kind].word}</Badge>
                </span>
                <span className={css['excerpt']} dir="auto">
                  {plainLine(known.get(other)?.excerpt ?? '', known.get(other)?.title)}
                </span>
                {why !== '' && (
                  <span className={css['soft']} dir="auto">
                    {why}
                  </span>
                )}
              </button>
            </li>
          );
        })}
      </ul>
      <p className={css['soft']}>
        {countOf(nodes.length, 'memory is', 'memories are')} in the picture, nearest first.
      </p>
    </section>
  );
}

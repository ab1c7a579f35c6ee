import {
  type GraphLink,
  type GraphNode,
  type LinkKind,
  linkKinds,
} from '@reverie/shared/contract/search/graph';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Suspense, useEffect, useMemo, useState } from 'react';
import { latePart } from '../../platform/late-part.ts';
import { Fetched } from '../../platform/queries/Fetched.tsx';
import { countOf } from '../../platform/format.ts';
import { useMedia } from '../../platform/media.ts';
import { useGo, usePlace } from '../../platform/place.ts';
import { allows, session } from '../../platform/daemon/session.ts';
import { useStore } from '../../platform/store.ts';
import { plainLine } from '../../ui/reading/plain-line.ts';
import { Badge, type Tone } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { Message, Skeleton } from '../../ui/Message.tsx';
import { groupsOf } from './groups.ts';
import { nameOf } from './hubs.ts';
import type { Drawn } from './layout.ts';
import css from './MapView.module.css';
import { Overview } from './Overview.tsx';
import { graphQuery } from './queries.ts';

const Picture = latePart(() => import('./Picture.tsx'));

interface MapProps {
  namespaces: readonly string[];
  namespace: string;
}

/** Too narrow for a picture. */
const NARROW = '(width < 40rem)';

/** What a map may show: links of a kind, or what stands in one folder or has one tag. */
type Shown = LinkKind | 'group';

const SHOWN: Readonly<Record<Shown, { tone: Tone; word: string; label: string }>> = {
  link: { tone: 'violet', word: 'linked', label: 'Links' },
  group: { tone: 'warn', word: 'together', label: 'Folders and tags' },
  insight: { tone: 'violet', word: 'dream', label: 'Found by dreams' },
  fact: { tone: 'good', word: 'same fact', label: 'Same facts' },
  session: { tone: 'plain', word: 'conversation', label: 'Conversations' },
  similar: { tone: 'plain', word: 'similar', label: 'Similar (a guess)' },
};
const ORDER = ['link', 'group', 'insight', 'fact', 'session', 'similar'] as const satisfies readonly Shown[];
/** What a person made or named; the rest is shown when it is asked for. */
const AT_FIRST: readonly Shown[] = ['link', 'group', 'insight'];

/** How the memories of a namespace hang together, or those around one of them: a picture, and the same as a list. */
export default function MapView({ namespaces, namespace }: MapProps) {
  const { key } = usePlace();
  const go = useGo('/map');
  const isNarrow = useMedia(NARROW);
  const [shown, setShown] = useState<ReadonlySet<Shown>>(new Set(AT_FIRST));
  const [group, setGroup] = useState<string>();
  const kinds = linkKinds.filter((kind) => shown.has(kind));
  const graph = useQuery(graphQuery(namespace, key, kinds.length > 0 ? kinds : ['link']));
  useEffect(() => {
    document.title = 'Map · Reverie';
  }, []);
  const drawn = useMemo<Drawn>(() => {
    const { nodes = [], links = [] } = graph.data ?? {};
    return {
      center: key,
      nodes,
      links: links.filter(({ kind }) => shown.has(kind)),
      groups: key === undefined && shown.has('group') ? groupsOf(nodes) : [],
    };
  }, [graph.data, key, shown]);
  const around = (next: string | undefined) => {
    setGroup(undefined);
    go({ key: next });
  };
  const turn = (one: Shown) =>
    setShown((now) => {
      const next = new Set(now);
      if (!next.delete(one)) next.add(one);
      return next;
    });
  const choose = (id: string) => (drawn.groups.some((one) => one.id === id) ? setGroup(id) : around(id));
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
        {key !== undefined && (
          <Button icon="back" onClick={() => around(undefined)}>
            Whole map
          </Button>
        )}
        <fieldset className={css['kinds']}>
          <legend className="sr-only">What is shown</legend>
          {ORDER.filter((one) => key === undefined || one !== 'group').map((one) => (
            <label key={one}>
              <input type="checkbox" checked={shown.has(one)} onChange={() => turn(one)} />
              {SHOWN[one].label}
            </label>
          ))}
        </fieldset>
      </div>
      <Fetched of={graph} lines={8}>
        {({ nodes }) =>
          nodes.length === 0 || (key === undefined && drawn.links.length + drawn.groups.length === 0) ? (
            <Empty
              namespace={namespace}
              hasNotes={nodes.length > 0}
              onGuess={shown.has('similar') ? undefined : () => turn('similar')}
            />
          ) : (
            <div className={css['split']}>
              {!isNarrow && (
                <Suspense fallback={<Skeleton lines={8} />}>
                  <Picture of={drawn} onChoose={choose} />
                </Suspense>
              )}
              {key === undefined ? (
                <Overview
                  namespace={namespace}
                  of={drawn}
                  group={group}
                  onAround={around}
                  onGroup={setGroup}
                />
              ) : (
                <Around namespace={namespace} of={drawn} onChoose={around} />
              )}
            </div>
          )
        }
      </Fetched>
    </div>
  );
}

interface EmptyProps {
  namespace: string;
  hasNotes: boolean;
  /** Missing where guesses are shown already. */
  onGuess: (() => void) | undefined;
}

/** What a map without links says, and what begins one. */
function Empty({ namespace, hasNotes, onGuess }: EmptyProps) {
  const canWrite = allows(useStore(session), 'write');
  return (
    <Message icon="map" title={hasNotes ? 'Nothing is linked yet' : 'Nothing to draw yet'}>
      <p>
        {hasNotes ? (
          <>
            Write <code>[[</code> and the name of another note, or give two notes the same tag: they stand
            together here.
          </>
        ) : (
          <>
            The map shows how the notes of <bdi>{namespace}</bdi> hang together, once there are some.
          </>
        )}
      </p>
      <p className={css['acts']}>
        {canWrite && (
          <Link to="/memories" search={{ namespace, mode: 'new' }} className={css['write']}>
            Write a memory
          </Link>
        )}
        {hasNotes && onGuess && <Button onClick={onGuess}>Show similar notes</Button>}
      </p>
    </Message>
  );
}

interface AroundProps {
  namespace: string;
  of: Drawn;
  onChoose: (key: string) => void;
}

function otherOf({ from, to }: GraphLink, key: string): string {
  return from === key ? to : from;
}

/** The memory in the middle, and what it is linked to: each is a step to walk. */
function Around({ namespace, of: { center: key, nodes, links }, onChoose }: AroundProps) {
  const center = nodes.find((node) => node.key === key);
  if (!center) return null;
  const own = links.filter(({ from, to }) => from === center.key || to === center.key);
  const others = Map.groupBy(own, (link) => otherOf(link, center.key));
  const known = new Map<string, GraphNode>(nodes.map((node) => [node.key, node]));
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
        {[...others].map(([other, reasons]) => (
          <li key={other}>
            <button type="button" onClick={() => onChoose(other)}>
              <span className={css['line']}>
                <bdi>{nameOf(known.get(other), other)}</bdi>{' '}
                {reasons.map(({ kind }) => (
                  <Badge key={kind} tone={SHOWN[kind].tone}>
                    {SHOWN[kind].word}
                  </Badge>
                ))}
              </span>
              <span className={css['excerpt']} dir="auto">
                {plainLine(known.get(other)?.excerpt ?? '', known.get(other)?.title)}
              </span>
              {reasons
                .filter(({ why }) => why !== '')
                .map(({ kind, why }) => (
                  <span key={kind} className={css['soft']} dir="auto">
                    {why}
                  </span>
                ))}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

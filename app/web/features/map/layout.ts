import type { GraphLink, GraphNode } from '@reverie/shared/contract/search/graph';
import Graph from 'graphology';
import forceAtlas2 from 'graphology-layout-forceatlas2';
import { calledAs, type Group } from './groups.ts';
import { hubsOf, nameOf } from './hubs.ts';

/** How a memory, or the name of a group, is drawn. */
export interface NodeLook {
  x: number;
  y: number;
  size: number;
  /** As it stands beside the point. */
  label: string;
  /** All of it, for who points at it. */
  name: string;
  color: string;
  isGroup: boolean;
  forceLabel: boolean;
  fixed: boolean;
}
export interface LinkLook {
  size: number;
  color: string;
  zIndex: number;
  /** How strongly it pulls in the layout. */
  weight: number;
}

/** What is drawn. */
export interface Drawn {
  /** In the middle, where it is drawn around one memory. */
  center: string | undefined;
  nodes: readonly GraphNode[];
  links: readonly GraphLink[];
  groups: readonly Group[];
}

/** The colours of the picture, as the browser resolves them. */
export interface Palette {
  center: string;
  note: string;
  group: string;
  member: string;
  link: Readonly<Record<GraphLink['kind'], string>>;
  /** Links of the centre. */
  own: Readonly<Record<GraphLink['kind'], string>>;
}

/** Links of the centre pull so much more than others, so that what it hangs together with lies near it. */
const OWN_PULL = 8;
/** A link of a person holds two notes together more than a folder does. */
const LINK_PULL = 3;

const MANY_LINKS = 60;

/** Characters of a label: longer ones cover their neighbours. */
const LONGEST_LABEL = 28;

/** Steps of the layout, first to come to rest, then to give each point its own place. */
const STEPS = { rest: 400, apart: 80 } as const;

/** By characters rather than halves of them: an emoji takes two, and half of one is shown as a box. */
function shortened(key: string): string {
  const letters = [...key];
  return letters.length > LONGEST_LABEL ? `${letters.slice(0, LONGEST_LABEL - 1).join('')}…` : key;
}

/**
 * A graph with places, what has the most links first: labels get their room in that order. The centre stays in the middle; the others
 * stand on a spiral to begin with, then are pulled by their links. The same graph gives the same picture. What hangs together with nothing
 * is left out.
 */
export function laidOut(
  { center, nodes, links, groups }: Drawn,
  palette: Palette,
): Graph<NodeLook, LinkLook> {
  const graph = new Graph<NodeLook, LinkLook>({ type: 'undirected', multi: true });
  const add = (id: string, look: Pick<NodeLook, 'size' | 'name' | 'color' | 'isGroup'>) => {
    // The golden angle spreads any number of points evenly.
    const at = graph.order;
    graph.addNode(id, {
      ...look,
      x: Math.sqrt(at) * Math.cos(at * 2.399963),
      y: Math.sqrt(at) * Math.sin(at * 2.399963),
      label: shortened(look.name),
      forceLabel: true,
      // The layout leaves it where it is: in the middle, to which gravity draws the others.
      fixed: id === center,
    });
  };
  const middle = nodes.find(({ key }) => key === center);
  if (middle) add(middle.key, { size: 11, name: nameOf(middle), color: palette.center, isGroup: false });
  const hubs = hubsOf(nodes, links);
  for (const { node, others } of hubs)
    if (node.key !== center)
      add(node.key, {
        size: 4 + Math.min(5, others.length),
        name: nameOf(node),
        color: palette.note,
        isGroup: false,
      });
  for (const group of groups) {
    add(group.id, { size: 6, name: calledAs(group), color: palette.group, isGroup: true });
    for (const key of group.keys) {
      const node = nodes.find((one) => one.key === key);
      if (node && !graph.hasNode(key))
        add(key, { size: 4, name: nameOf(node), color: palette.note, isGroup: false });
      if (graph.hasNode(key))
        graph.addEdge(group.id, key, { size: 0.3, color: palette.member, zIndex: 0, weight: 1 });
    }
  }
  // Many lines would be a ball of wool.
  const thin = links.length > MANY_LINKS ? 0.4 : 1;
  for (const { from, to, kind, weight } of links)
    if (graph.hasNode(from) && graph.hasNode(to))
      graph.addEdge(from, to, {
        // What the centre hangs on is told from what merely lies behind it.
        ...(from === center || to === center
          ? { size: 1.5 + 2 * weight, color: palette.own[kind], zIndex: 1, weight: OWN_PULL }
          : { size: thin * (0.5 + weight), color: palette.link[kind], zIndex: 0, weight: LINK_PULL }),
      });
  if (graph.order > 2) {
    const settings = { ...forceAtlas2.inferSettings(graph), gravity: 1 };
    forceAtlas2.assign(graph, { iterations: STEPS.rest, settings });
    forceAtlas2.assign(graph, { iterations: STEPS.apart, settings: { ...settings, adjustSizes: true } });
  }
  return graph;
}

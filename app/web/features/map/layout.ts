import type { GraphLink, GraphNode } from '@reverie/shared/contract/graph';
import Graph from 'graphology';
import forceAtlas2 from 'graphology-layout-forceatlas2';

/** How a memory and a link are drawn. */
export interface NodeLook {
  x: number;
  y: number;
  size: number;
  label: string;
  color: string;
  hops: number;
  fixed: boolean;
}
export interface LinkLook {
  size: number;
  color: string;
  zIndex: number;
  /** How strongly it pulls in the layout. */
  weight: number;
}

/** The colours of the picture, as the browser resolves them. */
export interface Palette {
  center: string;
  near: string;
  far: string;
  link: Readonly<Record<GraphLink['kind'], string>>;
  /** Links of the centre. */
  own: Readonly<Record<GraphLink['kind'], string>>;
}

/** Links of the centre pull so much more than others, so that what it hangs together with lies near it. */
const OWN_PULL = 8;

/** Characters of a label: longer ones cover their neighbours. */
const LONGEST_LABEL = 24;

/** Steps of the layout: enough for a hundred nodes to come to rest, and a few milliseconds. */
const STEPS = 200;

/** By characters rather than halves of them: an emoji takes two, and half of one is shown as a box. */
function shortened(key: string): string {
  const letters = [...key];
  return letters.length > LONGEST_LABEL ? `${letters.slice(0, LONGEST_LABEL - 1).join('')}…` : key;
}

/** A graph with places: the centre in the middle, the others on rings to begin with, then pulled by their links. The same graph gives the same picture. */
export function laidOut(
  nodes: readonly GraphNode[],
  links: readonly GraphLink[],
  palette: Palette,
): Graph<NodeLook, LinkLook> {
  const graph = new Graph<NodeLook, LinkLook>({ type: 'undirected', multi: true });
  nodes.forEach(({ key, title, hops }, at) => {
    // The golden angle spreads any number of points evenly.
    const angle = at * 2.399963;
    graph.addNode(key, {
      x: hops * Math.cos(angle),
      y: hops * Math.sin(angle),
      size: hops === 0 ? 12 : hops === 1 ? 8 : 5,
      label: shortened(title === '' ? key : title),
      color: hops === 0 ? palette.center : hops === 1 ? palette.near : palette.far,
      hops,
      // The layout leaves it where it is: in the middle, to which gravity draws the others.
      fixed: hops === 0,
    });
  });
  const center = nodes.find(({ hops }) => hops === 0)?.key;
  for (const { from, to, kind, weight } of links)
    if (graph.hasNode(from) && graph.hasNode(to))
      graph.addEdge(from, to, {
        // What the centre hangs on is told from what merely lies behind it.
        ...(from === center || to === center
          ? { size: 1.5 + 2 * weight, color: palette.own[kind], zIndex: 1, weight: OWN_PULL }
          : { size: 0.5 + 2 * weight, color: palette.link[kind], zIndex: 0, weight: 1 }),
      });
  if (graph.order > 2)
    forceAtlas2.assign(graph, {
      iterations: STEPS,
      settings: { ...forceAtlas2.inferSettings(graph), gravity: 1, adjustSizes: true },
    });
  return graph;
}

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
}
export interface LinkLook {
  size: number;
  color: string;
}

/** The colours of the picture, as the browser resolves them. */
export interface Palette {
  center: string;
  near: string;
  far: string;
  link: Readonly<Record<GraphLink['kind'], string>>;
}

/** Steps of the layout: enough for a hundred nodes to come to rest, and a few milliseconds. */
const STEPS = 200;

/** A graph with places: the centre in the middle, the others on rings to begin with, then pulled by their links. The same graph gives the same picture. */
export function laidOut(
  nodes: readonly GraphNode[],
  links: readonly GraphLink[],
  palette: Palette,
): Graph<NodeLook, LinkLook> {
  const graph = new Graph<NodeLook, LinkLook>({ type: 'undirected', multi: true });
  nodes.forEach(({ key, hops }, at) => {
    // The golden angle spreads any number of points evenly.
    const angle = at * 2.399963;
    graph.addNode(key, {
      x: hops * Math.cos(angle),
      y: hops * Math.sin(angle),
      size: hops === 0 ? 12 : hops === 1 ? 8 : 5,
      label: key,
      color: hops === 0 ? palette.center : hops === 1 ? palette.near : palette.far,
      hops,
    });
  });
  for (const { from, to, kind, weight } of links)
    if (graph.hasNode(from) && graph.hasNode(to))
      graph.addEdge(from, to, { size: 0.5 + 2 * weight, color: palette.link[kind] });
  if (graph.order > 2)
    forceAtlas2.assign(graph, {
      iterations: STEPS,
      settings: { ...forceAtlas2.inferSettings(graph), gravity: 1, adjustSizes: true },
    });
  return graph;
}

import type { GraphLink, GraphNode } from '@reverie/shared/contract/search/graph';
import { expect, test } from 'vitest';
import { type Drawn, laidOut, type Palette } from './layout.ts';

const palette: Palette = {
  center: '#000',
  note: '#111',
  group: '#222',
  member: '#333',
  link: { link: '#0', similar: '#1', fact: '#2', session: '#3', insight: '#4' },
  own: { link: '#9', similar: '#5', fact: '#6', session: '#7', insight: '#8' },
};
const node = (key: string): GraphNode => ({
  key,
  title: key,
  excerpt: key,
  tags: [],
  class: 'note',
  created_at: '2026-11-20T09:00:00.000Z',
});
const link = (from: string, to: string): GraphLink => ({ from, to, kind: 'similar', why: '', weight: 0.5 });
const laid = (drawn: Partial<Drawn>) =>
  laidOut({ center: undefined, nodes: [], links: [], groups: [], ...drawn }, palette);

test('every memory gets a place of its own, the same one each time, what has the most links first', () => {
  const drawn = {
    nodes: ['a', 'b', 'c', 'd'].map(node),
    links: [link('a', 'b'), link('b', 'c'), link('c', 'd'), link('b', 'd')],
  };
  const first = laid(drawn);
  const places = first.mapNodes((key, { x, y }) => `${key} ${x} ${y}`);
  expect(first.nodes()[0]).toBe('b');
  expect(new Set(places.map((place) => place.slice(2))).size).toBe(4);
  expect(laid(drawn).mapNodes((key, { x, y }) => `${key} ${x} ${y}`)).toEqual(places);
  expect(first.size).toBe(4);
});

test('a folder stands among its notes by its name, and what hangs together with nothing is left out', () => {
  const graph = laid({
    nodes: ['f/a', 'f/b', 'alone'].map(node),
    groups: [{ id: 'folder f', kind: 'folder', name: 'f', keys: ['f/a', 'f/b'] }],
  });
  expect(graph.nodes()).toEqual(['folder f', 'f/a', 'f/b']);
  expect(graph.size).toBe(2);
});

test('links to what is not in the picture are left out', () => {
  expect(laid({ nodes: [node('a')], links: [link('a', 'gone')] }).size).toBe(0);
});

test('links of the centre stand out, and a long key is no long label', () => {
  const long = 'x'.repeat(60);
  const graph = laid({
    center: 'a',
    nodes: [node('a'), node(long), node('c')],
    links: [link(long, 'a'), link(long, 'c')],
  });
  expect(graph.mapEdges((_, { color, zIndex }) => [color, zIndex])).toEqual([
    ['#5', 1],
    ['#1', 0],
  ]);
  expect(graph.getNodeAttribute(long, 'label')).toBe(`${'x'.repeat(27)}…`);
  expect(graph.getNodeAttribute(long, 'name')).toBe(long);
});

test('the centre lies in the middle, however much else is linked', () => {
  const others = Array.from({ length: 60 }, (_, at) => `n${at}`);
  const links = [
    ...others.slice(0, 4).map((key) => link('a', key)),
    ...others.flatMap((key, at) =>
      [7, 11, 17, 23, 29].map((step) => link(key, `n${(at * 3 + step) % 60}`)).filter(({ to }) => to !== key),
    ),
  ];
  const graph = laid({ center: 'a', nodes: ['a', ...others].map(node), links });
  const center = graph.getNodeAttributes('a');
  const away = others
    .map((key) => graph.getNodeAttributes(key))
    .map(({ x, y }) => ({ x: x - center.x, y: y - center.y }));
  const mean = (of: (place: { x: number; y: number }) => number) =>
    away.reduce((sum, place) => sum + of(place) / away.length, 0);
  const offset = Math.hypot(
    mean(({ x }) => x),
    mean(({ y }) => y),
  );
  expect(offset).toBeLessThan(mean(({ x, y }) => Math.hypot(x, y)) / 4);
});

test('a label is cut between characters, and no emoji in two', () => {
  const labelOf = (key: string) => laid({ center: key, nodes: [node(key)] }).getNodeAttribute(key, 'label');
  expect(labelOf(`x${'🌙'.repeat(40)}`)).toBe(`x${'🌙'.repeat(26)}…`);
  expect(labelOf('🌙'.repeat(28))).toBe('🌙'.repeat(28));
});

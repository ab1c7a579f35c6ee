import type { GraphLink, GraphNode } from '@reverie/shared/contract/graph';
import { expect, test } from 'vitest';
import { laidOut, type Palette } from './layout.ts';

const palette: Palette = {
  center: '#000',
  near: '#111',
  far: '#222',
  link: { link: '#0', similar: '#1', fact: '#2', session: '#3', insight: '#4' },
  own: { link: '#9', similar: '#5', fact: '#6', session: '#7', insight: '#8' },
};
const node = (key: string, hops: number): GraphNode => ({
  key,
  hops,
  title: key,
  excerpt: key,
  class: 'note',
  created_at: '2026-11-20T09:00:00.000Z',
});
const link = (from: string, to: string): GraphLink => ({ from, to, kind: 'similar', why: '', weight: 0.5 });

test('every memory gets a place of its own, the same one each time', () => {
  const nodes = [node('a', 0), node('b', 1), node('c', 1), node('d', 2)];
  const links = [link('a', 'b'), link('a', 'c'), link('c', 'd')];
  const first = laidOut(nodes, links, palette);
  const second = laidOut(nodes, links, palette);
  const places = first.mapNodes((key, { x, y }) => `${key} ${x} ${y}`);
  expect(new Set(places.map((place) => place.slice(2))).size).toBe(4);
  expect(second.mapNodes((key, { x, y }) => `${key} ${x} ${y}`)).toEqual(places);
  expect(first.size).toBe(3);
});

test('links to what is not in the picture are left out', () => {
  expect(laidOut([node('a', 0)], [link('a', 'gone')], palette).size).toBe(0);
});

test('links of the centre stand out, and a long key is no long label', () => {
  const long = 'x'.repeat(60);
  const graph = laidOut(
    [node('a', 0), node(long, 1), node('c', 2)],
    [link(long, 'a'), link(long, 'c')],
    palette,
  );
  expect(graph.mapEdges((_, { color, zIndex }) => [color, zIndex])).toEqual([
    ['#5', 1],
    ['#1', 0],
  ]);
  expect(graph.getNodeAttribute(long, 'label')).toBe(`${'x'.repeat(23)}…`);
});

test('the centre lies in the middle, however much else is linked', () => {
  const others = Array.from({ length: 60 }, (_, at) => `n${at}`);
  const nodes = [node('a', 0), ...others.map((key, at) => node(key, at < 4 ? 1 : 2))];
  const links = [
    ...others.slice(0, 4).map((key) => link('a', key)),
    ...others.flatMap((key, at) =>
      [7, 11, 17, 23, 29].map((step) => link(key, `n${(at * 3 + step) % 60}`)).filter(({ to }) => to !== key),
    ),
  ];
  const graph = laidOut(nodes, links, palette);
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
  const labelOf = (key: string) => laidOut([node(key, 0)], [], palette).getNodeAttribute(key, 'label');
  expect(labelOf(`x${'🌙'.repeat(40)}`)).toBe(`x${'🌙'.repeat(22)}…`);
  expect(labelOf('🌙'.repeat(24))).toBe('🌙'.repeat(24));
});

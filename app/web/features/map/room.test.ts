import { expect, test } from 'vitest';
import { type Box, createRoom } from './room.ts';

const SIZE = { width: 900, height: 700 };
const meet = (a: Box, b: Box) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

test.each([12, 43, 300])(
  'of %i labels none is cut, none covers another or a point, and some are there',
  (count) => {
    const points = Array.from({ length: count }, (_, at) => ({
      // Spread as the seeds of a sunflower, to the very edge.
      x: SIZE.width / 2 + Math.sqrt(at / count) * (SIZE.width / 2) * Math.cos(at * 2.4),
      y: SIZE.height / 2 + Math.sqrt(at / count) * (SIZE.height / 2) * Math.sin(at * 2.4),
      size: 5,
    }));
    const room = createRoom(SIZE, points);
    const boxes = points.flatMap((point, at) => room.place(point, 60 + ((at * 37) % 120)) ?? []);
    expect(boxes.length).toBeGreaterThan(Math.min(count, 20) / 2);
    for (const [at, box] of boxes.entries()) {
      expect(box.left >= 0 && box.top >= 0 && box.right <= SIZE.width && box.bottom <= SIZE.height).toBe(
        true,
      );
      expect(boxes.slice(at + 1).some((other) => meet(box, other))).toBe(false);
      expect(
        points.some(({ x, y, size }) =>
          meet(box, { left: x - size, top: y - size, right: x + size, bottom: y + size }),
        ),
      ).toBe(false);
    }
  },
);

test('at the right edge a label stands on the left', () => {
  const [point] = [{ x: 890, y: 300, size: 5 }];
  const box = createRoom(SIZE, [point]).place(point, 100);
  expect(box?.right).toBeLessThan(890);
});

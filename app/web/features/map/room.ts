/** A rectangle of the picture, in its pixels. */
export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** From so many memories on, labels keep a distance: a name here and there rather than a wall of them. */
const MANY = 40;
const GAP = { few: 3, many: 12 } as const;
/** Height of a label, px. */
export const LINE = 15;

/** Room for labels in one picture. */
export interface Room {
  /** Where a label of a width goes beside a point of a radius; undefined where it would be cut or cover something. */
  place(point: { x: number; y: number; size: number }, width: number): Box | undefined;
}

/** Gives out room to one label after the other, the most important first; nothing may cover one of the points. */
export function createRoom(
  { width, height }: { width: number; height: number },
  points: readonly { x: number; y: number; size: number }[],
): Room {
  const gap = points.length < MANY ? GAP.few : GAP.many;
  const labels: Box[] = [];
  const dots = points.map(({ x, y, size }) => ({
    left: x - size,
    top: y - size,
    right: x + size,
    bottom: y + size,
  }));
  return {
    place({ x, y, size }, wide) {
      const away = size + 4;
      const beside = { top: y - LINE / 2, bottom: y + LINE / 2 };
      const across = { left: x - wide / 2, right: x + wide / 2 };
      const box = [
        { ...beside, left: x + away, right: x + away + wide },
        { ...beside, left: x - away - wide, right: x - away },
        { ...across, top: y + away, bottom: y + away + LINE },
        { ...across, top: y - away - LINE, bottom: y - away },
      ].find(
        (one) =>
          one.left >= 0 &&
          one.top >= 0 &&
          one.right <= width &&
          one.bottom <= height &&
          !dots.some((dot) => meet(one, dot, 0)) &&
          !labels.some((label) => meet(one, label, gap)),
      );
      if (box) labels.push(box);
      return box;
    },
  };
}

function meet(a: Box, b: Box, gap: number): boolean {
  return a.left - gap < b.right && b.left - gap < a.right && a.top - gap < b.bottom && b.top - gap < a.bottom;
}

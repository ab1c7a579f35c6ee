import type { Rectangle } from '../desktop.ts';

const GAP = 8;

interface Size {
  width: number;
  height: number;
}

/** Where the tray's window goes: at the icon, on whichever side of the screen that is, and wholly on it. */
export function atTray(icon: Rectangle, size: Size, area: Rectangle): { x: number; y: number } {
  const middle = icon.x + icon.width / 2;
  const isBelow = icon.y + icon.height / 2 < area.y + area.height / 2;
  const y = isBelow ? icon.y + icon.height + GAP : icon.y - size.height - GAP;
  return within({ x: middle - size.width / 2, y }, size, area);
}

/** Where the quick field goes: in the middle, a fifth down, where one looks. */
export function inSight(size: Size, area: Rectangle): { x: number; y: number } {
  return within({ x: area.x + (area.width - size.width) / 2, y: area.y + area.height / 5 }, size, area);
}

function within(at: { x: number; y: number }, size: Size, area: Rectangle): { x: number; y: number } {
  const clamp = (value: number, from: number, to: number) => Math.round(Math.max(from, Math.min(value, to)));
  return {
    x: clamp(at.x, area.x + GAP, area.x + area.width - size.width - GAP),
    y: clamp(at.y, area.y + GAP, area.y + area.height - size.height - GAP),
  };
}

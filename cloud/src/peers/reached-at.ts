import os from 'node:os';

/** Where other nodes reach one that listens at an origin: at an address of this machine, where it listens at all of them. */
export function reachedAt(origin: string): string {
  const url = new URL(origin);
  if (url.hostname !== '0.0.0.0' && url.hostname !== '[::]') return origin;
  const addresses = Object.values(os.networkInterfaces()).flatMap((list) => list ?? []);
  const outside = addresses.find(({ family, internal }) => family === 'IPv4' && !internal);
  if (outside) url.hostname = outside.address;
  return url.origin;
}

import os from 'node:os';
import { kindOfAddress } from './address-rules.ts';

/** Whether an address and port are a listener of this process, whose ports are given with host names. */
export function isOwnAddress(
  hosts: readonly string[],
  { address, port }: { address: string; port: number },
): boolean {
  if (!hosts.some((host) => Number(/:(\d+)$/.exec(host)?.[1]) === port)) return false;
  if (kindOfAddress(address) === 'loopback') return true;
  return Object.values(os.networkInterfaces()).some((all) => all?.some((one) => one.address === address));
}

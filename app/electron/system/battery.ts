import systeminformation from 'systeminformation';

/** How full the battery of this machine is, in percent; undefined where it has none, or does not say. */
export async function readBattery(): Promise<number | undefined> {
  const { hasBattery, percent } = await systeminformation.battery();
  return hasBattery && Number.isFinite(percent) ? percent : undefined;
}

export const PI_SESSION = '01a2213e-affc-727b-8d83-b2d1221b18eb';
export const PI_FILE = `--home-ana-app--/2026-11-28T08-21-26-145Z_${PI_SESSION}.jsonl`;

const START = Date.UTC(2026, 10, 28, 8, 21);
/** A time for an id that is a number. */
const timeFor = (id: string) => START + Number(id) * 1000;

/** The first line of a log. */
export function piHeader(more: object = {}): object {
  const timestamp = new Date(START).toISOString();
  return { type: 'session', version: 3, id: PI_SESSION, timestamp, cwd: '/home/ana/app', ...more };
}

/** A line of a log behind the one before. */
export function piLine(id: string, type: string, fields: object): object {
  const parentId = id === '1' ? null : String(Number(id) - 1);
  return { type, id, parentId, timestamp: new Date(timeFor(id)).toISOString(), ...fields };
}

export function piMessage(id: string, message: object): object {
  return piLine(id, 'message', { message: { ...message, timestamp: timeFor(id) } });
}

import { type Command, InvalidArgumentError, Option } from 'commander';
import { readCondition } from '@reverie/shared/contract/conditions';
import { EVERY_NAMESPACE, Namespace } from '@reverie/shared/contract/fields';
import { type MemoryClass, memoryClasses } from '@reverie/shared/contract/memories/memories';
import { understandQuery } from '@reverie/shared/contract/search/operators';
import { UsageError } from './terminal.ts';

/** A whole number that is at least `min`. */
export function whole(min: number): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (text.trim() === '' || !Number.isSafeInteger(number) || number < min)
      throw new InvalidArgumentError(`It must be a whole number of at least ${min}.`);
    return number;
  };
}

/** A number from 0 to 1. */
export function fraction(text: string): number {
  const number = Number(text);
  if (text.trim() === '' || !(number >= 0 && number <= 1))
    throw new InvalidArgumentError('It must be a number from 0 to 1.');
  return number;
}

/** An option that may be given several times. */
export function several(text: string, before: readonly string[] = []): string[] {
  return [...before, text];
}

/** `name=value` pairs, given several times. */
export function pairs(text: string, before: Readonly<Record<string, string>> = {}): Record<string, string> {
  const at = text.indexOf('=');
  if (at < 1) throw new InvalidArgumentError('It must be name=value.');
  return { ...before, [text.slice(0, at)]: text.slice(at + 1) };
}

const UNITS: Readonly<Record<string, number>> = {
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

/** A time in RFC 3339, or a span from now on such as `30d`. */
export function timeAhead(text: string): string {
  const span = /^(\d+)([mhdw])$/.exec(text);
  const time = span ? Date.now() + Number(span[1]) * (UNITS[span[2] ?? ''] ?? 0) : Date.parse(text);
  const date = new Date(time);
  if (Number.isNaN(date.getTime()) || (!span && !/^\d{4}-\d\d-\d\d/.test(text)))
    throw new InvalidArgumentError(
      'It must be a date and time such as 2027-01-31T12:00:00Z, or a span: 90m, 12h, 30d, 4w.',
    );
  return date.toISOString();
}

/** A time in RFC 3339, a date, or a span back from now such as `7d`. */
export function timeBack(text: string): string {
  const span = /^(\d+)([mhdw])$/.exec(text);
  const time = span ? Date.now() - Number(span[1]) * (UNITS[span[2] ?? ''] ?? 0) : Date.parse(text);
  const date = new Date(time);
  if (Number.isNaN(date.getTime()) || (!span && !/^\d{4}-\d\d-\d\d/.test(text)))
    throw new InvalidArgumentError(
      'It must be a date such as 2027-01-31, a date and time, or a span back: 90m, 12h, 30d, 4w.',
    );
  return date.toISOString();
}

/** Makes a reader of spans such as `12h`: in seconds, and refused outside of `least` to `most` seconds. */
export function spanBetween(least: number, most: number): (text: string) => number {
  return (text) => {
    const [, number, unit = ''] = /^(\d+)([mhdw])$/.exec(text) ?? [];
    const seconds = (Number(number) * (UNITS[unit] ?? NaN)) / 1_000;
    if (!(seconds >= least && seconds <= most))
      throw new InvalidArgumentError(
        `It must be a span such as 90m, 12h, 7d or 4w, of ${least / 60} m to ${most / 86_400} d.`,
      );
    return seconds;
  };
}

/** A JSON object. */
export function jsonObject(text: string): Record<string, unknown> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw new InvalidArgumentError('It must be a JSON object, such as \'{"source": "chat"}\'.');
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    throw new InvalidArgumentError('It must be a JSON object, such as \'{"source": "chat"}\'.');
  return parsed as Record<string, unknown>;
}

export const namespaceOption = () =>
  new Option('-n, --namespace <name>', 'the namespace').default(
    'default',
    `${NAMESPACE_VARIABLE}, else default`,
  );
export const everywhereOption = () =>
  new Option('-e, --everywhere', 'in every namespace').conflicts('namespace');
export const sessionsOption = () =>
  new Option('--sessions', 'also in what was said and done in sessions of coding agents');
export const jsonOption = () => new Option('--json', 'print JSON for programs');
export const yesOption = () => new Option('-y, --yes', 'do not ask');
export const tagOption = () =>
  new Option('-t, --tag <tag>', 'with this tag; may be given again').argParser(several);
export const whereOption = () =>
  new Option(
    '--where <condition>',
    'whose properties say so, such as status=open; may be given again',
  ).argParser((text: string, before?: readonly string[]) => {
    const condition = readCondition(text);
    if ('problem' in condition) throw new InvalidArgumentError(`It ${condition.problem}.`);
    return several(text, before);
  });
export const alsoOption = () =>
  new Option('--also <words>', 'another wording of the same, up to seven; may be given again').argParser(
    several,
  );
export const classOption = () => new Option('-c, --class <class>', 'of this class').choices(memoryClasses);

/** The namespace of commands that are given none. */
const NAMESPACE_VARIABLE = 'REVERIE_NAMESPACE';

/** The namespace that the variable names. Throws `UsageError` where it names none that can be. */
export function namespaceIn(env: NodeJS.ProcessEnv): string | undefined {
  const given = env[NAMESPACE_VARIABLE];
  if (given === undefined || given === '') return undefined;
  const parsed = Namespace.safeParse(given);
  if (parsed.success) return given;
  const said = parsed.error.issues.map(({ message }) => message).join('; ');
  throw new UsageError(`The variable ${NAMESPACE_VARIABLE}: ${said}.`);
}

/** Gives a command the variable's namespace where it would take `default`; a command that looks through all namespaces stays so. */
export function fallBackOnNamespace(command: Command, env: NodeJS.ProcessEnv): void {
  const name = 'namespace';
  const isOurs = command.options.some(
    (one) => one.attributeName() === name && one.defaultValue === 'default',
  );
  if (!isOurs || command.getOptionValueSource(name) !== 'default') return;
  const namespace = namespaceIn(env);
  if (namespace !== undefined) command.setOptionValueWithSource(name, namespace, 'env');
}

/** The metadata that was given, with the tags of `--tag` added to its `tags`. */
export function withTags({
  metadata,
  tag,
}: {
  metadata?: Record<string, unknown>;
  tag?: string[];
}): Record<string, unknown> | undefined {
  if (!tag) return metadata;
  const before = metadata?.['tags'];
  if (before !== undefined && !Array.isArray(before))
    throw new UsageError('The metadata has `tags` that are no list; leave out --tag or make it one.');
  return { ...metadata, tags: [...new Set([...((before as unknown[] | undefined) ?? []), ...tag])] };
}

/** Where a command looks: `*` where it is told to look everywhere, or where its query names namespaces and no option does. */
export function placeOf(
  { namespace, everywhere }: { namespace: string; everywhere?: true },
  query: string,
  command: Command,
): string {
  const { filters } = understandQuery(query, EVERY_NAMESPACE);
  const isNamed = filters.some(({ kind }) => kind === 'in');
  const isGiven = command.getOptionValueSource('namespace') === 'cli';
  return everywhere || (isNamed && !isGiven) ? EVERY_NAMESPACE : namespace;
}

/** What several commands take. */
export interface Common {
  namespace: string;
  json?: true;
  tag?: string[];
  where?: string[];
  class?: MemoryClass;
}

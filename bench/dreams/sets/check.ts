/**
 * Checks sets of memories with planted findings against what their `set.json` says of them: `node bench/dreams/sets/check.ts [NAME …]`, all of them
 * without a name. It prints counts and keys, never a memory, so that a blind set stays blind; it ends with 1 where something is wrong.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { type PlantedSet, plantedSets, setFolder } from '../planted.ts';

const kinds = ['contradiction', 'duplicate', 'recurrence', 'link', 'due'] as const;
const Kind = z.enum(kinds);
type Kind = z.infer<typeof Kind>;
const DAY = 86_400_000;
const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

const perKind = z.partialRecord(Kind, z.int());
/** What a set promises; what is missing is not looked at. */
const Spec = z.strictObject({
  now: z.iso.datetime(),
  from: z.iso.datetime().describe('No memory is older'),
  size: z.strictObject({ from: z.int(), to: z.int() }),
  wanted: perKind.describe('Findings of each kind, exactly; other kinds are unknown to the set'),
  decoys: z.union([z.int(), perKind]).describe('At least'),
  different: perKind.optional().describe('Findings that are worded differently, at least'),
  forms: z.record(z.string(), z.int()).optional().describe('Duplicates by form, exactly'),
  byMonth: z.int().optional().describe('Due dates that name no day, exactly'),
  keys: z.string().optional().describe('What keys begin with; three figures follow'),
  turns: z.int().optional().describe('Turns of conversations, at least'),
  longest: z.int().optional().describe('Characters of a memory, at most'),
  weeksApart: z.int().optional().describe('Between the two sides of a contradiction, at least'),
  listedTwice: z.int().optional().describe('Lines that stand in two lists, exactly; none without it'),
  swallowed: z
    .int()
    .optional()
    .describe('Decoys that something right covers, so that they are never hit, exactly'),
  wordsShared: z.number().optional().describe('Share of the words that duplicates have in common, at least'),
});
type Spec = z.infer<typeof Spec>;

const Memory = z.looseObject({
  key: z.string().min(1),
  value: z.string().refine((value) => value.trim() !== ''),
  created_at: z.iso.datetime(),
  metadata: z.looseObject({ session: z.string().optional(), timestamp: z.string().optional() }).optional(),
});
type Memory = z.infer<typeof Memory>;
/** The first two sets tell a finding in `detail`, the others beside it. */
const Detail = z.looseObject({
  date: z.string().optional(),
  degree: z.string().optional(),
  keep: z.string().optional(),
  entity: z.string().optional(),
  newer_key: z.string().optional(),
  count: z.int().optional(),
  weekday: z.string().optional(),
  period_days: z.number().optional(),
});
const Evidence = z
  .array(z.string())
  .min(1)
  .refine((keys) => new Set(keys).size === keys.length, 'a key twice');
const AnyKind = z.preprocess((kind) => (kind === 'due_date' ? 'due' : kind), Kind);
const Finding = z
  .looseObject({
    id: z.string(),
    kind: AnyKind,
    evidence: Evidence,
    what: z.string().min(1).optional(),
    detail: z.union([Detail, z.string().min(1)]),
    wording: z.string().optional(),
    how: z.string().optional(),
    shared: z.string().optional(),
    due: z.string().optional(),
    precision: z.enum(['day', 'month']).optional(),
  })
  .transform((finding) => {
    const told = typeof finding.detail === 'string' ? {} : finding.detail;
    const { how = told.degree, shared = told.entity, due = told.date } = finding;
    return { ...finding, told, how, shared, due };
  });
type Finding = z.infer<typeof Finding>;
const Line = z.looseObject({
  kind: AnyKind,
  evidence: Evidence,
  why: z.string().min(1),
  only: z.enum(['update', 'merge']).optional(),
});
type Line = z.infer<typeof Line>;

type Need = (isSo: boolean, what: string) => void;

interface Labelled {
  readonly spec: Spec;
  readonly memories: readonly Memory[];
  readonly byKey: ReadonlyMap<string, Memory>;
  readonly findings: readonly Finding[];
  readonly decoys: readonly Line[];
  readonly acceptable: readonly Line[];
}

/** What is wrong with a set, and a line that counts what is in it. */
export function checkSet(name: PlantedSet): { problems: string[]; counts: string } {
  const problems: string[] = [];
  const need: Need = (isSo, what) => {
    if (!isSo) problems.push(what);
  };
  const read = <T extends z.ZodType>(file: string, line: T) =>
    linesOf(join(setFolder(name), `${file}.jsonl`)).flatMap(({ text, at }): z.output<T>[] => {
      const parsed = parse(line, text);
      need(parsed.isRight, `${file}:${at}: ${parsed.why}`);
      return parsed.isRight ? [parsed.value] : [];
    });
  const spec = Spec.parse(JSON.parse(readFileSync(join(setFolder(name), 'set.json'), 'utf8')));
  const memories = read('memories', Memory);
  const set: Labelled = {
    spec,
    memories,
    byKey: new Map(memories.map((memory) => [memory.key, memory])),
    findings: read('findings', Finding),
    decoys: read('decoys', Line),
    acceptable: read('acceptable', Line),
  };
  checkMemories(set, need);
  checkLines(set, need);
  for (const finding of set.findings) checkFinding(set, finding, need);
  checkCounts(set, need);
  const tally = (lines: readonly { kind: Kind }[]) =>
    kinds.map((kind) => `${kind} ${lines.filter((line) => line.kind === kind).length}`).join(', ');
  return {
    problems,
    counts: `${name}: ${memories.length} memories; findings: ${tally(set.findings)}; decoys: ${tally(set.decoys)}; acceptable: ${tally(set.acceptable)}`,
  };
}

function linesOf(file: string): { text: string; at: number }[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((text, index) => (text === '' ? [] : [{ text, at: index + 1 }]));
}

/** Says the place of what is wrong, and not what stands there. */
function parse<T extends z.ZodType>(
  schema: T,
  text: string,
): { isRight: true; value: z.output<T>; why: '' } | { isRight: false; why: string } {
  try {
    const { data, error } = schema.safeParse(JSON.parse(text));
    if (!error) return { isRight: true, value: data, why: '' };
    return {
      isRight: false,
      why: error.issues.map(({ path, code }) => `${path.join('.')} ${code}`).join('; '),
    };
  } catch {
    return { isRight: false, why: 'no JSON' };
  }
}

function checkMemories({ spec, memories, findings }: Labelled, need: Need): void {
  const keys = new Set<string>();
  const values = new Set<string>();
  const plains = new Map<string, string>();
  let before = '';
  for (const { key, value, created_at: at, metadata } of memories) {
    need(!keys.has(key), `key twice: ${key}`);
    need(!values.has(value), `value twice, byte for byte: ${key}`);
    need(at >= spec.from && at <= spec.now, `date out of range: ${key} ${at}`);
    if (spec.keys !== undefined) {
      need(key.startsWith(spec.keys) && /^\d{3}$/u.test(key.slice(spec.keys.length)), `odd key: ${key}`);
      need(at >= before, `date not in order: ${key}`);
    }
    need(value.length <= (spec.longest ?? Infinity), `too long: ${key}`);
    if (spec.turns !== undefined && metadata?.session !== undefined)
      need(metadata.timestamp === at, `timestamp of the turn differs: ${key}`);
    const twin = plains.get(plain(value));
    if (twin !== undefined && spec.wanted.duplicate !== undefined && spec.wanted.duplicate > 0)
      need(
        findings.some(({ evidence }) => evidence.includes(twin) && evidence.includes(key)),
        `unplanted duplicate: ${twin}, ${key}`,
      );
    keys.add(key);
    values.add(value);
    plains.set(plain(value), key);
    before = at;
  }
  const { from, to } = spec.size;
  need(
    memories.length >= from && memories.length <= to,
    `${memories.length} memories, wanted ${from} to ${to}`,
  );
  const turns = memories.filter(({ metadata }) => metadata?.session !== undefined).length;
  need(turns >= (spec.turns ?? 0), `only ${turns} turns of conversations`);
}

function nameOf({ kind, evidence, only }: Pick<Line, 'kind' | 'evidence' | 'only'>): string {
  return `${kind}:${evidence.toSorted().join('+')}${only === undefined ? '' : `:${only}`}`;
}

function checkLines({ spec, byKey, findings, decoys, acceptable }: Labelled, need: Need): void {
  const seen = new Set<string>();
  const twice: string[] = [];
  for (const [list, lines] of Object.entries({ findings, decoys, acceptable }))
    for (const line of lines as readonly Pick<Line, 'kind' | 'evidence' | 'only'>[]) {
      const name = nameOf(line);
      need(spec.wanted[line.kind] !== undefined, `${list}: unknown kind ${line.kind}`);
      for (const key of line.evidence) need(byKey.has(key), `${list}: no such memory: ${key}`);
      need(line.kind === 'due' || line.evidence.length > 1, `${list}: one memory only: ${name}`);
      if (seen.has(name)) twice.push(name);
      seen.add(name);
    }
  const swallowed = decoys.filter((decoy) =>
    [...findings, ...acceptable].some(
      (right) =>
        right.kind === decoy.kind &&
        !('only' in right && right.only !== undefined) &&
        right.evidence.filter((key) => decoy.evidence.includes(key)).length >= (decoy.kind === 'due' ? 1 : 2),
    ),
  );
  need(twice.length === (spec.listedTwice ?? 0), `listed twice: ${twice.join(', ')}`);
  need(
    swallowed.length === (spec.swallowed ?? 0),
    `decoys that are never hit: ${swallowed.map(nameOf).join(', ')}`,
  );
}

function checkFinding(set: Labelled, finding: Finding, need: Need): void {
  const { spec, byKey, memories } = set;
  const { id, kind, evidence, told } = finding;
  const say: Need = (isSo, what) => need(isSo, `${id}: ${what}`);
  const sides = evidence.flatMap((key) => byKey.get(key) ?? []);
  const [one, other] = sides;
  const days = sides.map(({ created_at }) => created_at.slice(0, 10)).sort();
  switch (kind) {
    case 'recurrence':
      say(sides.length >= 3 && new Set(days).size === sides.length, 'three different days wanted');
      say((told.count ?? sides.length) === sides.length, 'count');
      for (const [index, day] of days.entries()) {
        const gap = (Date.parse(day) - Date.parse(days[index - 1] ?? day)) / DAY;
        if (told.weekday !== undefined)
          say(WEEKDAYS[new Date(day).getUTCDay()] === told.weekday, `${day} is another weekday`);
        if (told.period_days !== undefined && index > 0)
          say(Math.abs(gap - told.period_days) <= 3, `interval before ${day}`);
      }
      return;
    case 'due': {
      const isMonth = finding.precision === 'month';
      const due = finding.due ?? '';
      say(evidence.length === 1 || finding.precision === undefined, 'one memory wanted');
      say((isMonth ? /^\d{4}-\d{2}$/u : /^\d{4}-\d{2}-\d{2}$/u).test(due), `${due} is no such date`);
      say((isMonth ? `${due}-28` : due) > spec.now.slice(0, 10), `${due} is not after now`);
      return;
    }
    case 'link': {
      say(sides.length === 2, 'a pair wanted');
      const shared = (finding.shared ?? '').toLowerCase();
      const holders = memories.filter(({ value }) => value.toLowerCase().includes(shared));
      say(
        shared !== '' && holders.length === 2 && holders.every(({ key }) => evidence.includes(key)),
        `what both share is in ${holders.length} memories`,
      );
      return;
    }
    case 'contradiction':
      say(sides.length === 2, 'a pair wanted');
      if (!one || !other || told.newer_key === undefined) return;
      say(told.newer_key === other.key && other.created_at > one.created_at, 'newer_key');
      say(
        Date.parse(other.created_at) - Date.parse(one.created_at) >= (spec.weeksApart ?? 0) * 7 * DAY,
        'too near in time',
      );
      return;
    case 'duplicate': {
      say(sides.length === 2, 'a pair wanted');
      if (!one || !other) return;
      if (finding.how !== undefined)
        say((plain(one.value) === plain(other.value)) === (finding.how === 'exact'), `not ${finding.how}`);
      if (spec.wordsShared === undefined) return;
      const [a, b] = [wordsOf(one.value), wordsOf(other.value)];
      say(a.intersection(b).size >= spec.wordsShared * a.union(b).size, 'too few words in common');
      const figures = ({ value }: Memory) => (value.match(/\d+/gu) ?? []).sort().join();
      say(figures(one) === figures(other), 'figures differ');
      say(evidence.includes(told.keep ?? ''), 'keep');
    }
  }
}

function checkCounts({ spec, findings, decoys }: Labelled, need: Need): void {
  const ids = findings.map(({ id }) => id);
  need(new Set(ids).size === ids.length, 'an id twice');
  const least = typeof spec.decoys === 'number' ? {} : spec.decoys;
  if (typeof spec.decoys === 'number') need(decoys.length >= spec.decoys, `only ${decoys.length} decoys`);
  const count = (is: (finding: Finding) => boolean) => findings.filter(is).length;
  for (const kind of kinds) {
    const of = count((finding) => finding.kind === kind);
    const wanted = spec.wanted[kind] ?? 0;
    need(of === wanted, `${kind}: ${of}, wanted ${wanted}`);
    const traps = decoys.filter((decoy) => decoy.kind === kind).length;
    need(traps >= (least[kind] ?? 0), `decoys, ${kind}: ${traps}, wanted ${least[kind] ?? 0}`);
    const worded = count((finding) => finding.kind === kind && finding.wording === 'different');
    need(worded >= (spec.different?.[kind] ?? 0), `${kind}: only ${worded} worded differently`);
  }
  for (const [form, wanted] of Object.entries(spec.forms ?? {})) {
    const of = count(({ kind, how }) => kind === 'duplicate' && how === form);
    need(of === wanted, `duplicate: ${of} ${form}, wanted ${wanted}`);
  }
  const months = count(({ precision }) => precision === 'month');
  need(months === (spec.byMonth ?? months), `due: ${months} by month, wanted ${spec.byMonth ?? 0}`);
}

/** Letters and digits only, in small letters: what two exact duplicates have in common. */
function plain(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
}

function wordsOf(text: string): Set<string> {
  return new Set(
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [],
  );
}

if (import.meta.main) {
  const named = process.argv.slice(2) as PlantedSet[];
  for (const name of named.length > 0 ? named : (Object.keys(plantedSets) as PlantedSet[])) {
    const { problems, counts } = checkSet(name);
    console.log(counts);
    for (const problem of problems) console.error(`${name}: ${problem}`);
    if (problems.length > 0) process.exitCode = 1;
  }
}

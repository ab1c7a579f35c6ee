import type { Insight } from '@reverie/shared/contract/dreams/dreams';
import type { Strategy } from '@reverie/shared/contract/dreams/dream-strategies';

/** Kinds of findings, and the strategies that are there to find them (sets/open/planted-set/README.md). */
export const kinds = ['contradiction', 'duplicate', 'recurrence', 'link', 'due_date', 'page'] as const;
export type Kind = (typeof kinds)[number];

export const kindOf: Partial<Record<Strategy, Kind>> = {
  contradict: 'contradiction',
  refine: 'duplicate',
  pattern: 'recurrence',
  connect: 'link',
  rem: 'link',
  forecast: 'due_date',
  synthesize: 'page',
  summarize: 'page',
};

export interface Finding {
  id: string;
  kind: Kind;
  evidence: readonly string[];
  detail: { date?: string | undefined };
}

/** A line of decoys.jsonl or acceptable.jsonl. */
export interface Line {
  kind: Kind;
  evidence: readonly string[];
  why: string;
  only?: 'update' | 'merge' | undefined;
  date?: string | undefined;
}

export interface Planted {
  findings: readonly Finding[];
  decoys: readonly Line[];
  acceptable: readonly Line[];
}

export type Proposed = Pick<
  Insight,
  'strategy' | 'title' | 'body' | 'evidence' | 'change' | 'confidence' | 'due_on'
>;

/** What a proposal is: it hits findings, or a reasonable person would accept it, or it is false (and perhaps fell for a decoy). */
export type Verdict =
  | { kind: 'hit'; findings: readonly string[] }
  | { kind: 'acceptable' }
  | { kind: 'false'; decoy: string | null };

const MONTHS = 'January February March April May June July August September October November December'.split(
  ' ',
);

/** Whether a text names a day, in one of the ways in which a day is written; of a month (`2027-02`) any day, or the month. */
export function namesDay(text: string, iso: string): boolean {
  const [year = '', month = '', day = ''] = iso.slice(0, 10).split('-');
  const name = MONTHS[Number(month) - 1] ?? '';
  const months = `(?:${name}|${name.slice(0, 3)}\\.?)`;
  if (day === '')
    return new RegExp(`${year}-${month}(?!\\d)|\\b${months}(?: \\d{1,2},?)? ${year}(?!\\d)`, 'i').test(text);
  const number = Number(day);
  const days = `${number}(?:st|nd|rd|th)?`;
  return [
    `${year}-${month}-${day}`,
    `\\b0?${days} (?:of )?${months},? ${year}`,
    `\\b${months} 0?${days},? ${year}`,
  ].some((pattern) => new RegExp(`${pattern}(?!\\d)`, 'i').test(text));
}

function shared(a: readonly string[], b: readonly string[]): number {
  const keys = new Set(a);
  return new Set(b.filter((key) => keys.has(key))).size;
}

/** Whether a proposal is about a day, or a month (`2027-02`). */
function says({ title, body, due_on }: Proposed, date: string | undefined): boolean {
  return date === undefined || due_on?.startsWith(date) === true || namesDay(`${title}\n${body}`, date);
}

function isOfLine(proposal: Proposed, kind: Kind, line: Line): boolean {
  if (line.kind !== kind) return false;
  if (line.only !== undefined && (proposal.change?.kind === 'merge' ? 'merge' : 'update') !== line.only)
    return false;
  return shared(proposal.evidence, line.evidence) >= (kind === 'due_date' ? 1 : 2);
}

/** The verdict on a proposal; undefined for a strategy that is not scored. */
export function judge(proposal: Proposed, planted: Planted): Verdict | undefined {
  const kind = kindOf[proposal.strategy];
  if (!kind) return undefined;
  const hit = planted.findings.filter(
    (finding) =>
      finding.kind === kind &&
      shared(proposal.evidence, finding.evidence) >= (kind === 'due_date' ? 1 : 2) &&
      (kind !== 'due_date' || says(proposal, finding.detail.date)),
  );
  if (hit.length > 0) return { kind: 'hit', findings: hit.map(({ id }) => id) };
  if (planted.acceptable.some((line) => isOfLine(proposal, kind, line) && says(proposal, line.date)))
    return { kind: 'acceptable' };
  return { kind: 'false', decoy: planted.decoys.find((line) => isOfLine(proposal, kind, line))?.why ?? null };
}

export interface Score {
  name: string;
  proposals: number;
  hits: number;
  acceptable: number;
  wrong: number;
  decoys: number;
  found: number;
  of: number;
}

/** Recall and precision of what some strategies proposed about one kind of finding. */
export function score(
  name: string,
  kind: Kind,
  { proposals, planted }: { proposals: readonly Proposed[]; planted: Planted },
): Score {
  const verdicts = proposals.map((proposal) => judge(proposal, planted));
  const hits = verdicts.filter((verdict) => verdict?.kind === 'hit');
  return {
    name,
    proposals: proposals.length,
    hits: hits.length,
    acceptable: verdicts.filter((verdict) => verdict?.kind === 'acceptable').length,
    wrong: verdicts.filter((verdict) => verdict?.kind === 'false').length,
    decoys: verdicts.filter((verdict) => verdict?.kind === 'false' && verdict.decoy !== null).length,
    found: new Set(hits.flatMap((verdict) => (verdict?.kind === 'hit' ? verdict.findings : []))).size,
    of: planted.findings.filter((finding) => finding.kind === kind).length,
  };
}

export const recall = ({ found, of }: Score): number => (of === 0 ? Number.NaN : found / of);
export const precision = ({ hits, wrong }: Score): number =>
  hits + wrong === 0 ? Number.NaN : hits / (hits + wrong);

import type { FindingKind } from '@reverie/shared/contract/dreams/dreams';
import type { Strategy } from '@reverie/shared/contract/dreams/dream-strategies';
import type { JobEvent, ReadingState } from '../jobs/job-state.ts';
import type { DreamRecord } from '../jobs/record.ts';
import type { RunDeps } from '../jobs/run-deps.ts';
import { notesFor } from '../insights/findings.service.ts';
import { toProposal } from '../insights/findings.ts';
import { propose } from '../insights/proposing.service.ts';
import type { PlannedSheets } from '../thread/messages.ts';
import { closeSheet, findingOf, openSheet, type OpenedSheet, readSheet } from './reader.ts';
import type { PlannedSheet } from './sheets.ts';
import type { SheetSize } from './sizes.ts';

/** What a model reads, and what for. */
export interface Reading {
  readonly planned: PlannedSheets;
  /** The kinds that are looked for, each with the strategy whose insights they become. */
  readonly kinds: ReadonlyMap<FindingKind, Strategy>;
  readonly size: SheetSize;
  readonly now: number;
  readonly signal: AbortSignal;
}

/** A question about a sheet that is still to be asked. */
type ToAsk = PlannedSheet & { readonly kinds: readonly FindingKind[] };

/** What came of the findings of a strategy. */
interface Tally {
  found: number;
  proposed: number;
  /** Whose quotes do not stand in their notes, or that have another flaw. */
  unsupported: number;
}

/** How a reading ended. */
export interface NamespaceRead {
  /** Whether all that was to be read was. */
  readonly isWhole: boolean;
  /** What is to be said of each strategy. */
  readonly notes: ReadonlyMap<Strategy, string>;
  readonly ms: number;
}

/** Answers of no use, one after the other, after which a model is left alone in a dream. */
const PATIENCE = 4;
/** Characters of a token on the average, and tokens that an answer takes. */
const OF_TOKEN = 3.5;
const ANSWER = 1_500;

/**
 * Has a model read sheets and proposes what it finds. An answer is written down with the fact
 * that its notes were read, in one transaction, so that no sheet is paid for twice. A sheet that brings no answer of use is tried in halves.
 */
export async function readNamespace(
  deps: RunDeps,
  record: DreamRecord,
  { planned, kinds, size, now, signal }: Reading,
): Promise<NamespaceRead> {
  const { store, minds } = deps;
  const { job } = record;
  const from = performance.now();
  const strategies = [...new Set(kinds.values())];
  const tallies = new Map(
    strategies.map((one): [Strategy, Tally] => [one, { found: 0, proposed: 0, unsupported: 0 }]),
  );
  const all = [...kinds.keys()];
  // A model that looks for one kind at a time is asked about a sheet as often as there are kinds.
  const asked = size.isOneKind ? all.map((kind) => [kind]) : [all];
  const waiting: ToAsk[] = planned.sheets.flatMap((sheet) => asked.map((of) => ({ ...sheet, kinds: of })));
  const of = waiting.length;
  let [read, useless, inARow] = [0, 0, 0];
  let why: string | undefined;
  const lettersOfSheet = planned.letters / Math.max(1, planned.sheets.length);

  /** How far it is, for the record: of a sheet that is not read the memories count by their share of all. */
  function progress(): JobEvent[] {
    const { memories } = record.state();
    const left = of === 0 ? 0 : waiting.length / of;
    const reading: ReadingState = {
      read: Math.max(0, memories - Math.ceil(planned.unread * left)),
      of: memories,
      tokensLeft: Math.ceil(waiting.length * (lettersOfSheet / OF_TOKEN + ANSWER)),
    };
    const [first] = strategies;
    const ms = Math.round(performance.now() - from);
    return [
      ...(first ? [{ kind: 'read', strategy: first, reading } as const] : []),
      ...strategies.map((strategy) => ({ kind: 'stepped', strategy, done: read, total: of, ms }) as const),
    ];
  }

  record.write(progress());
  for (let next = waiting[0]; next; next = waiting[0]) {
    signal.throwIfAborted();
    const given = minds.model(job.account, job.namespace);
    if (!given || 'withheld' in given) {
      why = given ? given.withheld : 'no language model is configured any more';
      break;
    }
    const opened = { ...next, now, job: job.id };
    const sheet = await openSheet(store, job, opened);
    if (!sheet.notes.some(({ isNew }) => isNew)) {
      waiting.shift();
      read += 1;
      continue;
    }
    const tokensLeft = Math.max(0, job.tokensBudget - record.state().tokensUsed);
    const answer = await readSheet(given.model, sheet, { tokensLeft, answer: size.answer, signal });
    signal.throwIfAborted();
    if (answer.kind === 'found') {
      waiting.shift();
      inARow = 0;
      read += 1;
      store.write((db) => {
        const events = answer.findings.flatMap((one) => take(db, sheet, one));
        closeSheet(db, job, sheet);
        record.write([{ kind: 'spent', tokens: answer.tokens }, ...events, ...progress()], db);
      });
      continue;
    }
    if (answer.tokens > 0) record.write([{ kind: 'spent', tokens: answer.tokens }]);
    if (answer.kind === 'over') {
      why = answer.why;
      break;
    }
    useless += 1;
    inARow += 1;
    if (inARow >= PATIENCE) {
      why = 'its answers were of no use';
      break;
    }
    waiting.splice(0, 1, ...halvesOf(next));
  }
  record.write(progress());

  /** Proposes one finding in the transaction under way. */
  function take(
    db: Parameters<typeof propose>[0],
    sheet: OpenedSheet,
    one: Parameters<typeof findingOf>[1],
  ): JobEvent[] {
    // One that was not asked for is none.
    const strategy = kinds.get(one.kind as FindingKind);
    const tally = strategy && tallies.get(strategy);
    if (!strategy || !tally) return [];
    tally.found += 1;
    const finding = findingOf(sheet, one);
    const made = finding && toProposal(finding, { now, ...notesFor(db, deps.insights.memories, job) });
    if (!made || !('proposal' in made)) {
      tally.unsupported += 1;
      return [];
    }
    if (!propose(db, deps.insights, { job, proposal: made.proposal }).taken) return [];
    tally.proposed += 1;
    return [{ kind: 'proposed', strategy, insights: 1 }];
  }

  const sheets = `${read} of ${read + waiting.length} ${of === 1 ? 'sheet' : 'sheets'}`;
  const ends = [
    ...(useless > 0 ? [`${useless} answers were of no use`] : []),
    ...(why !== undefined ? [`it stopped, for ${why}`] : []),
  ];
  const notes = new Map(
    Array.from(tallies, ([strategy, { found, proposed, unsupported }]): [Strategy, string] => {
      const told = [
        `a language model read ${sheets}: ${found} found, ${proposed} proposed`,
        ...(unsupported > 0 ? [`${unsupported} not borne out by their notes`] : []),
      ];
      return [strategy, [told.join(', '), ...ends].join('; ')];
    }),
  );
  return { isWhole: waiting.length === 0 && useless === 0, notes, ms: Math.round(performance.now() - from) };
}

/** A sheet in two, as short ones are easier to read; nothing of one of a single note. */
function halvesOf({ ids, ...sheet }: ToAsk): ToAsk[] {
  if (ids.length < 2) return [];
  const half = Math.ceil(ids.length / 2);
  return [ids.slice(0, half), ids.slice(half)].map((some) => ({ ...sheet, ids: some }));
}

import { z } from 'zod';

import type { Batch, Benchmark, Item, Question } from '../benchmark.ts';
import { readJson } from './jsonl.ts';

/** `speaker`, `dia_id` (`D<session>:<turn>`) and `text` of a turn; a shared photo is known by its caption. */
const Turn = z.object({
  speaker: z.string(),
  dia_id: z.string(),
  text: z.string(),
  blip_caption: z.string().optional(),
});

const Sample = z.object({
  sample_id: z.string().optional(),
  // speaker_a, speaker_b, session_N (turns) and session_N_date_time stand side by side.
  conversation: z.record(z.string(), z.unknown()),
  qa: z.array(
    z.object({
      question: z.string(),
      category: z.int().min(1).max(5),
      evidence: z.array(z.string()).default([]),
    }),
  ),
});
const Samples = z.array(Sample).min(1);
type Sample = z.infer<typeof Sample>;

/** What the numbers of the file stand for: the paper's order is another one, the counts tell (282, 321, 96, 841, 446). */
const CATEGORIES: Readonly<Record<number, string>> = {
  1: 'multi_hop',
  2: 'temporal',
  3: 'inference',
  4: 'single_hop',
  5: 'adversarial',
};

const MONTHS = 'january february march april may june july august september october november december'.split(
  ' ',
);

/** `1:56 pm on 8 May, 2023` in UTC. Throws where it is something else, for a wrong time would go unnoticed. */
export function locomoTime(text: string): string {
  const parts = /^\s*(\d{1,2}):(\d{2})\s*(am|pm)\s+on\s+(\d{1,2})\s+(\w+),?\s+(\d{4})\s*$/i.exec(text);
  const month = MONTHS.indexOf((parts?.[5] ?? '').toLowerCase());
  if (!parts || month < 0) throw new Error(`LoCoMo writes 1:56 pm on 8 May, 2023, not ${text}`);
  const [, hour, minute, half, day, , year] = parts;
  const hours = (Number(hour) % 12) + (half?.toLowerCase() === 'pm' ? 12 : 0);
  return new Date(Date.UTC(Number(year), month, Number(day), hours, Number(minute))).toISOString();
}

/**
 * The turns that evidence names. A few entries of the file hold several ids (`D8:6; D9:17`), a stray colon (`D:11:26`), a padded
 * number (`D30:05`) or no id at all (`D`).
 */
export function evidenceIds(evidence: readonly string[]): string[] {
  const ids = evidence.flatMap((entry) =>
    [...entry.matchAll(/D:?(\d+):(\d+)/g)].map(([, session, turn]) => `D${Number(session)}:${Number(turn)}`),
  );
  return [...new Set(ids)];
}

const MINUTE = 60_000;

/** The sessions of a conversation in their order; numbers that have a date and no turns are left out. */
function turnsOf({ conversation }: Sample, name: string): Item[] {
  const numbers = Object.keys(conversation)
    .flatMap((field) => /^session_(\d+)$/.exec(field)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => a - b);
  return numbers.flatMap((number) => {
    const turns = z.array(Turn).parse(conversation[`session_${number}`], {
      error: () => `${name}: session_${number} is not a list of turns`,
    });
    const date = z.string().parse(conversation[`session_${number}_date_time`]);
    const from = Date.parse(locomoTime(date));
    const session = `D${number}`;
    return turns.map(({ speaker, dia_id, text, blip_caption }, at): Item => {
      // A session has one time; a minute for each turn keeps their order.
      const timestamp = new Date(from + at * MINUTE).toISOString();
      const caption = blip_caption === undefined ? '' : ` [shared a photo: ${blip_caption}]`;
      return {
        key: dia_id,
        value: `${speaker}: ${text}${caption}`,
        metadata: { session, timestamp, speaker },
        created_at: timestamp,
        session,
      };
    });
  });
}

function batchOf(sample: Sample, index: number): Batch {
  const name = sample.sample_id ?? `conversation-${index + 1}`;
  const items = turnsOf(sample, name);
  const sessionOf = new Map(items.map(({ key, session }) => [key, session]));
  const questions = sample.qa.flatMap(({ question, category, evidence }, at): Question[] => {
    // What points at no turn cannot be found by anybody.
    const found = evidenceIds(evidence).filter((id) => sessionOf.has(id));
    if (found.length === 0) return [];
    return [
      {
        id: `${name}:${at}`,
        text: question,
        kind: CATEGORIES[category] ?? String(category),
        // By conversation, so that no turn that was tuned on is reported on.
        half: index % 2 === 0 ? 'tune' : 'report',
        evidence: found,
        sessions: [...new Set(found.flatMap((id) => sessionOf.get(id) ?? []))],
      },
    ];
  });
  return { namespace: `locomo-${name}`, items, questions };
}

/**
 * LoCoMo's `locomo10.json`: a turn is a memory, a conversation a namespace; the evidence is turns, which stand for their sessions too.
 * Questions of category 5 are asked about the wrong speaker, but their evidence exists, and published figures count them.
 */
export function locomo(file: string): Benchmark {
  return {
    name: 'LoCoMo',
    batches: readJson(file, Samples).map(batchOf),
    views: ['memories', 'sessions', 'sessions, best three'],
    apart: [],
    without: ['adversarial'],
  };
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const FOLDER = join(import.meta.dirname, '../../../../data/examination');

/** The moment at which the questions are asked (ms since 1970), later than all notes. */
export const ASKED_AT = Date.UTC(2026, 10, 20, 12);

const Note = z.strictObject({ key: z.string().min(1), date: z.iso.date(), value: z.string().min(1) });
export type ExaminationNote = z.infer<typeof Note>;

const Pattern = z.string().transform((text, context) => {
  try {
    return new RegExp(text, 'iu');
  } catch (cause) {
    context.addIssue({ code: 'custom', message: `is no pattern: ${(cause as Error).message}` });
    return z.NEVER;
  }
});

const Question = z.strictObject({
  question: z.string().min(1),
  kind: z.enum(['direct', 'reworded', 'changed', 'across', 'two', 'orders', 'unanswerable']),
  /** The keys of the notes that answer, the one that has to be found first. */
  notes: z.array(z.string()),
  /** All of them stand in a right answer, and none of `refused`. */
  accepted: z.array(Pattern).default([]),
  refused: z.array(Pattern).default([]),
});
export type ExaminationQuestion = z.infer<typeof Question>;

const Pair = z.strictObject({ older: Note, newer: Note, contradicts: z.boolean() });
export type ExaminationPair = z.infer<typeof Pair>;

/** What a model is examined with. All of it is made up: nothing comes from anybody's memories. */
export interface Paper {
  readonly notes: readonly ExaminationNote[];
  readonly questions: readonly ExaminationQuestion[];
  readonly pairs: readonly ExaminationPair[];
}

/** Reads the paper; throws where a line is not of its form. */
export function readPaper(): Paper {
  return {
    notes: linesOf(join(FOLDER, 'notes.jsonl'), Note),
    questions: linesOf(join(FOLDER, 'questions.jsonl'), Question),
    pairs: linesOf(join(FOLDER, 'pairs.jsonl'), Pair),
  };
}

function linesOf<T>(file: string, schema: z.ZodType<T>): T[] {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  return lines.map((line, at) => {
    const read = schema.safeParse(JSON.parse(line));
    if (read.success) return read.data;
    throw new Error(`${file}, line ${at + 1}: ${z.prettifyError(read.error)}`);
  });
}

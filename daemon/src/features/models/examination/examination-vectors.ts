import type { QuantisedVector } from '../../../models/embedder.ts';
import type { ModelServer } from '../../../models/model-server.ts';
import { createRemoteEmbedder } from '../../../models/remote-embedder.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { ModelChoice } from '../choices.ts';
import type { ExaminationNote, ExaminationQuestion } from './examination-data.ts';

/** The vectors of some texts, by the table that comes with Reverie. */
export type TableVectors = (texts: readonly string[]) => Promise<QuantisedVector[]>;

/** Texts in one request, and its time. */
const BATCH = 16;
const BATCH_MS = 60_000;

/** For each question whether the note that answers it is among the three whose vectors are nearest. */
export async function nearestThree(
  { notes, questions }: { notes: readonly ExaminationNote[]; questions: readonly ExaminationQuestion[] },
  vectorsOf: (texts: readonly string[]) => Promise<QuantisedVector[]>,
): Promise<boolean[]> {
  const ofNotes = await vectorsOf(notes.map(({ value }) => value));
  const ofQuestions = await vectorsOf(questions.map(({ question }) => question));
  return questions.map(({ notes: [wanted] }, at) => {
    const asked = ofQuestions[at];
    const near = notes
      .map(({ key }, place) => ({ key, cosine: cosineOf(asked, ofNotes[place]) }))
      .sort((a, b) => b.cosine - a.cosine)
      .slice(0, 3);
    return near.some(({ key }) => key === wanted);
  });
}

/** The vectors of a server's model. Rejects with a `ModelFailure`. */
export function embedded(
  {
    choice,
    server,
    clock,
    signal,
  }: { choice: ModelChoice; server: ModelServer; clock: Pick<Clock, 'now'>; signal: AbortSignal },
  texts: readonly string[],
  took: (tokens: number) => void,
): Promise<QuantisedVector[]> {
  const { background } = createRemoteEmbedder({
    server,
    baseUrl: choice.baseUrl,
    model: choice.model,
    timeoutMs: BATCH_MS,
    batch: BATCH,
    dimensions: { load: () => 0, save: () => undefined },
    now: clock.now,
    took: ({ tokens }) => took(tokens),
  });
  signal.addEventListener('abort', () => background.rest(), { once: true });
  return background.encode(texts.map((text) => [{ text, weight: 1 }]));
}

/** Both have unit length. */
function cosineOf(one: QuantisedVector | undefined, other: QuantisedVector | undefined): number {
  if (!one || !other) return -1;
  let sum = 0;
  for (const [at, x] of one.data.entries()) sum += x * (other.data[at] ?? 0);
  return sum * one.scale * other.scale;
}

import { z } from 'zod';
import { Event, eventFamilies, eventTypes } from './events.ts';
import { inQuery, Namespace, WholeFromZero } from '../fields.ts';

/** The subprotocol of the stream; a browser sends its key beside it as `bearer.<key>`. */
export const STREAM_PROTOCOL = 'reverie.v1';

const Topic = z.enum([...eventFamilies, ...eventTypes], {
  error: (issue) =>
    `is ${JSON.stringify(issue.input)}; allowed: ${[...eventFamilies, ...eventTypes].join(', ')}`,
});

/** The query of `GET /stream`. */
export const StreamQuery = z.strictObject({
  topics: z
    .preprocess(
      (given) => (typeof given === 'string' ? given.split(',').filter((one) => one !== '') : given),
      z.array(Topic),
    )
    .optional()
    .describe('Families or exact kinds, with commas; all where omitted'),
  namespace: Namespace.optional(),
  since: inQuery(WholeFromZero.optional()).describe('First what came after this `seq`'),
  log_id: z.string().optional().describe('The log that `since` is of'),
});
export type StreamQuery = z.infer<typeof StreamQuery>;

/** Tells that events were missed: `since` is older than the log, or of another log. What follows begins at `oldest_seq`. */
export const StreamReset = z.object({
  type: z.literal('reset'),
  reason: z.enum(['cursor_expired', 'other_log']),
  log_id: z.string(),
  oldest_seq: z.int(),
});

/** Answers a message of the client that could not be done, or not be read: why, as a code and a sentence for people. */
export const StreamError = z.object({ type: z.literal('error'), code: z.string(), detail: z.string() });

/** What the server sends: one JSON message for each event. */
export const StreamMessage = z.union([Event, StreamReset, StreamError]);
export type StreamMessage = z.infer<typeof StreamMessage>;

/** What a client may send. */
export const StreamCommand = z.strictObject({
  type: z.literal('publish'),
  channel: z.string().min(1, 'must be 1 to 128 characters').max(128, 'must be 1 to 128 characters'),
  namespace: Namespace.default('default'),
  payload: z.record(z.string(), z.unknown(), { error: 'must be a JSON object' }),
});

/** WebSocket close codes of the stream. */
export const streamCloseCodes = {
  /** The server stops. */
  going_away: 1001,
  /** The key was revoked or ran out. */
  unauthorized: 1008,
  /** The client was more than 8 MiB behind, or the slowest while all were behind by 64 MiB; or there are too many streams. It may resume with `since`. */
  behind: 1013,
} as const;

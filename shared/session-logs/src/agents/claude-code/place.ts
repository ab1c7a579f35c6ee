import type { ReadRecord } from '../../format.ts';
import type { LogObject } from '../../json.ts';
import type { Recent } from '../../recent.ts';

/** The place of a record in its session. */
export interface RecordPlace {
  /** The agent's own id of the session that it belongs to. */
  session: string;
  /** Ms since 1970: of the record, or of the last before it that has a time. */
  at: number;
  /** The name of the record itself. */
  item: string;
  /** Whether it is of a subagent, whose prompts an agent wrote. */
  byAgent: boolean;
  prompts: Prompts;
  /** The names of tools by their calls. */
  tools: Recent<string>;
}

/** Tells what a person said from what stands in the same records, within one session. */
export interface Prompts {
  /** The texts of a `user` record: a prompt, or a command of the person with what it printed. */
  said(texts: readonly string[], place: RecordPlace, record: LogObject): ReadRecord[];
  /** A command of the person in a `system` record, where newer versions have it; nothing where it is none. */
  commands(text: string, place: RecordPlace, record: LogObject): ReadRecord[];
  /** An `attachment`: one kind is a prompt that was typed while the agent worked. */
  attached(record: LogObject, place: RecordPlace): ReadRecord[];
  /** A change of the queue of prompts that were typed while the agent worked. */
  queued(record: LogObject, place: RecordPlace): ReadRecord[];
}

import type { LogObject } from './json.ts';

/** Facts of a session; each field as the newest record says it. */
export interface SessionFacts {
  /** Of two titles the one of the higher rank stands, of equal ranks the later one. */
  title?: { text: string; rank: number };
  /** The working folder, absolute. */
  folder?: string;
  /** The project of the folder, once the thread that reads the log has looked; undefined outside of any. */
  project?: { namespace: string } | undefined;
  branch?: string;
  /** Version of the agent's program. */
  version?: string;
  /** The session that it was begun from, by the agent's own id. */
  parent?: { session: string; kind: 'subagent' | 'fork' | 'continuation' };
}

/** An entry as a record of a log says it. */
export interface ReadEntry {
  /** The agent's own id of it within its session, with a part number where one record has several; never an offset. */
  item: string;
  /** Ms since 1970. */
  at: number;
  /** `other`: a record that this version does not know, whole. */
  kind: 'prompt' | 'answer' | 'thinking' | 'tool_call' | 'tool_result' | 'summary' | 'other';
  /** The words alone, without the agent's wrappers. An image or another binary stands as `[image/png, 12345 bytes]`. */
  text: string;
  /** What the whole text takes, where it was cut. */
  bytes?: number;
  /** Whether a person wrote it. */
  byPerson: boolean;
  tool?: { name: string; call?: string; failed?: boolean };
  /** As the log names them: absolute, or relative to the working folder. */
  files?: readonly string[];
  /** The agent's own id of the session of the subagent that this call began. */
  child?: string;
  /**
   * The time that orders it in its session, ms since 1970: its own, or the latest one before it in its log, so that a clock that is put
   * right moves nothing. No format says it, but who reads the file.
   */
  orderedAt?: number;
}

/** Tokens of one reply of a model. Of two with one `item`, the one with more `output` stands. */
export interface ReadUsage {
  item: string;
  model: string;
  /** Tokens put in, those of a cache included. */
  input: number;
  output: number;
}

/** One thing that a record says: facts of a session, an entry, usage, or what the agent took back. `session` is the agent's own id. */
export type ReadRecord = { session: string } & (
  | { kind: 'facts'; facts: SessionFacts }
  | { kind: 'entry'; entry: ReadEntry }
  | { kind: 'usage'; usage: ReadUsage }
  /** The agent took these back, such as turns that were rolled back. */
  | { kind: 'gone'; items: readonly string[] }
);

/**
 * A record as it was met: its type as the log names it, and whether this version knows it. One that it does not know is counted, and
 * becomes an entry `other`, whole, where somebody speaks in it.
 */
export interface LogRecord {
  type: string;
  known: boolean;
  reads: readonly ReadRecord[];
}

/** Reads one file of lines from its first line on. It holds what later lines need of earlier ones, and no more than that. */
export interface LineReader {
  /** One record, and its text. Undefined where it is not a record at all. */
  read(record: LogObject, text: string): LogRecord | undefined;
  /**
   * When a whole record was written, ms since 1970, 0 where it does not say; undefined for an object that lacks what every record of
   * this format has at its top level.
   */
  writtenAt(record: LogObject): number | undefined;
}

/** A file of a session, told by its path alone. */
export interface SessionFile {
  /** `lines`: JSON Lines that grow. `lines.zst`: the same, compressed with zstd. `text`: read whole. `database`: SQLite. */
  kind: 'lines' | 'lines.zst' | 'text' | 'database';
  /** The agent's own id of the session where the path says it. */
  session?: string;
  /** The session that it belongs to, where the path says that. */
  parent?: string;
  /** A file below the root that says the working folder of the session, and nothing else. */
  folderIn?: string;
}

/** Reads what a database holds. */
export interface DatabaseReader {
  /**
   * Records that changed since the last call, in an order that ends; all of them at the first. A row that cannot be read is undefined.
   * The database is opened read-only, and closed before this ends.
   */
  changed(): Iterable<LogRecord | undefined>;
}

/** A way to read one agent's logs. A format knows no disk but the databases that it opens, no clock, and no store. */
export interface SessionFormat {
  agent:
    | 'claude-code'
    | 'codex'
    | 'opencode'
    | 'copilot'
    | 'cursor'
    | 'antigravity'
    | 'gemini'
    | 'qwen'
    | 'pi'
    | 'cline';
  /** The folder of its logs, absolute, by its own variables or else below the home folder. */
  root(environment: NodeJS.ProcessEnv, home: string): string;
  /** Tells what a file is by its path below the root, with `/`; undefined where it holds no session. */
  fileAt(path: string): SessionFile | undefined;
  /** Begins a file of lines or of text. */
  lines?(file: SessionFile & { path: string; folder?: string | undefined }): LineReader;
  /** Reads a whole file of text. */
  text?(
    file: SessionFile & { path: string; folder?: string | undefined; text: string; changedAt: number },
  ): Iterable<LogRecord | undefined>;
  /** Begins a database. */
  database?(file: SessionFile & { path: string; absolute: string }): DatabaseReader;
}

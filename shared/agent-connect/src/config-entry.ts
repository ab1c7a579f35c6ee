/** One thing that is to stand in a file of an agent. */
export type ConfigEntry =
  /** A value at a path of a JSON file, where nothing else may stand; `json5` where its agent reads JSON5. */
  | { kind: 'value'; path: readonly string[]; value: unknown; json5?: true | undefined }
  /** One more item of an array of a JSON file. */
  | { kind: 'item'; path: readonly string[]; value: unknown }
  /** A value that has to be there for the others to count; one that is there is left. */
  | { kind: 'needed'; path: readonly string[]; value: unknown }
  /** A map below another one of a YAML file. */
  | { kind: 'yaml'; path: readonly [string, string]; value: Readonly<Record<string, unknown>> }
  /** A table of a TOML file, as its text. */
  | { kind: 'table'; path: readonly string[]; text: string }
  /** A whole file of ours. */
  | { kind: 'whole'; text: string };

/** The trace that putting an entry in leaves: taking it out again needs it. */
export interface Trace {
  /** Paths of the containers that were made for it: each goes with it when nothing else is in it. */
  made: readonly (readonly string[])[];
  /** What stood between the brackets of the container that it went into, where that was blank. */
  blank?: string | undefined;
}

import { keyFrom } from '@reverie/shared/contract/memories/key-from';
import type { PortableMemory } from '@reverie/shared/contract/memories/portable';
import { redactAll } from '@reverie/redact/redaction';
import { fitKey, fitSourceId, sha256 } from '@reverie/memory-formats/fit';
import { commandFiles, commandsIn, readmeOf } from './commands.ts';
import { conventionFiles, conventionsIn } from './conventions.ts';
import { decisionFiles, decisionsIn } from './decisions.ts';
import { openRepository, type TreeFile } from './git.ts';
import { aboutOf, papersOf } from './project.ts';
import { type Proposal, type ProposalKind, proposalKinds } from './proposal.ts';

/** A text of a repository, and where it stands. */
export interface SourceText {
  source: string;
  text: string;
}

/** Characters that a model is given at most, of all texts and of one, and messages of commits. */
const FOR_MODEL = { all: 60_000, one: 6_000, messages: 100 } as const;

/** What is proposed at most, and what is read for it: files, bytes of one and of all. */
const MOST = 40;
const FILES = 400;
const FILE_BYTES = 256 * 1024;
const ALL_BYTES = 8 * 1024 * 1024;

/** By what the memories of each kind are found; a brief at the start of a session tells those with tags of standing rules. */
const TAGS: Readonly<Record<ProposalKind, readonly string[]>> = {
  project: ['project'],
  command: ['command', 'instructions'],
  convention: ['convention'],
  decision: ['decision'],
  gist: ['from-model'],
};
/** What all of them are tagged with. */
export const FROM_GIT = 'from-git';

/** The brief of a repository, and what it was made from. */
export interface RepositoryBrief {
  proposals: Proposal[];
  commits: number;
  files: number;
  /** Secrets that were taken out. */
  redacted: number;
  /** The papers and the last messages, for a model to read, without their secrets. */
  texts(): Promise<SourceText[]>;
}

/** Reads a repository into what an agent would want to know on its first day, by structure alone; secrets are taken out. Throws `ImportError`. */
export async function briefOf(folder: string, env: NodeJS.ProcessEnv): Promise<RepositoryBrief> {
  const repository = await openRepository(folder, env);
  const { files, commits } = repository;
  const readme = readmeOf(files);
  const decisions = decisionFiles(files);
  const conventions = conventionFiles(files);
  const wanted = [
    ...files.filter(({ path }) => path === readme),
    ...conventions,
    ...commandFiles(files),
    ...decisions,
  ];
  const texts = await repository.read(readable(wanted));
  const proposals = [
    ...aboutOf(texts, readme),
    ...papersOf(files, decisions),
    ...commandsIn(texts, { files, readme }),
    ...conventionsIn(
      texts,
      conventions.map(({ path }) => path),
    ),
    ...decisionsIn(texts),
  ];
  const order = (kind: ProposalKind) => proposalKinds.indexOf(kind);
  const ordered = proposals.sort((a, b) => order(a.kind) - order(b.kind)).slice(0, MOST);
  const papers = [...texts].filter(([path]) => /\.(?:md|mdx|rst|mdc)$/iu.test(path));
  return {
    ...(await withoutSecrets(ordered)),
    commits: commits.length,
    files: texts.size,
    texts: () =>
      forModel([
        ...papers.map(([source, text]) => ({ source, text })),
        ...commits
          .slice(0, FOR_MODEL.messages)
          .filter(({ body }) => body !== '')
          .map(({ hash, subject, body }) => ({ source: `commit ${hash}`, text: `${subject}\n\n${body}` })),
      ]),
  };
}

function readable(files: readonly TreeFile[]): TreeFile[] {
  const byPath = new Map(files.map((file) => [file.path, file]));
  let room = ALL_BYTES;
  return [...byPath.values()].filter(({ size }) => size <= FILE_BYTES && (room -= size) >= 0).slice(0, FILES);
}

async function withoutSecrets(
  proposals: readonly Proposal[],
): Promise<Pick<RepositoryBrief, 'proposals' | 'redacted'>> {
  const looked = await redactAll(proposals.flatMap(({ text, name, label }) => [text, name, label]));
  const redacted = looked.reduce((sum, { findings }) => sum + findings.length, 0);
  const texts = looked.map(({ text }) => text);
  return {
    redacted,
    proposals: proposals.map((proposal, at) => {
      const [text = '', name = '', label = ''] = texts.slice(3 * at);
      // A name in which something was found also stands in the source.
      return { ...proposal, text, name, label, source: name === proposal.name ? proposal.source : name };
    }),
  };
}

/** How the sources of a project's memories begin, for whoever asks what came from its repository; those of a namespace below it begin otherwise. */
export function sourceRoot(namespace: string): string {
  return `git:${encodeURIComponent(namespace)}`;
}

/** The proposals as memories of a namespace; a source keeps its key, so that a second run knows it again. */
export function memoriesOf(namespace: string, proposals: readonly Proposal[]): PortableMemory[] {
  const taken = new Set<string>();
  return proposals.map(({ kind, name, label, text, source, hash }) => {
    const plain = `${kind}-${keyFrom(label)}`;
    const key = fitKey(taken.has(plain) ? `${plain}-${sha256(name).slice(0, 6)}` : plain);
    taken.add(key);
    return {
      key,
      value: text,
      namespace,
      metadata: { source: source.slice(0, 1_000), tags: [...TAGS[kind], FROM_GIT] },
      source: { id: fitSourceId(`${sourceRoot(namespace)}/${kind}/${name}`), hash: hash ?? sha256(text) },
    };
  });
}

async function forModel(all: readonly SourceText[]): Promise<SourceText[]> {
  const texts = all.map(({ source, text }) => ({
    source,
    text: text.slice(0, FOR_MODEL.one).toWellFormed(),
  }));
  let room: number = FOR_MODEL.all;
  const fitting = texts.filter(({ text }) => text.trim() !== '' && (room -= text.length) >= 0);
  const looked = await redactAll(fitting.flatMap(({ source, text }) => [source, text]));
  return fitting.map((_, at) => ({
    source: (looked[2 * at]?.text ?? '').slice(0, 1_000),
    text: looked[2 * at + 1]?.text ?? '',
  }));
}

/** What a model found in texts, as proposals: known again by the quote on which each rests. */
export function gistsOf(found: readonly { source: string; text: string; quote: string }[]): Proposal[] {
  return found.map(({ source, text, quote }) => {
    const name = sha256(quote);
    return { kind: 'gist', name, label: quote, text, source, hash: name };
  });
}

import { Author, authorOwns, authorSubject } from '@reverie/shared/contract/author';
import type { Event } from '@reverie/shared/contract/events/events';
import { count, inOneLine } from './print.ts';

type State = Event['data']['before'];

/** Who did it, in a word or two; `names` are those of keys by their id. */
function who({ actor: { kind, id }, author }: Event, names: ReadonlyMap<string, string>): string {
  if (author) return authorSubject(author);
  if (kind === 'key') return names.get(id) ?? id;
  if (kind === 'job') return 'A dream';
  return kind === 'device' ? 'Another device' : 'Reverie';
}

/** What happened, in a sentence of one line. */
export function sentenceOf(event: Event, names: ReadonlyMap<string, string>): string {
  return inOneLine(`${said(event, who(event, names))}.`);
}

function said(event: Event, actor: string): string {
  const { type, namespace, data } = event;
  const { before, after } = data;
  const text = (name: string) => textIn(after, name) ?? '';
  // What a memory said is taken out of the log when it is deleted.
  const gone = type === 'memory.delete' ? 'a memory' : 'a memory that was deleted since';
  const key = textIn(after, 'key') ?? textIn(before, 'key') ?? gone;
  switch (type) {
    case 'memory.write':
      return `${actor} stored ${key} in ${namespace}`;
    case 'memory.update':
      return `${actor} ${changeOf(before, after)} ${key} in ${namespace}`;
    case 'memory.delete':
      return `${actor} deleted ${key} of ${namespace}`;
    case 'memory.merge':
      return text('merged_into') === ''
        ? twoVersions(event, `${key} in ${namespace}`)
        : `${actor} merged ${key} into ${text('merged_into')} in ${namespace}`;
    case 'memory.clear':
      return `${actor} cleared ${namespace}: ${count(numberIn(before, 'count'), 'memory', 'memories')}`;
    case 'dream.started':
      return `A dream began in ${namespace}`;
    case 'dream.step':
      return `The dream in ${namespace} is at ${stepOf(after)}`;
    case 'dream.winner':
      return `The dream in ${namespace} holds one insight the best`;
    case 'dream.completed':
      return `The dream in ${namespace} is done: ${count(numberIn(after, 'insights'), 'insight')}`;
    case 'dream.failed':
      return `The dream in ${namespace} failed: ${text('error')}`;
    case 'dream.insight':
      return `The dream in ${namespace} found something (${text('strategy')}): ${text('title')}`;
    case 'insight.generated':
      return `An insight of ${namespace} waits for a decision: ${text('title')}`;
    case 'insight.accepted':
      return `${actor} accepted an insight of ${namespace}: ${text('title')}`;
    case 'insight.rejected':
      return `${actor} rejected an insight of ${namespace}: ${text('title')}`;
    case 'channel.publish':
      return `${actor} published on ${text('channel')} in ${namespace}`;
    case 'channel.subscribe':
      return `${actor} follows the channels of ${namespace}`;
    case 'channel.message':
      return `${text('from')} sent ${text('kind')} to the inbox of ${namespace}`;
    case 'session.entry':
      return `${text('agent') || actor} wrote ${count(numberIn(after, 'entries'), 'entry', 'entries')} in a coding session of ${namespace}`;
  }
}

/** Says which of two versions stands, and whose they are; who wrote the other was not kept of events of earlier programs. */
function twoVersions({ author, data: { before } }: Event, key: string): string {
  const lost = Author.safeParse(before?.['author']).data;
  const stands = author ? authorOwns(author) : 'the newer one';
  return `${key}: two versions; ${stands} stands, ${lost ? authorOwns(lost) : 'the other one'} is kept in conflicts`;
}

function changeOf(before: State, after: State): string {
  const isHidden = (state: State) =>
    ['archived_at', 'superseded_by', 'merged_into'].some((name) => state?.[name]);
  if (isHidden(after)) return textIn(after, 'archived_at') === undefined ? 'set aside' : 'archived';
  return isHidden(before) ? 'brought back' : 'changed';
}

function stepOf(after: State): string {
  const step = after?.['step'];
  const strategy =
    typeof step === 'object' && step !== null && 'strategy' in step ? step.strategy : undefined;
  return typeof strategy === 'string' ? strategy : 'its next step';
}

function textIn(state: State, name: string): string | undefined {
  const value = state?.[name];
  return typeof value === 'string' ? value : undefined;
}

function numberIn(state: State, name: string): number {
  const value = state?.[name];
  return typeof value === 'number' ? value : 0;
}

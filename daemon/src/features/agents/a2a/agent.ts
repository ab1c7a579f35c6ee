import {
  type ListTasksRequest,
  type ListTasksResponse,
  type Message,
  type Task,
  TaskState,
} from '@a2a-js/sdk';
import {
  ContentTypeNotSupportedError,
  PushNotificationNotSupportedError,
  RequestMalformedError,
  TaskNotCancelableError,
  TaskNotFoundError,
  UnsupportedOperationError,
} from '@a2a-js/sdk/errors';
import type { A2ARequestHandler } from '@a2a-js/sdk/server';
import type { Caller } from '@reverie/shared/accounts/caller';
import type { Client } from '@reverie/shared/client';
import { askMemory } from '@reverie/shared/contract/search/ask';
import {
  cancelDream,
  type DreamJob,
  dreamStatus,
  listDreams,
  listInsights,
  startDream,
} from '@reverie/shared/contract/dreams/dreams';
import type { Store } from '../../../db/open-store.ts';
import { findTask, insertTask, listTasks, type TaskRow } from './a2a.store.ts';
import { MEDIA_TYPES } from './card.ts';
import { type Instruction, readInstruction, type UserMessage } from './instruction.ts';
import { page } from './paging.ts';
import { answerFor, refusing } from './refusals.ts';
import { answerMessage, dreamTask, stateOf } from './shapes.ts';
import type { DreamWaiters } from './waiting.ts';

/** What serves one request. */
export interface AgentDeps {
  store: Store;
  /** The daemon's own routes, with the key of who asks: what it may not do, this agent does not do for it. */
  client: Client;
  caller: Caller;
  waiting: DreamWaiters;
  /** Whether a dream is over; asked each time that something happened, so it has to cost next to nothing. */
  isOver: (caller: Caller, job: string) => boolean;
}

/** One message as it was sent, parsed. */
export interface SentMessage {
  message: UserMessage;
  accepted: readonly string[];
  returnImmediately: boolean;
  gone: AbortSignal;
  newId: () => string;
}

/**
 * The operations of A2A that are offered. A task is a dream, of which only the conversation is stored here, so that a restart loses
 * nothing.
 */
export function createAgent(deps: AgentDeps, sent: SentMessage | undefined): A2ARequestHandler {
  const offered = operations(deps);
  const noPush = async (): Promise<never> => {
    throw new PushNotificationNotSupportedError(
      'Ask with GetTask, or have a webhook at /v1/webhooks/register',
    );
  };
  const noStream = (): never => {
    throw new UnsupportedOperationError('There is no streaming; send the message with SendMessage');
  };
  const noCard = async (): Promise<never> => {
    throw new UnsupportedOperationError('There is no extended agent card');
  };
  return {
    async sendMessage() {
      if (!sent) throw new RequestMalformedError('message is required');
      return offered.send(sent);
    },
    getTask: ({ id }) => offered.get(id),
    cancelTask: ({ id }) => offered.cancel(id),
    listTasks: offered.list,
    sendMessageStream: noStream,
    resubscribe: noStream,
    createTaskPushNotificationConfig: noPush,
    getTaskPushNotificationConfig: noPush,
    listTaskPushNotificationConfigs: noPush,
    deleteTaskPushNotificationConfig: noPush,
    getAgentCard: noCard,
    getAuthenticatedExtendedAgentCard: noCard,
  };
}

function operations(deps: AgentDeps) {
  const { store, caller } = deps;
  const client = refusing(deps.client);

  const rowOf = (id: string): TaskRow => {
    const row = store.read((db) => findTask(db, caller.account, id));
    if (!row) throw noTask(id);
    return row;
  };
  const jobOf = (id: string): Promise<DreamJob> =>
    answerFor({ dream_not_found: noTask(id) }, client(dreamStatus, { params: { id } }));
  const taskOf = async (job: DreamJob, contextId: string, withArtifacts = true): Promise<Task> => {
    if (!withArtifacts || job.status !== 'complete') return dreamTask(job, contextId, undefined);
    const query = { job: job.id, order: 'best', limit: 200 } as const;
    return dreamTask(job, contextId, (await client(listInsights, { query })).insights);
  };
  const get = async (id: string): Promise<Task> => {
    const { context_id } = rowOf(id);
    return taskOf(await jobOf(id), context_id);
  };

  const dream = async (
    sent: SentMessage,
    body: Extract<Instruction, { skill: 'dream' }>['body'],
  ): Promise<Task> => {
    // The same message sent again, as after a connection that broke, is the same dream.
    const idempotencyKey = `a2a:${sent.message.messageId}`;
    const { id } = await client(startDream, { body }, { idempotencyKey });
    const context = sent.message.contextId || sent.newId();
    store.write((db) => insertTask(db, caller.account, { job_id: id, context_id: context }));
    if (!sent.returnImmediately) await deps.waiting.until(() => deps.isOver(caller, id), sent.gone);
    return get(id);
  };

  return {
    get,
    async send(sent: SentMessage): Promise<Message | Task> {
      const { message } = sent;
      refuseModes(sent.accepted);
      if (message.taskId) await refuseMore(await get(message.taskId), message);
      const instruction = readInstruction(message);
      if (instruction.skill === 'dream') return dream(sent, instruction.body);
      const reply = await client(askMemory, { body: instruction.body });
      const said = { messageId: sent.newId(), contextId: message.contextId || sent.newId() };
      return answerMessage(said, reply, sent.accepted);
    },
    async cancel(id: string): Promise<Task> {
      const { context_id } = rowOf(id);
      const job = await jobOf(id);
      if (
        stateOf(job) === TaskState.TASK_STATE_CANCELED ||
        job.status === 'complete' ||
        job.status === 'failed'
      )
        throw notCancelable(id);
      const cancelled = await answerFor(
        { dream_not_found: noTask(id), conflict: notCancelable(id) },
        client(cancelDream, { params: { id } }),
      );
      return taskOf(cancelled, context_id);
    },
    async list(asked: ListTasksRequest): Promise<ListTasksResponse> {
      const rows = new Map(
        store.read((db) => listTasks(db, caller.account)).map((row) => [row.job_id, row.context_id]),
      );
      const jobs = await jobsOf(client, rows);
      const { shown, ...rest } = page(
        jobs.filter(({ id }) => asked.contextId === '' || rows.get(id) === asked.contextId),
        asked,
      );
      const tasks: Task[] = [];
      for (const job of shown)
        tasks.push(await taskOf(job, rows.get(job.id) ?? '', asked.includeArtifacts === true));
      return { tasks, ...rest };
    },
  };
}

/** Those of an account's dreams that are tasks, and that the key may see. */
async function jobsOf(client: Client, tasks: ReadonlyMap<string, string>): Promise<DreamJob[]> {
  const oldest = [...tasks.keys()].at(-1);
  if (oldest === undefined) return [];
  const found: DreamJob[] = [];
  let cursor: string | undefined;
  for (;;) {
    const { jobs, next } = await client(listDreams, { query: { limit: 200, cursor } });
    found.push(...jobs.filter(({ id }) => tasks.has(id)));
    if (next === null || next < oldest) return found;
    cursor = next;
  }
}

function refuseModes(accepted: readonly string[]): void {
  if (accepted.length > 0 && !MEDIA_TYPES.some((type) => accepted.includes(type)))
    throw new ContentTypeNotSupportedError(`Only ${MEDIA_TYPES.join(' and ')} are answered`);
}

/** A dream takes no further messages. Throws why not, the wrong conversation first. */
async function refuseMore({ id, contextId, status }: Task, message: UserMessage): Promise<never> {
  if (message.contextId && message.contextId !== contextId)
    throw new RequestMalformedError(`The task ${id} is not of the context ${message.contextId}`);
  const isOver =
    status?.state !== TaskState.TASK_STATE_SUBMITTED && status?.state !== TaskState.TASK_STATE_WORKING;
  throw new UnsupportedOperationError(
    isOver
      ? `The task ${id} is over; send a message without taskId`
      : `The task ${id} takes no further messages; CancelTask ends it`,
  );
}

function noTask(id: string) {
  return new TaskNotFoundError(`There is no task ${JSON.stringify(id.slice(0, 100))}`);
}

function notCancelable(id: string) {
  return new TaskNotCancelableError(`The task ${id} is over already`);
}

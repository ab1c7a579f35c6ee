import { type Artifact, type Message, type Part, Role, type Task, TaskState } from '@a2a-js/sdk';
import type { AskReply } from '@reverie/shared/contract/search/ask';
import type { DreamJob, Insight } from '@reverie/shared/contract/dreams/dreams';

/** The ids that place a message or a task in its conversation. */
export interface MessageIds {
  messageId: string;
  contextId: string;
  taskId?: string;
}

/** An answer as a message: text for people, and what a program wants to know as data. */
export function answerMessage(said: MessageIds, reply: AskReply, accepted: readonly string[]): Message {
  const { answer, certainty, found, citations, elsewhere, model } = reply;
  const parts = [
    textPart(answer),
    dataPart({ certainty, found, citations, model, ...(elsewhere && { elsewhere }) }),
  ];
  return agentMessage(said, accepting(parts, accepted));
}

/** A dream as a task; its artifact is what it proposed, once it is complete. */
export function dreamTask(job: DreamJob, contextId: string, insights: readonly Insight[] | undefined): Task {
  return {
    id: job.id,
    contextId,
    status: {
      state: stateOf(job),
      message: agentMessage({ messageId: `${job.id}.status`, contextId, taskId: job.id }, [
        textPart(sentence(job)),
      ]),
      timestamp: updatedAt(job),
    },
    artifacts: insights === undefined ? [] : [artifact(job, insights)],
    history: [],
    metadata: { namespace: job.namespace },
  };
}

/** When the state of a dream changed last. */
export function updatedAt(job: DreamJob): string {
  return job.completed_at ?? job.started_at ?? job.created_at;
}

/** The state of a dream in the words of A2A. */
export function stateOf({ status, error }: Pick<DreamJob, 'status' | 'error'>): TaskState {
  switch (status) {
    case 'queued':
      return TaskState.TASK_STATE_SUBMITTED;
    case 'running':
      return TaskState.TASK_STATE_WORKING;
    case 'complete':
      return TaskState.TASK_STATE_COMPLETED;
    case 'failed':
      return error?.code === 'cancelled' ? TaskState.TASK_STATE_CANCELED : TaskState.TASK_STATE_FAILED;
  }
}

function sentence({ status, insights, memories, error, stages, strategies }: DreamJob): string {
  switch (status) {
    case 'queued':
      return 'The dream waits for its turn.';
    case 'running':
      return `The dream is at step ${Math.min(stages + 1, strategies.length)} of ${strategies.length}.`;
    case 'complete':
      return `The dream looked at ${memories} memories and made ${insights} proposals; a person decides on them.`;
    case 'failed':
      return error?.message ?? 'The dream failed.';
  }
}

function artifact(job: DreamJob, insights: readonly Insight[]): Artifact {
  const lines = insights.map(({ heading, title }) => `${heading}: ${title}`);
  return {
    artifactId: 'insights',
    name: 'insights',
    description: 'What the dream proposes, strongest first; 200 at most',
    parts: [
      textPart(lines.length === 0 ? 'There is nothing to propose.' : lines.join('\n')),
      dataPart({ dream: job.id, namespace: job.namespace, insights }),
    ],
    metadata: undefined,
    extensions: [],
  };
}

function agentMessage({ messageId, contextId, taskId = '' }: MessageIds, parts: Part[]): Message {
  return {
    messageId,
    contextId,
    taskId,
    role: Role.ROLE_AGENT,
    parts,
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
  };
}

function accepting(parts: Part[], accepted: readonly string[]): Part[] {
  return accepted.length === 0 ? parts : parts.filter(({ mediaType }) => accepted.includes(mediaType));
}

function textPart(value: string): Part {
  return { content: { $case: 'text', value }, mediaType: 'text/plain', filename: '', metadata: undefined };
}

function dataPart(value: object): Part {
  return {
    content: { $case: 'data', value },
    mediaType: 'application/json',
    filename: '',
    metadata: undefined,
  };
}

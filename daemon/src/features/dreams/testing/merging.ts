import type { Client } from '@reverie/shared/client';
import * as contract from '@reverie/shared/contract/dreams/dreams';
import * as memory from '@reverie/shared/contract/memories/memories';
import type { Proposal } from '../proposal.ts';

/** Memories of the namespace `n`: `a` and `b` say the same. */
export const VALUES = {
  a: 'The garage code is 4711.',
  b: 'the garage  code is 4711.',
  c: 'The tram leaves at nine. It is line 4.',
};

/** That `a` and `b` are made one. */
export const merge: Proposal = {
  strategy: 'refine',
  title: 'a and b say the same',
  body: 'Keep a.',
  evidence: [
    { key: 'a', sentence: VALUES.a },
    { key: 'b', sentence: VALUES.b },
  ],
  confidence: 0.9,
  change: { kind: 'merge', keep: 'a', hide: ['b'] },
  content: 'the garage code is 4711.',
};

/** What `c` says of the tram, as evidence. */
export const tram = [{ key: 'c', sentence: 'The tram leaves at nine.' }];

/** A daemon that a test asks. */
interface Asking {
  call: Client;
  ask(asked: {
    method: string;
    path: string;
    body?: object;
  }): Promise<{ status: number; json: Readonly<Record<string, unknown>> }>;
}

/** What tests do with insights and memories of the namespace `n`; `daemon` answers the one that runs now. */
export function doingWith(daemon: () => Asking) {
  const call: Client = (route, sent) => daemon().call(route, sent);
  return {
    accept: (id: string, resolution?: contract.Resolution) =>
      call(contract.acceptInsight, { params: { id }, ...(resolution && { body: { resolution } }) }),
    reject: (id: string) => call(contract.rejectInsight, { params: { id } }),
    undo: (id: string) => call(contract.undoInsight, { params: { id } }),
    get: (key: string) => call(memory.getMemory, { body: { key, namespace: 'n' } }),
    set: (key: string, value: string) => call(memory.setMemory, { body: { key, value, namespace: 'n' } }),
    remove: (key: string) => call(memory.deleteMemory, { body: { key, namespace: 'n' } }),
    /** The status and the code of a refusal. */
    refused: async (id: string, what: 'accept' | 'reject' | 'undo', body?: object): Promise<string> => {
      const path = `/v1/memory/dream/insights/${id}/${what}`;
      const { status, json } = await daemon().ask({ method: 'POST', path, ...(body && { body }) });
      return `${status} ${String(json['code'])}`;
    },
  };
}

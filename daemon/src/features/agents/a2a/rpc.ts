import { JsonRpcTransportHandler, ServerCallContext } from '@a2a-js/sdk/server';
import { A2AError, RequestMalformedError, VersionNotSupportedError } from '@a2a-js/sdk/errors';
import { leaveOutNulls } from '@reverie/shared/contract/nulls-left-out';
import { z } from 'zod';
import { type AgentDeps, createAgent } from './agent.ts';
import { A2A_VERSION } from './card.ts';
import { parse, SendMessageParams } from './instruction.ts';

const Id = z.union([z.string(), z.int(), z.null()]);
const Call = z.looseObject({
  jsonrpc: z.literal('2.0'),
  method: z.string().min(1),
  id: Id.optional(),
  params: z.record(z.string(), z.unknown()).nullish(),
});
const Identified = z.looseObject({ id: Id });

const byId = z.looseObject({ id: z.string().min(1, 'is required') });
/** What is held against a schema before the SDK reads it, which takes almost anything for almost everything. */
const params = new Map<string, z.ZodType>([
  ['SendMessage', SendMessageParams],
  ['GetTask', byId.extend({ historyLength: z.int().min(0).optional() })],
  ['CancelTask', byId],
  [
    'ListTasks',
    z.looseObject({
      contextId: z.string().optional(),
      status: z.string().optional(),
      pageSize: z.int().optional(),
      pageToken: z.string().optional(),
      historyLength: z.int().min(0).optional(),
      statusTimestampAfter: z.string().optional(),
      includeArtifacts: z.boolean().optional(),
    }),
  ],
]);

/** One call over JSON-RPC, as it came. */
export interface RpcCall {
  body: unknown;
  /** The header `A2A-Version`, or the parameter of that name. */
  version: string;
  gone: AbortSignal;
  newId: () => string;
}

/** Answers one JSON-RPC 2.0 call of A2A; what is wrong with it is in the answer. */
export async function answerCall(deps: AgentDeps, { body, version, gone, newId }: RpcCall): Promise<object> {
  const call = Call.safeParse(body);
  if (!call.success) {
    const { data } = Identified.safeParse(body);
    return rpcError(data?.id, -32600, 'This is not a request of JSON-RPC 2.0');
  }
  const { method, id } = call.data;
  const schema = params.get(method);
  const given = leaveOutNulls(schema ?? z.unknown(), call.data.params ?? {}) as Record<string, unknown>;
  try {
    refuseVersion(version);
    if (schema) parse(schema, given);
    const sent = method === 'SendMessage' ? parse(SendMessageParams, given) : undefined;
    const agent = createAgent(
      deps,
      sent && {
        message: sent.message,
        accepted: sent.configuration?.acceptedOutputModes ?? [],
        returnImmediately: sent.configuration?.returnImmediately ?? false,
        gone,
        newId,
      },
    );
    const context = new ServerCallContext({ requestedVersion: A2A_VERSION });
    const answer = await new JsonRpcTransportHandler(agent).handle({ ...call.data, params: given }, context);
    // Streams are refused before one begins.
    if (Symbol.asyncIterator in answer) throw new RequestMalformedError('There is no streaming');
    return answer;
  } catch (error) {
    if (!(error instanceof A2AError)) throw error;
    return { jsonrpc: '2.0', id: id ?? null, error: JsonRpcTransportHandler.mapToJSONRPCError(error) };
  }
}

/** A failure before a call could be read, in the shape of JSON-RPC. */
function rpcError(id: z.output<typeof Id> | undefined, code: number, message: string): object {
  return { jsonrpc: '2.0', id: id ?? null, error: { code, message } };
}

/** Without a version a call is of 0.3, says section 3.6.2; patch numbers count for nothing. */
function refuseVersion(version: string): void {
  const asked = version.trim() === '' ? '0.3' : version.trim();
  if (/^\d+\.\d+/.exec(asked)?.[0] !== A2A_VERSION || !/^\d+(\.\d+){1,2}$/.test(asked))
    throw new VersionNotSupportedError(
      `A2A ${JSON.stringify(asked.slice(0, 50))} is not spoken here; send the header A2A-Version: ${A2A_VERSION}`,
    );
}

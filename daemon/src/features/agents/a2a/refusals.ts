import { A2AError, RequestMalformedError } from '@a2a-js/sdk/errors';
import { ApiError, type Client } from '@reverie/shared/client';

/** JSON-RPC leaves -32000 and what follows to the server; A2A's own begin at -32001. */
const REFUSED = -32000;

/** What Reverie refuses and A2A has no error of its own for, such as a quota; its message begins with our code. */
class Refused extends A2AError {
  readonly transport = 'jsonrpc';
  readonly envelopeCode = REFUSED;
}

/** A client that throws a route's refusal as an error that A2A knows. */
export function refusing(client: Client): Client {
  return async (route, sent, options) => {
    try {
      return await client(route, sent, options);
    } catch (cause) {
      throw cause instanceof ApiError ? errorOf(cause) : cause;
    }
  };
}

/** Waits for a call; where it is refused with one of the codes in `errors`, throws the error given there instead. */
export async function answerFor<T>(
  errors: Partial<Record<ApiError['code'], Error>>,
  call: Promise<T>,
): Promise<T> {
  try {
    return await call;
  } catch (error) {
    const { cause } = error instanceof Error ? error : { cause: undefined };
    throw (cause instanceof ApiError ? errors[cause.code] : undefined) ?? error;
  }
}

function errorOf(cause: ApiError): Error {
  const fields = cause.errors.map(({ path, message }) => `${path} ${message}`).join('; ');
  const message = fields === '' ? cause.message : `${cause.message}: ${fields}`;
  if (cause.code === 'invalid_request') return new RequestMalformedError({ message, cause });
  return new Refused({ message: `${cause.code}: ${message}`, cause });
}

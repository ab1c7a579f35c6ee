import { createHash } from 'node:crypto';

/** Where A2A is served, below the origin. */
export const A2A_PATH = '/v1/a2a';
/** The only version of A2A that is spoken, without its patch number, which does not change the protocol. */
export const A2A_VERSION = '1.0';
/** Media types that messages may bring and answers come in. */
export const MEDIA_TYPES = ['text/plain', 'application/json'] as const;

export interface CardOf {
  /** Where this daemon is reached, such as `http://127.0.0.1:7337`. */
  origin: string;
  version: string;
  sandboxKey: string | undefined;
}

/** The agent card of A2A 1.0.1, section 4.4.1; it claims only what is really served. */
export function agentCard({ origin, version, sandboxKey }: CardOf) {
  return {
    name: 'Reverie',
    description:
      'Memory that lives on its owner’s machine. Answers questions from what was stored, with citations and how sure the answer is, and dreams: looks through a namespace and proposes how to tidy it up.',
    supportedInterfaces: [
      { url: `${origin}${A2A_PATH}`, protocolBinding: 'JSONRPC', protocolVersion: A2A_VERSION },
    ],
    version,
    documentationUrl: `${origin}/docs/agents`,
    capabilities: { streaming: false, pushNotifications: false, extendedAgentCard: false, extensions: [] },
    securitySchemes: {
      bearer: {
        httpAuthSecurityScheme: {
          scheme: 'Bearer',
          description: `A key of Reverie; \`reverie key create NAME\` makes one.${sandboxKey === undefined ? '' : ` To try it, the public key of the sandbox: ${sandboxKey} (100 requests in 24 hours from an address; everybody sees what is stored there, and every 24 hours it is emptied).`}`,
        },
      },
    },
    securityRequirements: [{ schemes: { bearer: { list: [] } } }],
    defaultInputModes: MEDIA_TYPES,
    defaultOutputModes: MEDIA_TYPES,
    skills: [
      {
        id: 'ask',
        name: 'Answer from memory',
        description:
          'Any text is a question. The answer is a message: text for people, and a data part with `certainty` (sure, likely, unsure, none), `found` and `citations`, each with its key and quote. `metadata.namespace` of the message says where to look, `default` without it. A data part `{"skill": "ask", "question": …, "namespace": …, "as_of": …, "limit": …}` says more.',
        tags: ['memory', 'question answering', 'citations'],
        examples: [
          'When does my passport expire?',
          '{"skill": "ask", "question": "Which database do we use?", "namespace": "project/shop"}',
        ],
      },
      {
        id: 'dream',
        name: 'Dream',
        description:
          'The word `dream`, or a data part `{"skill": "dream", "namespace": …, "strategies": […], "task": …}`, starts a task that looks through a namespace for what disagrees, stands twice, comes up or belongs together. It completes with the artifact `insights`: proposals for a person to decide on. It changes no memory. Needs a key of scope write.',
        tags: ['memory', 'consolidation'],
        examples: ['dream', '{"skill": "dream", "namespace": "project/shop"}'],
      },
    ],
  };
}

/** An entity tag that follows from the content. */
export function tagOf(body: string): string {
  return `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
}

import { completable, McpServer, ResourceTemplate } from '@modelcontextprotocol/server';
import { z } from 'zod';

/** The smallest PNG and WAV that are such files. */
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
const WAV = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=';

const text = (said: string) => ({ type: 'text' as const, text: said });
const image = { type: 'image' as const, data: PNG, mimeType: 'image/png' };
const embedded = (uri: string, said: string, mimeType = 'text/plain') => ({
  type: 'resource' as const,
  resource: { uri, mimeType, text: said },
});

/**
 * What the official conformance suite (`@modelcontextprotocol/conformance`) looks for by name: mounted on our own HTTP stack and handler,
 * it tests those, for which memory's own tools say too little.
 */
export function createFixture(): McpServer {
  const server = new McpServer(
    { name: 'reverie-conformance', version: '1.0.0' },
    { capabilities: { logging: {}, completions: {} } },
  );
  registerTools(server);
  registerResources(server);
  registerPrompts(server);
  return server;
}

function registerTools(server: McpServer): void {
  const tool = (name: string, content: Parameters<typeof answering>[0]) =>
    server.registerTool(name, { description: `Answers for ${name}` }, answering(content));
  tool('test_simple_text', [text('This is a simple text response for testing.')]);
  tool('test_image_content', [image]);
  tool('test_audio_content', [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }]);
  tool('test_embedded_resource', [
    embedded('test://embedded-resource', 'This is an embedded resource content.'),
  ]);
  tool('test_multiple_content_types', [
    text('Multiple content types test:'),
    image,
    embedded('test://mixed-content-resource', '{"test":"data","value":123}', 'application/json'),
  ]);
  server.registerTool('test_error_handling', { description: 'Fails' }, () => {
    throw new Error('This tool intentionally returns an error for testing');
  });
  server.registerTool(
    'test_tool_with_logging',
    { description: 'Logs while it works', inputSchema: z.object({}) },
    async (_nothing, { mcpReq }) => {
      for (const data of ['Tool execution started', 'Tool processing data', 'Tool execution completed'])
        await mcpReq.notify({ method: 'notifications/message', params: { level: 'info', data } });
      return { content: [text('Tool with logging executed successfully')] };
    },
  );
  server.registerTool(
    'test_tool_with_progress',
    { description: 'Tells how far it is', inputSchema: z.object({}) },
    async (_nothing, { mcpReq }) => {
      const progressToken = mcpReq._meta?.progressToken ?? 0;
      for (const progress of [0, 50, 100])
        await mcpReq.notify({
          method: 'notifications/progress',
          params: { progressToken, progress, total: 100 },
        });
      return { content: [text(String(progressToken))] };
    },
  );
}

function answering(
  content: ReadonlyArray<
    | ReturnType<typeof text>
    | typeof image
    | ReturnType<typeof embedded>
    | { type: 'audio'; data: string; mimeType: string }
  >,
) {
  return () => ({ content: [...content] });
}

function registerResources(server: McpServer): void {
  const uri = (name: string) => `test://${name}`;
  server.registerResource('static-text', uri('static-text'), { mimeType: 'text/plain' }, () => ({
    contents: [
      {
        uri: uri('static-text'),
        mimeType: 'text/plain',
        text: 'This is the content of the static text resource.',
      },
    ],
  }));
  server.registerResource('static-binary', uri('static-binary'), { mimeType: 'image/png' }, () => ({
    contents: [{ uri: uri('static-binary'), mimeType: 'image/png', blob: PNG }],
  }));
  server.registerResource(
    'template',
    new ResourceTemplate('test://template/{id}/data', { list: undefined }),
    { mimeType: 'application/json' },
    ({ href }, { id }) => ({
      contents: [
        {
          uri: href,
          mimeType: 'application/json',
          text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${String(id)}` }),
        },
      ],
    }),
  );
}

function registerPrompts(server: McpServer): void {
  const from = (
    ...contents: ReadonlyArray<ReturnType<typeof text> | typeof image | ReturnType<typeof embedded>>
  ) => ({
    messages: contents.map((content) => ({ role: 'user' as const, content })),
  });
  server.registerPrompt('test_simple_prompt', { description: 'Without arguments' }, () =>
    from(text('This is a simple prompt for testing.')),
  );
  server.registerPrompt(
    'test_prompt_with_arguments',
    {
      description: 'With arguments',
      argsSchema: z.object({ arg1: completable(z.string(), () => ['one', 'two']), arg2: z.string() }),
    },
    ({ arg1, arg2 }) => from(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)),
  );
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    { description: 'With a resource', argsSchema: z.object({ resourceUri: z.string() }) },
    ({ resourceUri }) =>
      from(
        embedded(resourceUri, 'Embedded resource content for testing.'),
        text('Please process the embedded resource above.'),
      ),
  );
  server.registerPrompt('test_prompt_with_image', { description: 'With an image' }, () =>
    from(image, text('Please analyze the image above.')),
  );
}

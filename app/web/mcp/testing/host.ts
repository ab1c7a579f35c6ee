import { AppBridge, type McpUiStyles, PostMessageTransport } from '@modelcontextprotocol/ext-apps/app-bridge';
import type { CallToolRequest, CallToolResult } from '@modelcontextprotocol/client';

/** What a journey says of the call beside which the app is shown. */
interface Shown {
  name: string;
  args: Record<string, unknown>;
  theme: 'light' | 'dark';
  variables?: McpUiStyles;
}

declare global {
  var callTool: (params: CallToolRequest['params']) => Promise<CallToolResult>;
  var show: (shown: Shown) => Promise<void>;
  var dress: (theme: Shown['theme']) => Promise<void>;
}

// A host as the specification has it: the app in a frame of an origin of its own, its calls sent on to the server.
const frame = document.querySelector('iframe');
if (!frame?.contentWindow) throw new Error('The page has no frame for the app');
const { contentWindow } = frame;

globalThis.show = async ({ name, args, theme, variables }) => {
  const bridge = new AppBridge(
    null,
    { name: 'journey', version: '1' },
    { serverTools: {} },
    { hostContext: { theme, ...(variables && { styles: { variables } }) } },
  );
  bridge.oncalltool = (params) => globalThis.callTool(params);
  bridge.addEventListener('sizechange', ({ height }) => {
    if (height !== undefined) frame.height = String(height);
  });
  const isReady = new Promise<void>((resolve) => {
    bridge.addEventListener('initialized', () => resolve());
  });
  await bridge.connect(new PostMessageTransport(contentWindow, contentWindow));
  frame.src = '/app';
  await isReady;
  await bridge.sendToolInput({ arguments: args });
  await bridge.sendToolResult(await globalThis.callTool({ name, arguments: args }));
  globalThis.dress = async (another) => bridge.sendHostContextChange({ theme: another });
};

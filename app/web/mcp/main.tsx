import '../platform/strict-csp.ts';
import '../ui/layers.css';
import '../ui/base.css';
import './host.css';
import {
  App,
  applyDocumentTheme,
  applyHostFonts,
  applyHostStyleVariables,
} from '@modelcontextprotocol/ext-apps';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { AskedOfTool, callerOf } from './calling.ts';
import { InChat } from './InChat.tsx';

const element = document.getElementById('root');
if (!element) throw new Error('index.html has no #root');
const root = createRoot(element);
const app = new App({ name: 'reverie', title: 'Reverie', version: '1' }, {});

// Before it connects: what is told once might be told before anybody listens.
app.addEventListener('toolinput', ({ arguments: args = {} }) => {
  const asked = AskedOfTool.parse(args);
  root.render(
    <StrictMode>
      <InChat key={JSON.stringify(asked)} asked={asked} call={callerOf(app)} />
    </StrictMode>,
  );
});
app.addEventListener('hostcontextchanged', dress);
await app.connect();
dress(app.getHostContext() ?? {});

/** Looks like its host, as far as that says how it looks. */
function dress({ theme, styles }: NonNullable<ReturnType<App['getHostContext']>>): void {
  if (theme) applyDocumentTheme(theme);
  if (styles?.variables) applyHostStyleVariables(styles.variables);
  if (styles?.css?.fonts) applyHostFonts(styles.css.fonts);
}

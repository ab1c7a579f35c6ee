/** What the bundler says of a module, as far as it is asked here. */
interface Modules {
  getModuleInfo(id: string): { importedIds: readonly string[] } | null;
}

/** Libraries that one late part alone needs: each comes with it. */
const ALONE =
  /node_modules\/(?:sigma|graphology[^/]*|lowlight|highlight\.js|uqr|yjs|lib0|y-websocket|y-protocols|katex|@codemirror|@lezer|style-mod|w3c-keyname|crelt|@marijn)\//;
/** Only views that are loaded late use these, though the door of `radix-ui` leads to them at once. */
const LATE =
  /@radix-ui\/react-(?:slider|switch|collection|popover|context-menu|dropdown-menu|menu|roving-focus|tabs|toggle|toggle-group|dialog|focus-scope|focus-guards)\/|\/(?:react-remove-scroll|react-remove-scroll-bar|react-style-singleton|use-callback-ref|use-sidecar|aria-hidden|get-nonce|tslib)\//;

/**
 * Into which piece of the page a module goes: all that the entry imports at once is `first`, one request instead of thirty; the rest
 * stays with the view that is loaded late.
 */
export function pieceOf(entry: string): (id: string, modules: Modules) => string | null {
  let first: Set<string> | undefined;
  return (id, modules) => {
    first ??= reachedFrom(entry, modules);
    if (first.has(id) && !LATE.test(id)) return 'first';
    if (ALONE.test(id)) return null;
    return /\/node_modules\/|\/app\/web\/(?:ui|platform)\//.test(id) ? 'late' : null;
  };
}

function reachedFrom(entry: string, modules: Modules): Set<string> {
  const reached = new Set<string>();
  const ahead = [entry];
  for (let id = ahead.pop(); id !== undefined; id = ahead.pop()) {
    if (reached.has(id)) continue;
    reached.add(id);
    ahead.push(...(modules.getModuleInfo(id)?.importedIds ?? []));
  }
  return reached;
}

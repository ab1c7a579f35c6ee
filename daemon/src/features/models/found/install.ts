/** What to install on a system where no model server runs, in two sentences, and the address to get it from. */
export function howToInstall(system: NodeJS.Platform): { text: string; url: string } {
  const after = 'Reverie finds it then, and can have it get a model.';
  switch (system) {
    case 'darwin':
      return {
        text: `Download Ollama for macOS, move it to your applications and open it once. ${after}`,
        url: 'https://ollama.com/download/mac',
      };
    case 'win32':
      return {
        text: `Download the installer of Ollama for Windows and run it; it needs no administrator. ${after}`,
        url: 'https://ollama.com/download/windows',
      };
    default:
      return {
        text: `Install Ollama with \`curl -fsSL https://ollama.com/install.sh | sh\`, which also starts it. ${after}`,
        url: 'https://ollama.com/download/linux',
      };
  }
}

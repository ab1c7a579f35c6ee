/** The name of the folder in which an agent's command runs begins so; six letters of chance follow. */
export const MODEL_FOLDER = 'reverie-model-';

/** Whether an agent was asked as a model in a folder: what it kept of that is no work of a person. */
export function isModelFolder(folder: string): boolean {
  const [last = '', above = ''] = folder.split(/[/\\]/u).reverse();
  return last === above && last.startsWith(MODEL_FOLDER);
}

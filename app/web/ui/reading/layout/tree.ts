/** The part of a Markdown tree that is looked at here; `url` and `identifier` are of links, images and their definitions. */
export interface Node {
  type: string;
  children?: Node[];
  value?: string;
  lang?: string;
  url?: string;
  identifier?: string;
  align?: readonly unknown[] | null;
  position?: { start: { offset?: number }; end: { offset?: number } };
  data?: { hName?: string; hProperties?: { className: string[] } };
}

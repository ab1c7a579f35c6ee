/** Words in which commands stand between backticks. */
export function WithCode({ children }: { children: string }) {
  return children.split('`').map((text, at) => (at % 2 === 1 ? <code key={at}>{text}</code> : text));
}

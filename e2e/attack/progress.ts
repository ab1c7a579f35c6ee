/** Told what is being done; shown at most once a second. */
export type Progress = (text: string) => void;

/** Shows progress on one line of a terminal; elsewhere as a line every ten seconds. */
export function createProgress(startedAt: number): Progress {
  const isTerminal = process.stderr.isTTY;
  let shown = 0;
  return (text) => {
    const now = performance.now();
    if (now - shown < (isTerminal ? 1000 : 10_000)) return;
    shown = now;
    const line = `${String(Math.round((now - startedAt) / 1000)).padStart(4)} s  ${text}`;
    process.stderr.write(isTerminal ? `\r\u001b[K${line.slice(0, process.stderr.columns)}` : `${line}\n`);
  };
}

import { readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';

/** One writer of a load: it writes one update, waits until that is answered, and writes the next. */
export interface LoadWriter {
  /** Sends update `n`; `answered` is called when the server says that it has it. */
  write(n: number): void;
  close(): void;
}

/** What a load came to. */
export interface LoadResult {
  acksPerSecond: number;
  p50: number;
  p99: number;
  /** Updates that arrived at other connections, per second. */
  deliveredPerSecond: number;
  /** Answers for each second of the server's own processor time: what is left when the machine is busy otherwise. */
  acksPerCpuSecond: number;
  rssMb: number;
}

export interface LoadOptions {
  seconds: number;
  /** Process of the server. */
  pid: number;
  connect(index: number, told: { answered(): void; delivered(count: number): void }): Promise<LoadWriter>;
  connections: number;
}

/** Seconds of processor time that a process took so far; Linux only. */
function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  // utime and stime, in ticks of 10 ms.
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

function rssMb(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}

/** Writes from many connections for some seconds, after one of warming up. */
export async function measureLoad({ seconds, pid, connect, connections }: LoadOptions): Promise<LoadResult> {
  const times: number[] = [];
  let delivered = 0;
  let isMeasuring = false;
  let isOver = false;
  const writers: LoadWriter[] = [];
  const starts: (() => void)[] = [];
  for (let index = 0; index < connections; index += 1) {
    let n = 0;
    let sent = 0;
    const next = () => {
      if (isOver) return;
      n += 1;
      sent = performance.now();
      writers[index]?.write(n);
    };
    starts.push(next);
    writers.push(
      await connect(index, {
        answered() {
          if (isMeasuring) times.push(performance.now() - sent);
          next();
        },
        delivered(count) {
          if (isMeasuring) delivered += count;
        },
      }),
    );
  }
  const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
  for (const start of starts) start();
  await wait(1000);
  const cpu = cpuSeconds(pid);
  const from = performance.now();
  isMeasuring = true;
  await wait(seconds * 1000);
  isMeasuring = false;
  const took = (performance.now() - from) / 1000;
  const used = cpuSeconds(pid) - cpu;
  const rss = rssMb(pid);
  isOver = true;
  for (const writer of writers) writer.close();
  times.sort((a, b) => a - b);
  const at = (part: number) => times[Math.floor(times.length * part)] ?? Number.NaN;
  return {
    acksPerSecond: times.length / took,
    p50: at(0.5),
    p99: at(0.99),
    deliveredPerSecond: delivered / took,
    acksPerCpuSecond: times.length / used,
    rssMb: rss,
  };
}

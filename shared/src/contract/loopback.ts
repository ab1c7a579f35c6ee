/** Whether a host, as a person or a URL writes it, is this machine alone; `0.0.0.0`, and names that lead here by DNS, do not count. */
export function isLoopback(host: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|::1|\[::1\])$/u.test(host);
}

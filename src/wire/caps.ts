/** Limits that keep a hostile server from bloating the tester, in bytes unless said otherwise. */
export interface Caps {
  /** A line of stdout, an HTTP body, or one SSE event. */
  readonly message: number;
  /** Text of a body or line that is kept as evidence. */
  readonly text: number;
  /** Messages kept of one exchange, and of what came unasked in one session. */
  readonly messages: number;
  /** Bytes of messages kept of one stream: what comes after is read and forgotten. */
  readonly stream: number;
  /** Requests of the server that are answered in one session. */
  readonly answers: number;
  /** The end of stderr that is kept. */
  readonly stderr: number;
}

export const CAPS: Caps = {
  message: 16 * 1024 * 1024,
  text: 256 * 1024,
  messages: 5000,
  stream: 64 * 1024 * 1024,
  answers: 1000,
  stderr: 16 * 1024,
};

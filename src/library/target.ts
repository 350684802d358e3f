/** A server behind a URL. */
export interface HttpServer {
  readonly type: "http";
  /** User info in it becomes a Basic Authorization header, and is shown nowhere. */
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether it speaks the HTTP+SSE transport of 2024-11-05. */
  readonly sse?: boolean;
}

/** A server that is started as a child process, with a minimal environment (PATH, HOME and the like). */
export interface StdioServer {
  readonly type: "stdio";
  readonly command: string;
  readonly args?: readonly string[];
  /** Put over the minimal environment. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/** The server to be tested: a URL, or one of the two in full. */
export type ServerTarget = string | HttpServer | StdioServer;

/** What goes along with requests over HTTP. */
export interface HttpExtras {
  /** The Authorization header, such as `Bearer abc`. */
  readonly auth?: string;
  /** Sent with every request, over those of the target. What the protocol fixes, such as Content-Type, is left out. */
  readonly headers?: Readonly<Record<string, string>>;
  /** PEM of further certificate authorities. */
  readonly ca?: string;
  /** Take any certificate. */
  readonly insecure?: boolean;
  /** `http://[user:password@]host:port` of a proxy. */
  readonly proxy?: string;
}

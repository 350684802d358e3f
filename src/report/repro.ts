import { type Exchange, header, type Transcript } from "../model/exchange.ts";
import type { Redact } from "../text/redact.ts";
import { isShellQuotable, shellPrint, shellWord } from "../text/shell.ts";

/** What is needed to tell how to send something again. */
export interface Scene {
  readonly transcript: Transcript;
  /** stdio: `stdio:` and the command line; used where `reach` is unknown. */
  readonly url: string;
  /** stdio: the words of the command line; HTTP: the options of curl that reach the server as the run did. */
  readonly reach?: readonly string[];
  readonly redact: Redact;
}

/**
 * The request as one POSIX sh line that anyone can run, with the handshake before it where one is needed. Secrets
 * appear as `$NAME`. Undefined where nothing was sent, or where the line would be too long to be of use.
 */
export function repro(exchange: Exchange, scene: Scene): string | undefined {
  if (exchange.end === "unsolicited") return undefined;
  const line = exchange.sent.http === undefined ? stdioLine(exchange, scene) : httpLine(exchange, scene);
  return line.length > LONGEST ? undefined : line;
}

const LONGEST = 8192;
const SESSION = "mcp-session-id";

// curl sets these itself, or they belong to the connection.
const UNSENT = ["connection", "content-length", "transfer-encoding", "accept-encoding", "keep-alive"];

function httpLine(exchange: Exchange, scene: Scene): string {
  const id = header(exchange.sent.http?.headers, SESSION);
  const opening = id === undefined ? undefined : openingOf(id, scene.transcript);
  if (id === undefined || opening === undefined || opening.n >= exchange.n)
    return curl(exchange, scene, "-sSig", false);
  const between = scene.transcript.filter((each) => bearsOn(each, id) && each.n > opening.n && each.n < exchange.n);
  const read = "tr -d '\\r' | sed -n 's/^[Mm][Cc][Pp]-[Ss]ession-[Ii][Dd]: *//p'";
  return [
    `SID=$(${curl(opening, scene, "-sgD- -o /dev/null", false)} | ${read})`,
    ...between.map((each) => curl(each, scene, "-sSg -o /dev/null", true)),
    curl(exchange, scene, "-sSig", true),
  ].join("; ");
}

/** The initialize that was answered with this session id; a made-up id has none. */
const openingOf = (id: string, transcript: Transcript): Exchange | undefined =>
  transcript.find((each) => each.request?.method === "initialize" && header(each.http?.headers, SESSION) === id);

/** Whether a later request in the session finds another server for it. */
const bearsOn = ({ sent, request }: Exchange, id: string): boolean =>
  header(sent.http?.headers, SESSION) === id &&
  (request?.method === "notifications/initialized" || sent.http?.method === "DELETE");

function curl({ sent }: Exchange, { redact, reach = [] }: Scene, flags: string, inSession: boolean): string {
  const { method, url, headers } = sent.http ?? { method: "POST", url: "", headers: [] };
  const hasBody = sent.text !== "" || !["GET", "HEAD", "DELETE", "OPTIONS"].includes(method);
  // From standard input where a shell can't quote it, or curl would take it for the name of a file.
  const piped = !isShellQuotable(sent.text, redact) || sent.text.startsWith("@");
  const words = [
    `curl ${flags} --max-time 10`,
    ...reach.map((word) => shellWord(word, redact)),
    method === "HEAD" ? "-I" : method === (hasBody ? "POST" : "GET") ? "" : `-X ${shellWord(method, redact)}`,
    /\/\.{1,2}(?:[/?#]|$)/.test(url) ? "--path-as-is" : "",
    shellWord(url, redact),
    ...headers
      .filter(([name, value]) => isSent(name, value, url))
      .map(([name, value]) => {
        if (inSession && name.toLowerCase() === SESSION) return '-H "MCP-Session-Id: $SID"';
        return `-H ${shellWord(value === "" ? `${name};` : `${name}: ${value}`, redact)}`;
      }),
    ...["Accept", ...(hasBody ? ["Content-Type"] : [])]
      .filter((name) => header(headers, name) === undefined)
      .map((name) => `-H ${name}:`),
    hasBody ? `--data-binary ${piped ? "@-" : shellWord(sent.text, redact)}` : "",
  ];
  const line = words.filter((word) => word !== "").join(" ");
  return piped && hasBody ? `{ ${shellPrint(sent.text, redact)}; } | ${line}` : line;
}

function isSent(name: string, value: string, url: string): boolean {
  const lower = name.toLowerCase();
  if (lower === "host") return !URL.canParse(url) || new URL(url).host !== value.toLowerCase();
  return !UNSENT.includes(lower);
}

function stdioLine(exchange: Exchange, { transcript, url, reach, redact }: Scene): string {
  const before = transcript.filter(
    (each) =>
      each.session === exchange.session &&
      each.n < exchange.n &&
      (each.request?.method === "initialize" || each.request?.method === "notifications/initialized"),
  );
  const lines = [...before, exchange].map((each) => each.sent.text);
  const printed = lines.every((line) => isShellQuotable(line, redact))
    ? `printf '%s\\n' ${lines.map((line) => shellWord(line, redact)).join(" ")}`
    : lines.map((line) => `${shellPrint(line, redact)}; printf '\\n'`).join("; ");
  const words = reach?.map((word) => shellWord(word, redact)).join(" ") ?? redact(url.replace(/^stdio:\s*/, ""));
  return `{ ${printed}; sleep 2; } | ${words}`;
}

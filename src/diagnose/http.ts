import { isAuthorizationRefusal } from "../engine/attribution.ts";
import { speaksSse } from "../engine/channel-sse.ts";
import { createContext, viewOf } from "../engine/context.ts";
import type { Exchange, Header } from "../model/exchange.ts";
import { revisions } from "../revisions/index.ts";
import { startHttp } from "../wire/http.ts";
import { traceAuthorization } from "./authorization.ts";
import { certificateAt, plainAt, tryConnection } from "./connection.ts";
import { type Connected, type HttpEvidence, OLDEST, type Talk } from "./evidence.ts";
import { type HttpBench, openAt } from "./open-at.ts";
import { followRedirects, tryPlaces } from "./places.ts";
import { isMessage, SENDER, talkTo } from "./talk.ts";
import { BROWSER, PREFLIGHT, varied } from "./variations.ts";

/** Connects, opens and asks three times, and looks around where that came to nothing. */
export async function examineHttp(bench: HttpBench, proxyVariables: readonly string[]): Promise<HttpEvidence> {
  const { target, stopped } = bench;
  const view = viewOf(target);
  const common = {
    kind: "http",
    url: view.url ?? target.url,
    sse: target.sse === true,
    credential: view.credential,
    loopback: view.loopback,
    ...(target.tls.proxy === undefined ? {} : { proxy: target.tls.proxy.host }),
    proxyVariables,
    insecure: target.tls.insecure === true,
  } as const;
  const connections = await connected(bench);
  const nothing = { talks: [], hops: [], places: [], variations: {} };
  if (connections.at(-1)?.trouble !== undefined || stopped()) return { ...common, connections, ...nothing };

  const { talks, ...rest } = await opened(bench);
  const first = talks.find(({ heard }) => heard) ?? talks[0];
  const around = first === undefined || stopped() ? {} : await lookAround(bench, first.opened.exchange, connections);
  return { ...common, connections, ...nothing, talks, ...rest, ...around };
}

// --- internal ---

const TRIES = 3;

async function connected(bench: HttpBench): Promise<readonly Connected[]> {
  const { target, times, recorder, say, stopped } = bench;
  const { url, tls } = target;
  const all: Connected[] = [];
  while (all.length < TRIES && !stopped()) {
    say(all.length === 0 ? `connecting to ${url.host}` : `connecting to ${url.host} once more`);
    const one = await tryConnection(url, tls, times.preflight, recorder.now);
    all.push(one);
    if (one.trouble === undefined) return all;
    if (one.trouble.at === "tls" && all.length === 1) {
      const certificate = await certificateAt(url, tls, times.preflight);
      const plain = certificate === undefined ? await plainAt(url, tls, times.preflight, recorder) : undefined;
      all[0] = {
        ...one,
        ...(certificate === undefined ? {} : { certificate }),
        ...(plain === undefined ? {} : { plain }),
      };
    }
    // A name that does not exist and a certificate stay what they are; a listener may just be starting.
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
  return all;
}

const PAUSE = 150;

/** Up to three openings: in either revision's manner, and once more. */
async function opened(bench: HttpBench): Promise<Pick<HttpEvidence, "talks" | "variations" | "oldest">> {
  const { target, times, recorder, say, stopped } = bench;
  const talks: Talk[] = [];
  let variations: HttpEvidence["variations"] = {};
  const talk = async (id: keyof typeof revisions, patience: number) => {
    const context = createContext({ revision: revisions[id], target, recorder, times });
    const isMain = talks.every(({ opened }) => opened.refusal !== undefined);
    const done = await talkTo(context, patience, async (channel) => {
      if (isMain && target.sse !== true) variations = await varied(channel, context);
    });
    talks.push(done.talk);
    return done.talk;
  };
  say("asking initialize");
  const first = await talk("2025-11-25", times.startup);
  const silent = first.opened.exchange.end === "timeout";
  const again = silent ? times.request : Math.min(times.startup, times.preflight + 3 * first.opened.exchange.ms);
  if (target.sse !== true && !stopped()) {
    say("asking server/discover");
    await talk("2026-07-28", again);
  }
  if (first.opened.refusal === undefined && target.sse !== true && !stopped()) {
    say(`asking initialize of ${OLDEST}`);
    return { talks, variations, oldest: await openAt(bench, target, again, { protocolVersion: OLDEST }) };
  }
  while (talks.length < TRIES && !stopped()) {
    if (talks.some(({ opened }) => opened.refusal === undefined)) break;
    say("asking initialize once more");
    await talk("2025-11-25", again);
  }
  return { talks, variations };
}

type Around = Partial<
  Pick<
    HttpEvidence,
    "hops" | "places" | "speaksSse" | "asLocalhost" | "withOrigin" | "authorization" | "connections" | "variations"
  >
>;

/** What can be found out about an endpoint that refuses or does not understand. */
async function lookAround(bench: HttpBench, exchange: Exchange, connections: readonly Connected[]): Promise<Around> {
  const { target, times, recorder, say } = bench;
  const { url, tls } = target;
  const status = exchange.http?.status;
  if (exchange.reply !== undefined && (status ?? 200) < 400) return {};
  const [connection, ...others] = connections;
  if (url.protocol === "http:" && connection !== undefined && (status === undefined || status === 400)) {
    say("trying TLS on the same port");
    const certificate = await certificateAt(url, tls, times.preflight);
    if (certificate !== undefined) return { connections: [{ ...connection, secure: true, certificate }, ...others] };
  }
  if (status === undefined) return {};
  if (isAuthorizationRefusal(exchange, viewOf(target))) {
    say("following the authorization's metadata");
    return {
      authorization: await traceAuthorization(url, exchange, (place) => getOpenly(bench, place)),
      withOrigin: await openAt(
        bench,
        { ...target, headers: replaced(target.headers, ["Origin", BROWSER]) },
        times.request,
      ),
      variations: { preflight: await preflightAt(bench) },
    };
  }
  if (status >= 300 && status < 400) return { hops: await followRedirects(bench, exchange) };
  if (status === 403 || status === 421) {
    say("trying with another Host and with an Origin");
    const port = url.port === "" ? "" : `:${url.port}`;
    const like = (header: Header) =>
      openAt(bench, { ...target, headers: replaced(target.headers, header) }, times.request);
    return {
      asLocalhost: await like(["Host", `localhost${port}`]),
      withOrigin: await like(["Origin", url.origin]),
    };
  }
  // Whoever says messages there is at the right place.
  if (status === 429 || status >= 500 || (status < 400 && exchange.received.some(isMessage))) return {};
  say("looking for the transport of 2024-11-05, and for the endpoint in other places of the same origin");
  const context = createContext({ revision: revisions["2025-11-25"], target, recorder, times });
  const sse = target.sse !== true && (await speaksSse(context, target));
  return { speaksSse: sse, places: sse ? [] : await tryPlaces(bench) };
}

const replaced = (headers: readonly Header[], [name, value]: Header): readonly Header[] => [
  ...headers.filter(([key]) => key.toLowerCase() !== name.toLowerCase()),
  [name, value],
];

/** What a browser asks before it lets a client ask. */
const preflightAt = ({ target, recorder, times }: HttpBench): Promise<Exchange> =>
  startHttp(recorder, target.tls, {
    sender: SENDER,
    session: recorder.session(),
    method: "OPTIONS",
    url: target.url,
    headers: Object.entries(PREFLIGHT),
    until: "headers",
    timeout: times.preflight,
  }).done;

/** Metadata is public: nothing of the user's goes along. */
const getOpenly = ({ target, recorder, times }: HttpBench, url: URL): Promise<Exchange> =>
  startHttp(recorder, target.tls, {
    sender: SENDER,
    session: recorder.session(),
    method: "GET",
    url,
    headers: [["Accept", "application/json"]],
    until: "end",
    timeout: times.preflight,
  }).done;

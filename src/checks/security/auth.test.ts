// Behaviours that are unusual and right: each must pass or be skipped, never fail.
import { expect, test } from "bun:test";
import { alone } from "../../matrix/alone.ts";
import type { Bendable } from "../../model/bendable.ts";

const seen = async (...trial: Parameters<typeof alone>): Promise<readonly unknown[]> => {
  const outcome = await alone(...trial);
  if (outcome.status === "pass") return ["pass", outcome.note];
  return [outcome.status, outcome.status === "fail" ? outcome.actual : outcome.because];
};
const auth = { auth: true };
const locked = { locked: true };
const ROWS = ["auth-malformed", "session-not-auth", "token-in-uri"].map((name) => `security-${name}`);

/** Refusals of credentials with another status or challenge. */
const refusing = (status: number, challenge?: string) => (server: Bendable) =>
  server.http((plan) => {
    if (plan.status !== 401) return plan;
    const headers = plan.headers.filter(([name]) => name !== "WWW-Authenticate");
    return {
      ...plan,
      status,
      headers: challenge === undefined ? headers : [...headers, ["WWW-Authenticate", challenge]],
    };
  });
const metadataAt = (move: (path: string) => string) => (server: Bendable) =>
  server.gate((request) => {
    if (request.path.startsWith("/.well-known/")) Object.assign(request, { path: move(request.path) });
    return undefined;
  });

test("a server without authorization is skipped by all rows of authorization", async () => {
  for (const id of ["security-auth-required", "security-www-authenticate", "security-oauth-metadata", ...ROWS]) {
    expect([id, (await seen(id))[0]]).toEqual([id, "skipped"]);
  }
});

test("rows that compare are skipped where there is no token to compare with", async () => {
  for (const id of ROWS) expect([id, (await seen(id, undefined, locked))[0]]).toEqual([id, "skipped"]);
});

test("the 401 to the opening counts where no token is given", async () => {
  expect(await seen("security-auth-required", undefined, locked)).toEqual(["pass", undefined]);
  expect(await seen("security-auth-required", refusing(403, "Bearer"), locked)).toEqual([
    "pass",
    "the status for a missing token is 401",
  ]);
  expect((await seen("security-auth-required", refusing(403), locked))[0]).toBe("blocked");
  expect((await seen("security-auth-required", refusing(404), locked))[0]).toBe("blocked");
});

test("a refusal with 403 passes with a note, whatever its challenge says", async () => {
  for (const challenge of [undefined, 'Bearer error="invalid_token"']) {
    for (const id of ["security-auth-required", ...ROWS]) {
      const [status, note] = await seen(id, refusing(403, challenge), auth);
      expect([id, status, typeof note]).toEqual([id, "pass", "string"]);
    }
  }
});

test("what is no bearer token may be refused with 400", async () => {
  const malformed = (server: Bendable) =>
    server.http((plan, { headers }) =>
      plan.status === 401 && headers["authorization"] !== undefined && !/^Bearer \S+$/.test(headers["authorization"])
        ? { ...plan, status: 400 }
        : plan,
    );
  expect(await seen("security-auth-malformed", malformed, auth)).toEqual(["pass", undefined]);
});

test("a token that is refused blocks what compares with it", async () => {
  const refused = (server: Bendable) => server.gate(() => ({ status: 401, headers: [["WWW-Authenticate", "Bearer"]] }));
  for (const id of ROWS) expect([id, (await seen(id, refused, auth))[0]]).toEqual([id, "blocked"]);
});

test("a stateless server has no session that could replace a token", async () => {
  expect((await seen("security-session-not-auth", undefined, { ...auth, stateless: true }))[0]).toBe("skipped");
  expect((await seen("security-session-entropy", undefined, { stateless: true }))[0]).toBe("skipped");
});

test("metadata at a well-known URI is enough, at the endpoint's or at the root's", async () => {
  const bare = (server: Bendable) => refusing(401, "Bearer")(server);
  const root = (server: Bendable) => {
    bare(server);
    metadataAt((path) => (path === "/.well-known/oauth-protected-resource" ? `${path}/mcp` : "/none"))(server);
  };
  for (const bend of [bare, root]) {
    const [status, note] = await seen("security-www-authenticate", bend, locked);
    expect([status, typeof note]).toEqual(["pass", "string"]);
    expect(await seen("security-oauth-metadata", bend, locked)).toEqual(["pass", undefined]);
  }
});

test("a resource may name this machine otherwise, stand above the endpoint, or end in a slash", async () => {
  const naming = (change: (resource: string) => string) => (server: Bendable) =>
    server.http((plan, { path }) => {
      if (!path.startsWith("/.well-known/") || plan.body === undefined) return plan;
      const document: { resource: string } = JSON.parse(plan.body);
      return { ...plan, body: JSON.stringify({ ...document, resource: change(document.resource) }) };
    });
  const alias = naming((resource) => resource.replace("127.0.0.1", "localhost"));
  const [status, note] = await seen("security-oauth-metadata", alias, locked);
  expect([status, typeof note]).toEqual(["pass", "string"]);
  for (const change of [(resource: string) => `${resource}/`, (resource: string) => resource.replace("/mcp", "")]) {
    expect(await seen("security-oauth-metadata", naming(change), locked)).toEqual(["pass", undefined]);
  }
});

test("metadata on another host is not asked for", async () => {
  const elsewhere = refusing(401, 'Bearer resource_metadata="https://auth.example.com/prm"');
  expect(await seen("security-www-authenticate", elsewhere, locked)).toEqual(["pass", undefined]);
  expect((await seen("security-oauth-metadata", elsewhere, locked))[0]).toBe("skipped");
});

test("revisions without these rules are not judged by them", async () => {
  for (const id of ["security-auth-required", "security-www-authenticate", "security-oauth-metadata", ...ROWS]) {
    expect([id, (await seen(id, undefined, { ...auth, newest: "2024-11-05" }))[0]]).toEqual([id, "skipped"]);
  }
});

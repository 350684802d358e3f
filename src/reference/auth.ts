import type { HttpPlan, HttpRequestView } from "../model/bendable.ts";
import { answer, problem } from "./plan.ts";

/** The token that the reference server takes when a fault's world has one. */
export const TOKEN = "assay-reference-token";

const DOCUMENT = "/.well-known/oauth-protected-resource/mcp";

/** The protected resource metadata (RFC 9728), where the request asks for it. */
export function metadata({ path, method }: HttpRequestView, base: string): HttpPlan | undefined {
  if (path !== DOCUMENT || method !== "GET") return undefined;
  return answer(200, {
    resource: `${base}/mcp`,
    authorization_servers: [`${base}/authorization`],
    bearer_methods_supported: ["header"],
    scopes_supported: ["notes"],
  });
}

/** 401 with its challenge (2025-11-25, basic/authorization#protected-resource-metadata-discovery-requirements). */
export function challenge(view: HttpRequestView, base: string): HttpPlan {
  const plan = problem(401, -32000, "a bearer token is needed");
  const sent = view.headers["authorization"] !== undefined;
  plan.headers.push([
    "WWW-Authenticate",
    `Bearer ${sent ? 'error="invalid_token", ' : ""}resource_metadata="${base}${DOCUMENT}", scope="notes"`,
  ]);
  return plan;
}

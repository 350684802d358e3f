import type { Bendable, Draft } from "../../model/bendable.ts";

/** A form as a server may ask a user to fill it in. */
export const form = {
  message: "Which colour do you like?",
  requestedSchema: { type: "object", properties: { colour: { type: "string" } }, required: ["colour"] },
};

/** Makes the tool `ask_model` sample with other params; `gated` false: also from clients that can't. */
export function sampling(server: Bendable, params: Draft, gated = true): void {
  server.tool("ask_model", async (_, { session, ask }) => {
    if (gated && session.capabilities["sampling"] === undefined) return { content: [], isError: true };
    const messages = [{ role: "user", content: { type: "text", text: "Say something." } }];
    await ask("sampling/createMessage", { messages, maxTokens: 20, ...params });
    return { content: [] };
  });
}

/** Makes the tool `ask_user` elicit with these params from the clients that are picked by what they declare. */
export function eliciting(server: Bendable, picks: (declared: unknown) => boolean, params: unknown): void {
  server.tool("ask_user", async (_, { session, ask }) => {
    if (!picks(session.capabilities["elicitation"])) return { content: [], isError: true };
    await ask("elicitation/create", params);
    return { content: [] };
  });
}

import { isObject } from "../model/json.ts";
import { agree, type Exception } from "./_agreement.ts";
import { SAMPLES } from "./_messages.ts";
import { has } from "./shape.ts";

// The formats byte, uri and uri-template are compared too, with our own notion of them.
const EXCEPTIONS: readonly Exception[] = [
  {
    reason: "stricter: at most 100 completion values is prose in the schema (completion#completion-results)",
    applies: (_, __, complaint) => /^\/completion\/values: expected at most 100 items/.test(complaint ?? ""),
  },
  {
    reason: "stricter: the answer to tools/call is a tool's result as soon as it has content",
    applies: ({ definition }, value, complaint) =>
      definition === "CreateTaskResult" && complaint !== undefined && has(value, "content"),
  },
  {
    reason: "stricter: a choice with a broken list of choices passes officially as a text with unknown members",
    applies: ({ method }, _, complaint) =>
      method === "elicitation/create" &&
      /^\/requestedSchema\/properties\/[^/]+\/(enum|enumNames|oneOf|items)\b/.test(complaint ?? ""),
  },
  {
    reason: "stricter: a request with a broken id passes officially as a notification with an unknown member",
    applies: ({ of }, value, complaint) =>
      of === "envelope" && has(value, "method") && /^\/id: expected a string or an integer/.test(complaint ?? ""),
  },
  {
    reason: "stricter: a message with a result and an error passes officially if either is right",
    applies: ({ of }, _, complaint) => of === "envelope" && /got a result and an error$/.test(complaint ?? ""),
  },
  {
    reason: "stricter: a message with a method is no response, whatever else it has",
    applies: ({ of }, value, complaint) =>
      of === "envelope" &&
      complaint !== undefined &&
      has(value, "method") &&
      (has(value, "result") || has(value, "error")),
  },
  {
    reason: "laxer: an error whose id is null is right in JSON-RPC 2.0",
    applies: ({ of }, value, complaint) =>
      of === "envelope" && complaint === undefined && isObject(value) && has(value, "error") && value["id"] === null,
  },
];

agree("2025-11-25", SAMPLES, EXCEPTIONS, 100_000);

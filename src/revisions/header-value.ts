/**
 * A value as it stands in Mcp-Name and Mcp-Param-*: plain where HTTP carries it unharmed, else Base64 between markers
 * (2026-07-28, basic/transports/streamable-http#value-encoding).
 */
export function headerValue(value: string): string {
  const plain = /^[\t\x20-\x7e]*$/.test(value) && value.trim() === value && !/^=\?base64\?.*\?=$/.test(value);
  return plain && value !== "" ? value : `=?base64?${Buffer.from(value, "utf8").toString("base64")}?=`;
}

import { expect, test } from "bun:test";
import { internalAddresses, scopeOf } from "./scan-address.ts";

test("private, link-local, carrier and loopback addresses are found", () => {
  expect(
    internalAddresses("10.0.0.1, 172.16.0.1:80 and (192.168.1.1) or 169.254.169.254; 100.64.0.1 127.0.0.1"),
  ).toEqual(["10.0.0.1", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "127.0.0.1"]);
  expect(internalAddresses("connect to ::1 or [fe80::1]:80, fd00:1:2::3")).toEqual(["::1", "fe80::1", "fd00:1:2::3"]);
  expect(internalAddresses("ended at 10.0.0.1.")).toEqual(["10.0.0.1"]);
});

test("public addresses, versions, times and numbers are none", () => {
  for (const text of [
    "8.8.8.8",
    "172.32.0.1",
    "10.0.19045.1",
    "version 10.0.0.1",
    String.raw`{"version":"10.0.0.1","also":"{\"version\": \"10.0.0.1\"}"}`,
    "v10.1.2.3",
    "1.10.0.0.1",
    "10.0.0.1.2",
    "at 10:30:15",
    "std::fs::read",
    "a::b",
    "2001:db8::1",
    "fd00:1",
    "300.168.1.1",
  ]) {
    expect([text, internalAddresses(text)]).toEqual([text, []]);
  }
});

test("a host is of this machine, of this network, or public", () => {
  for (const host of ["localhost", "a.localhost", "127.0.0.1", "[::1]", "0.0.0.0", "[::ffff:7f00:1]", "localhost."]) {
    expect([host, scopeOf(host)]).toEqual([host, "loopback"]);
  }
  for (const host of [
    "10.1.2.3",
    "192.168.0.9",
    "[fd00::1]",
    "[fe80::1]",
    "printer.local",
    "intranet",
    "mcp.internal",
  ]) {
    expect([host, scopeOf(host)]).toEqual([host, "private"]);
  }
  for (const host of ["example.com", "8.8.8.8", "[2001:db8::1]", "172.32.0.1"]) {
    expect([host, scopeOf(host)]).toEqual([host, "public"]);
  }
});

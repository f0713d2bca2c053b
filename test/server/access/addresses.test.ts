import type { IncomingMessage } from "node:http";
import { describe, expect, it } from "vitest";
import { createAddresses } from "../../../src/server/access/addresses.js";

/** What a request from there, with that header, is counted by. */
function addressOf(remote: string | undefined, forwarded?: string, proxies: readonly string[] = []) {
  const incoming = {
    socket: { remoteAddress: remote },
    headers: forwarded === undefined ? {} : { "x-forwarded-for": forwarded },
  } as Pick<IncomingMessage, "socket" | "headers">;
  return createAddresses(proxies).of(incoming);
}

describe("the address that limits count by", () => {
  it("is the socket's", () => {
    expect(addressOf("192.0.2.7")).toBe("192.0.2.7");
    expect(addressOf("::ffff:192.0.2.7")).toBe("192.0.2.7");
  });

  it("is none for this machine, and where there is no address", () => {
    for (const local of ["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1", undefined]) {
      expect(addressOf(local)).toBeUndefined();
    }
  });

  it.each([
    ["2001:db8:1:2:aaaa:bbbb:cccc:dddd", "2001:db8:1:2::/64"],
    ["2001:db8:1:2::1", "2001:db8:1:2::/64"],
    ["2001:0DB8:0001:0002::1", "2001:db8:1:2::/64"],
    ["2001:db8::1", "2001:db8:0:0::/64"],
    ["fe80::1%eth0", "fe80:0:0:0::/64"],
    ["::1:2", "0:0:0:0::/64"],
    ["64:ff9b::192.0.2.1", "64:ff9b:0:0::/64"],
    ["2001:db8:1:2:3:4:5::", "2001:db8:1:2::/64"],
  ])("is the /64 of %s", (remote, network) => {
    expect(addressOf(remote)).toBe(network);
  });

  it("is not what somebody says who is not trusted", () => {
    expect(addressOf("192.0.2.7", "198.51.100.1")).toBe("192.0.2.7");
    expect(addressOf("192.0.2.7", "198.51.100.1", ["10.0.0.0/8"])).toBe("192.0.2.7");
  });

  it("is what a trusted proxy has seen, and not what it was told", () => {
    const proxies = ["127.0.0.1", "10.0.0.0/8", "fd00::/8"];
    expect(addressOf("127.0.0.1", "198.51.100.1", proxies)).toBe("198.51.100.1");
    expect(addressOf("127.0.0.1", "203.0.113.1, 198.51.100.1", proxies)).toBe("198.51.100.1");
    expect(addressOf("10.1.2.3", "203.0.113.1,198.51.100.1 , 10.9.9.9", proxies)).toBe("198.51.100.1");
    expect(addressOf("fd00::5", "198.51.100.1:4711", proxies)).toBe("198.51.100.1");
    expect(addressOf("fd00::5", "[2001:db8::1]:443", proxies)).toBe("2001:db8:0:0::/64");
    expect(addressOf("::ffff:10.0.0.1", "198.51.100.1", proxies)).toBe("198.51.100.1");
  });

  it("is the sender's, however much stands before it in the header", () => {
    const padding = "203.0.113.1, ".repeat(1_000);
    expect(addressOf("127.0.0.1", `${padding}198.51.100.1`, ["127.0.0.1"])).toBe("198.51.100.1");
  });

  it("is the proxy's where it says nothing that can be read", () => {
    expect(addressOf("10.0.0.1", undefined, ["10.0.0.1"])).toBe("10.0.0.1");
    expect(addressOf("10.0.0.1", "unknown", ["10.0.0.1"])).toBe("10.0.0.1");
    expect(addressOf("10.0.0.1", "", ["10.0.0.1"])).toBe("10.0.0.1");
  });

  it.each(["", "proxy.example.com", "10.0.0.0/33", "10.0.0.0/8/8", "10.0.0.0/x", "::/129", "10.0.0.0/"])(
    "refuses to trust %j",
    (proxy) => {
      expect(() => createAddresses([proxy])).toThrow(/use an address or a range/);
    },
  );
});

it("a connection counts by its address, unless it is this machine's or a trusted proxy's", () => {
  const { ofConnection } = createAddresses(["10.0.0.0/8"]);
  expect(ofConnection("192.0.2.7")).toBe("192.0.2.7");
  expect(ofConnection("2001:db8:1:2::1")).toBe("2001:db8:1:2::/64");
  for (const free of ["10.1.2.3", "::ffff:10.1.2.3", "127.0.0.1", "::1", undefined]) {
    expect(ofConnection(free)).toBeUndefined();
  }
  expect(createAddresses().ofConnection("10.1.2.3")).toBe("10.1.2.3");
});

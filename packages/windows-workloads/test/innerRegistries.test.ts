import { outerLookup } from "capz-windows-kit/io/innerHosts";
import { Hostile, json } from "capz-windows-test-kit/hostileServer";
import { askDigest, askRegistry } from "windows-workloads/registry";

/** An image is a text of others: its name has nothing asked that answers this machine or its neighbours alone. */

const server = new Hostile();
const own = new Hostile();
let host = "";
let ownHost = "";

beforeAll(async () => {
  host = new URL(await server.listen()).host;
  ownHost = new URL(await own.listen()).host;
});

afterAll(() => {
  delete process.env.CAPZ_WINDOWS_LOCAL_REGISTRIES;
  server.close();
  own.close();
});

beforeEach(() => {
  delete process.env.CAPZ_WINDOWS_LOCAL_REGISTRIES;
  server.answer = json({ token: "t" });
});

const port = (): string => host.split(":")[1] ?? "";
const refused =
  /is this machine, its link or a private address, so it is not asked; CAPZ_WINDOWS_LOCAL_REGISTRIES/;

it.each([
  ...["127.0.0.1", "localhost", "app.localhost", "127.1.2.3", "0.0.0.0", "0x7f.1", "127.1", "0177.0.0.1"],
  ...["[::1]", "[::ffff:7f00:1]", "[fe80::1]", "[fd00:ec2::254]", "[fc00::1]"],
  ...["169.254.169.254", "169.254.170.2", "168.63.129.16", "100.100.100.200"],
  ...["10.0.0.1", "172.16.0.1", "192.168.0.1", "100.64.0.1", "metadata.google.internal"],
])("%s is not asked for an image", async (name) => {
  for (const ask of [askRegistry, askDigest]) {
    await expect(ask(`${name}:${port()}/team/app:1`)).rejects.toThrow(refused);
  }
  expect(server.asked).toEqual([]);
});

it("nor for a token, nor by a redirect, whatever another registry says", async () => {
  process.env.CAPZ_WINDOWS_LOCAL_REGISTRIES = ownHost;
  const answers: readonly Hostile["answer"][] = [
    (_, response) =>
      response.writeHead(401, { "www-authenticate": `Bearer realm="http://${host}/token"` }).end(),
    (_, response) => response.writeHead(302, { location: `http://${host}/v2/` }).end(),
  ];
  for (const answer of answers) {
    own.answer = answer;
    await expect(askDigest(`${ownHost}/app:1`)).rejects.toThrow(refused);
  }
  expect(server.asked).toEqual([]);
});

it.each([true, false])("nor is a name that leads to this machine, with all addresses: %s", async (all) => {
  const error = await new Promise((resolve) => {
    outerLookup("localhost", { all }, resolve);
  });
  expect(String(error)).toBe("InnerHostError: localhost is an address of this machine or its link");
});

it("a registry that the user names is asked", async () => {
  process.env.CAPZ_WINDOWS_LOCAL_REGISTRIES = `registry.example:5000, ${host}`;
  await expect(askDigest(`${host}/app:1`)).rejects.toThrow("something else than a manifest");
  expect(server.asked).toHaveLength(1);
});

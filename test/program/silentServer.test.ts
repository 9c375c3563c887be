import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { silentServer } from "../../program/silentServer";
import { stackProgram } from "../../program/stackProgram";
import { plan, type Mode } from "pulumi-plan-engine";
import { clouds } from "../../plan/simulation";
import { projectDir, readExample } from "../support/stacks";

const kubeconfig = (server: string, more: Record<string, string> = {}) =>
  JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    "current-context": "here",
    contexts: [
      { name: "there", context: { cluster: "another" } },
      { name: "here", context: { cluster: "management", user: "admin" } },
    ],
    clusters: [
      { name: "another", cluster: { server: "https://127.0.0.1:1" } },
      { name: "management", cluster: { server, ...more } },
    ],
    users: [{ name: "admin", user: { token: "t" } }],
  });

let open: number;
let closed: number;
const server = createServer();

beforeAll(async () => {
  const freed = createServer().listen(0, "127.0.0.1");
  server.listen(0, "127.0.0.1");
  await Promise.all([once(freed, "listening"), once(server, "listening")]);
  open = (server.address() as AddressInfo).port;
  closed = (freed.address() as AddressInfo).port;
  freed.close();
  await once(freed, "close");
});

afterAll(() => {
  server.close();
});

const warning = (port: number) =>
  `The management cluster cannot be reached at 127.0.0.1:${port} (connect ECONNREFUSED 127.0.0.1:${port}). This preview does without it; \`pulumi up\` stops there. Look at managementKubeconfig and at the network between.`;

it("warns of a management cluster that cannot be reached, and of no other", async () => {
  expect(await silentServer(kubeconfig(`https://127.0.0.1:${closed}`), {})).toBe(warning(closed));
  expect(await silentServer(kubeconfig(`https://127.0.0.1:${open}`), {})).toBeUndefined();
});

it.each([
  [
    "a proxy of the kubeconfig",
    () => kubeconfig(`https://127.0.0.1:${closed}`, { "proxy-url": "http://p" }),
    {},
  ],
  ["a proxy of the machine", () => kubeconfig(`https://127.0.0.1:${closed}`), { HTTPS_PROXY: "http://p" }],
  ["a kubeconfig without a cluster", () => "{}", {}],
  ["an invalid kubeconfig", () => "a: [", {}],
])("does not try where %s decides", async (_what, text, env) => {
  expect(await silentServer(text(), env)).toBeUndefined();
});

it.each<[Mode, number]>([
  ["preview", 1],
  ["update", 0],
])("a %s says so %i times", async (mode, times) => {
  const { config, secretKeys } = readExample("existing");
  const { diagnostics } = await plan({
    simulate: clouds,
    ...{ projectDir, project: "capz-windows", stack: "existing", mode, secretKeys },
    config: { ...config, "capz-windows:managementKubeconfig": kubeconfig(`https://127.0.0.1:${closed}`) },
    program: stackProgram(() => Promise.resolve({})),
  });
  expect(diagnostics.filter(({ message }) => message.includes("cannot be reached"))).toHaveLength(times);
});

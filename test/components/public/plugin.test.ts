import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Provider as Azure } from "@pulumi/azure-native/provider";
import { Provider as Kubernetes } from "@pulumi/kubernetes/provider";
import { clouds } from "../../../plan/simulation";
import { VirtualNetwork, WindowsPool } from "../../../components";
import {
  plan,
  type PlanOptions,
  type Recording,
  type RegisteredResource,
  type Values,
} from "pulumi-plan-engine";
import { PluginClient, startComponents, type ComponentPlugin } from "../../support/componentPlugin";
import { projectDir } from "../../support/projectDir";
import { readExamples } from "../pages/program";

/** The components as a plug-in of another language's program: its process, asked by gRPC as Pulumi's engine asks it. */

const options: PlanOptions = { projectDir, project: "theirs", stack: "test", simulate: clouds };

const { network, win2022 } = readExamples();

let plugin: ComponentPlugin;
let client: PluginClient;

beforeAll(async () => {
  plugin = await startComponents(tmpdir());
  client = await PluginClient.connect(plugin, options);
});

afterAll(() => {
  client.close();
  plugin.stop();
});

const readJson = (path: string): Record<string, unknown> =>
  JSON.parse(readFileSync(join(projectDir, path), "utf8")) as Record<string, unknown>;

it("answers with the schema of schema/plugin.json, and the version of the package", async () => {
  const { version, description } = readJson("package.json");
  const schema = readJson("schema/plugin.json");
  expect(await client.schema()).toBe(JSON.stringify(Object.assign(schema, { version, description })));
});

describe("a component that it constructs", () => {
  let program: Recording;
  beforeAll(async () => {
    program = await plan({
      ...options,
      program: () => {
        new VirtualNetwork("network", network?.properties as never, {
          provider: new Azure("azure"),
        });
        new WindowsPool("win2022", win2022?.properties as never, {
          provider: new Kubernetes("workload", { kubeconfig: "{}" }),
        });
      },
    });
  });

  /** The reference by which the engine gives it a provider of the program. */
  const providerOf = (name: string): string => {
    const { urn, id } = program.resources.find((each) => each.name === name)!;
    return `${urn}::${String(id)}`;
  };

  /** What the components of a type have registered: themselves and their children, without where and when. */
  const registered = (resources: readonly RegisteredResource[], component: string) =>
    resources
      .filter(({ urn }) => urn.includes(`capz-windows:index:${component}`))
      .map(({ urn, custom, inputs, id, provider, options: own }) =>
        custom ? { urn, inputs, id, provider, own } : { urn },
      );

  it.each([
    {
      component: "VirtualNetwork",
      name: "network",
      example: network,
      key: "azure-native",
      provider: "azure",
    },
    { component: "WindowsPool", name: "win2022", example: win2022, key: "kubernetes", provider: "workload" },
  ])("$component makes what it makes in a program in TypeScript", async (each) => {
    const { component, name, example, key, provider } = each;
    const type = `capz-windows:index:${component}`;
    const inputs = example?.properties as Values;
    const { urn, state } = await client.construct(name, type, inputs, { [key]: providerOf(provider) });
    expect(urn).toBe(`urn:pulumi:test::theirs::${type}::${name}`);
    const { resources } = readJson("schema/plugin.json") as {
      resources: Record<string, { properties: object }>;
    };
    expect(Object.keys(state).sort()).toEqual(Object.keys(resources[type]!.properties).sort());
    const expected = registered(program.resources, component);
    expect(expected.length).toBeGreaterThan(2);
    expect(registered(client.resources, component)).toEqual(expected);
  });
});

it("refuses a component that is not there", async () => {
  const { version } = readJson("package.json");
  await expect(client.construct("a", "capz-windows:index:Zone", {}, {})).rejects.toMatchObject({
    details: `capz-windows ${String(version)} has no component capz-windows:index:Zone`,
  });
});

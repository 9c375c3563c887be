import { readFileSync } from "node:fs";
import { FakeControllers } from "./controllers";
import { Engine } from "./engine";
import { deploy, deployAgain, destroy, expectUnchanged, Objects, objectsIn, planExample } from "./examples";
import { touched } from "./events";
import { ofRun, sayLeftOut } from "./ofRun";
import { missing } from "./pulumiCli";

/** The examples on a management cluster that exists, deployed and destroyed twice by the real engine. */

const all = ["existing", "private", "private-link", "locked-down", "spoke", "hub-spoke"] as const;
const stacks = ofRun(all, 2);

const { pulumi, kubeconfig, reason } = missing();

// Each takes a minute on a machine that does nothing else.
jest.setTimeout(1_800_000);

if (reason !== undefined) {
  it.skip(reason, () => undefined);
} else {
  let engine: Engine;
  let controllers: FakeControllers;
  let server: Objects;
  beforeAll(async () => {
    engine = await Engine.begin(pulumi);
    controllers = new FakeControllers(kubeconfig, (namespace) => stacks.some((name) => name === namespace));
    engine.azure.machines = () => controllers.subnetsInUse();
    server = new Objects(kubeconfig);
  });
  afterAll(async () => {
    await controllers.stop();
    server.close();
    engine.end();
  });

  sayLeftOut("examples on a management cluster that exists", all, stacks);
  it.each(stacks)("%s", async (stack) => {
    const plan = await planExample(engine, stack, readFileSync(kubeconfig, "utf8"));
    await deploy(engine, plan);
    await expectUnchanged(engine, plan);
    await destroy(engine, plan);
    const left = async () => [...engine.azure.store.ids(), ...(await server.existing(objectsIn(plan)))];
    expect(await left()).toEqual([]);
    await deployAgain(engine, plan);
    await destroy(engine, plan);
    expect(await left()).toEqual([]);
  });

  it("a management stack without outputs is said once, and nothing is registered", async () => {
    await planExample(engine, "team-a", readFileSync(kubeconfig, "utf8"));
    await engine.init("management");
    const { code, output, runs } = await engine.run("team-a", ["preview"]);
    expect(code).not.toBe(0);
    const [, said = ""] = output.split("Diagnostics:");
    expect(said.match(/\berror: .*/g)).toEqual([
      "error: management.stack: the stack organization/capz-windows/management has no outputs yet: run `npx pulumi up --stack organization/capz-windows/management` first",
    ]);
    expect(touched(runs[0]!).filter((urn) => !urn.includes("pulumi:pulumi:Stack"))).toEqual([]);
  });
}

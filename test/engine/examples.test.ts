import { readFileSync } from "node:fs";
import { FakeControllers } from "./controllers";
import { Engine } from "./engine";
import {
  deploy,
  deployAgain,
  destroy,
  expectUnchanged,
  Objects,
  objectsIn,
  planExample,
  stacksOfRun,
} from "./examples";
import { missing } from "./pulumiCli";

/** The examples on a management cluster that exists, deployed and destroyed twice by the real engine. */

const stacks = ["existing", "private", "private-link", "locked-down", "spoke", "hub-spoke"] as const;

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

  it.each(stacksOfRun(stacks, 2))("%s", async (stack) => {
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
}

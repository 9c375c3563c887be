import { textAt } from "capz-windows-kit/untyped";
import { policies } from "../../config/policy/policies";
import { readText } from "../architecture/sources";
import { publicKey } from "../support/stacks";
import { TestDeployment } from "./deployment";
import { missing } from "./pulumiCli";

/** Changes of which more is asked than what the plan said of them (changeTable.test.ts): what stays, and what is said. */

const { pulumi, kubeconfig, reason } = missing();

const up = ["up", "--yes", "--skip-preview"] as const;

/** Resources other than components: " ~  azure-native:network:RouteTable network-routes update[d] (0.1s) [diff: ~tags]": what is updated and replaced. */
const changes = (output: string): string[] => [
  ...new Set(
    [
      ...output.matchAll(/^ (?:~|\+-) +((?!capz-windows:)[\w.:/-]+ [\w.-]+) (?:updated?|replaced?)\b.*$/gm),
    ].map(([, what = ""]) => what),
  ),
];

if (reason !== undefined) {
  it.skip(reason, () => undefined);
} else {
  const name = `chg${process.pid}`;
  let deployment: TestDeployment;
  /** What the first `up` said. */
  let first: string;

  const set = (...args: readonly string[]): Promise<string> =>
    deployment.cli.must(["config", "set", ...args]);
  const setSecret = (content: string): Promise<string> =>
    deployment.cli.must(["config", "set", "--secret", "capz-windows:secretFiles"], {
      input: `licence.key: ${content}\n`,
    });
  const secret = async (): Promise<[uid: string, content: string]> => {
    const found = await deployment.objectAt(`secrets/${name}-secret-files`);
    // Twice: once by the API, and once by the program, so that each byte stays as it is.
    const once = Buffer.from(textAt(found, "data", "licence.key"), "base64").toString();
    const content = Buffer.from(once, "base64").toString();
    return [textAt(found, "metadata", "uid"), content];
  };

  beforeAll(async () => {
    const files = [{ path: "C:/licence.key", contentFrom: { secretFile: "licence.key" } }];
    deployment = await TestDeployment.begin(pulumi, kubeconfig, name, {
      windowsPools: { win1: { files } },
      access: { sshPublicKey: publicKey, allowedCidrs: ["0.0.0.0/0"] },
    });
    await setSecret("AAAA");
    first = await deployment.cli.must(up);
  });
  afterAll(async () => {
    await deployment.cli.must(["destroy", "--yes", "--skip-preview"]);
    await deployment.end();
  });

  it("a finding of a policy is a warning in `up`, which asks no policy (docs/policies.md): an error fails `plan`", () => {
    expect(first).toContain("warning: access.allowedCidrs: 0.0.0.0/0 exposes the API server");
    expect(policies["public-cluster"].level).toBe("error");
    expect(readText("docs/policies.md")).toContain("`pulumi up` asks no policy");
  });

  it("new content of secretFiles updates the Secret, which is never away", async () => {
    const [uid, before] = await secret();
    await setSecret("BBBB");
    expect(await deployment.cli.must(up)).toMatch(/ ~ 1 updated\n/);
    expect([before, await secret()]).toEqual(["AAAA", [uid, "BBBB"]]);
  });

  it("`up` does what was previewed: other tags change no identity, role assignment or credential", async () => {
    await set("--path", "capz-windows:tags.team", "b");
    const preview = changes(await deployment.cli.must(["preview"]));
    const done = changes(await deployment.cli.must(up));
    expect(preview).toContain("azure-native:network:RouteTable network-routes");
    expect(preview.filter((what) => /RoleAssignment|Credential|Identity /.test(what))).toEqual([]);
    expect(done.sort()).toEqual(preview.sort());
  });

  it("a wait for nodes that run already leaves nothing to do", async () => {
    await set("wait", "nodes");
    await deployment.cli.must(up);
    const { code, output } = await deployment.cli.run(["preview", "--expect-no-changes"]);
    expect({ code, output }).toEqual({ code: 0, output: expect.stringMatching(/\d+ unchanged/) as string });
  });
}

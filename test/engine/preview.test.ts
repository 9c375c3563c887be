import { TestDeployment } from "./deployment";
import { missing } from "./pulumiCli";

/** The real CLI does exactly what it has previewed. */

const { pulumi, kubeconfig, reason } = missing();

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
  let deployment: TestDeployment;
  beforeAll(async () => {
    deployment = await TestDeployment.begin(pulumi, kubeconfig, `tag${process.pid}`);
    await deployment.cli.must(["up", "--yes", "--skip-preview"]);
  });
  afterAll(async () => {
    await deployment.cli.must(["destroy", "--yes", "--skip-preview"]);
    await deployment.end();
  });

  it("other tags change no identity, role assignment or credential", async () => {
    await deployment.cli.must(["config", "set", "--path", "capz-windows:tags.team", "b"]);
    const preview = changes(await deployment.cli.must(["preview"]));
    const done = changes(await deployment.cli.must(["up", "--yes", "--skip-preview"]));
    expect(preview).toContain("azure-native:network:RouteTable network-routes");
    expect(preview.filter((what) => /RoleAssignment|Credential|Identity /.test(what))).toEqual([]);
    expect(done.sort()).toEqual(preview.sort());
  });
}

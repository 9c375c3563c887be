import { readdirSync } from "node:fs";
import { join } from "node:path";
import { run as access } from "capz-windows-doctor/access/cli/main";
import { run as doctor } from "capz-windows-doctor/cli/main";
import { said } from "capz-windows-test-kit/said";
import { temporaryFolder } from "capz-windows-test-kit/temporaryFolder";
import { run as workloads } from "windows-workloads/cli";
import { run as importer } from "../../commands/import/cli";
import { run as plan } from "../../plan/cli/main";
import { projectDir } from "../support/stacks";

/**
 * The inputs that reviewers left, of two sorts: hostile ones, and public bug reports and files of users. Each command answers as
 * their review asks. They are no part of this repository: CAPZ_WINDOWS_CASES is their folder.
 */

const cases = process.env.CAPZ_WINDOWS_CASES;
const dir = temporaryFolder();

type Tool = (file: string) => Promise<number>;
const options = { projectDir };
const tools = {
  access: (file) => access(["--from", file], options),
  doctor: (file) => doctor(["--from", file], options),
  import: (file) => importer(["--out", join(dir, "imported.yaml"), "--force", file]),
  plan: (file) => plan(["--stack", "dev", "--config-file", file, "--out", join(dir, "plan")], options),
  workloads: (file) =>
    workloads(["--config-file", join(projectDir, "examples/Pulumi.prod.yaml"), "--offline", file], options),
} satisfies Record<string, Tool>;

interface Case {
  readonly tool: keyof typeof tools;
  readonly code: number;
  /** What the answer has, and what it has not. */
  readonly has: readonly string[];
  readonly not?: readonly string[];
}

/** For one of these, someone has to be given a right. */
const grants = ["az role assignment create", "--assignee deadbeef"];
const refused = (...has: readonly string[]): Case => ({ tool: "plan", code: 1, has });
const found = (has: readonly string[], not: readonly string[] = []): Case => ({
  ...{ tool: "doctor", code: 3, has },
  not: ["Nothing is wrong", ...not],
});
const ready = (code: number, ...has: readonly string[]): Case => ({ tool: "workloads", code, has });
const terminating = found(["is in Terminating on win1000000", "longer than its grace"]);
const unreachable = (host: string): Case =>
  found([`The management cluster cannot reach ${host}`, String.raw`-w '%{http_code}\n'`]);
/** The selector is that of the nodes of another system, and no cause. */
const unscheduled = found(["The scheduler finds no node for"], ["its nodeSelector names none"]);

const expected: Readonly<Record<string, Case>> = {
  "security/Pulumi.cred-cmd.yaml": {
    ...{ tool: "plan", code: 4, has: ["this looks like a password of a login"] },
    not: ["TOPSECRETVALUE123"],
  },
  "security/Pulumi.cred-file.yaml": {
    ...{ tool: "plan", code: 4, has: ["this looks like a password of net use"] },
    not: ["TOPSECRET"],
  },
  // Its bomb lies in a file that is not there; addons/ownManifests has such a file.
  "security/Pulumi.em-bomb.yaml": refused("there is no such file"),
  "security/Pulumi.fnul.yaml": refused("the text has U+0000"),
  "security/Pulumi.labdate.yaml": refused("Pulumi reads 2026-01-01 as a time", 'since: "2026-01-01"'),
  "security/Pulumi.m-scalar.yaml": refused("neither a mapping nor a list of mappings"),
  "security/Pulumi.m-self.yaml": refused("alias is inside its own anchor"),
  "security/Pulumi.ntp.yaml": refused("Cluster API writes this text into YAML without quotes"),
  "security/Pulumi.oct.yaml": refused("Pulumi reads 010 as the number 8", 'replicas: "010"'),
  "security/Pulumi.t-cidr400.yaml": { tool: "plan", code: 0, has: ["and 388 more, none of them wider"] },
  "security/Pulumi.t-mbomb10.yaml": refused("more than 100,000 values"),
  "security/Pulumi.t-unknown400.yaml": refused("unknown key", "There are 350 more problems"),
  "security/Pulumi.tag-toString.yaml": refused("JavaScript has another use for this name"),
  "security/acc-host2.json": {
    ...{ tool: "access", code: 0, has: ["ssh -p PORT capi@HOST"] },
    not: ["capi@x;curl", "evil|sh"],
  },
  "security/esc-msg.json": found([String.raw`\u001b]52;c;`], ["\u001b", "\u0007"]),
  "security/forge-grant.json": found(["which others can write"], grants),
  "security/forge2-pvc.json": found(["which others can write"], grants),
  "security/forge2-svc.json": found(["which others can write"], grants),
  "security/img-semicolon.json": found(["images rm IMAGE"], ["images rm x.io;"]),
  "answers/Pulumi.ovflag.yaml": refused("no feature gate NoSuchGate", "horizontal-pod-autoscaler-use-rest"),
  "answers/Pulumi.ovflag2.yaml": refused("no flag --cloud-provider", "PodSecurityPolicy", "insecure-port"),
  "answers/Pulumi.ovkubelet.yaml": refused("no flag --container-runtime", "pod-infra-container-image"),
  "answers/f01-spot-bastion.yaml": { tool: "import", code: 2, has: ["spec.bastionSpec.azureBastion"] },
  "answers/f01-windows-md.yaml": { tool: "import", code: 2, has: ["spec.bastionSpec.azureBastion"] },
  "answers/f02-removed-arguments.yaml": {
    ...{ tool: "import", code: 2 },
    has: ["no flag --cloud-provider", "no feature gate ValidatingAdmissionPolicy"],
  },
  "answers/f04-kubelet-flags.json": {
    ...{ tool: "import", code: 2, has: ["controlPlane.overrides, with kubeletExtraArgs"] },
    not: ["there is no place for this value", "found text"],
  },
  "answers/f06-extension.json": {
    ...{
      tool: "import",
      code: 2,
      has: ["scripts and files of machines", "vmExtensions with their publisher"],
    },
    not: ["instead: text"],
  },
  "answers/f09-images.yaml": ready(
    ...[2, "uppercase letters in its name", "begins with https://", "is no valid reference"],
    ...["something must replace <image-name>", "6 do not, 3 were not checked in full"],
  ),
  "answers/f10-pv1.yaml": ready(2, "the cluster does not have the driver file.csi.azure.com"),
  "answers/f10-pv2.yaml": ready(2, "Windows nodes have no nfs"),
  "answers/f10-pv3.yaml": ready(2, "its source ends with a slash", "whether the driver smb.csi.k8s.io runs"),
  "answers/f10-pv4.yaml": ready(2, "it uses NFS, which Windows nodes do not mount"),
  "answers/f10-pv5.yaml": ready(
    0,
    "not checked    PersistentVolume share: whether its pods are on the nodes",
  ),
  "answers/f10-pv6.yaml": ready(0, "not checked    PersistentVolume share: whether its disk has ext4"),
  // Only C: is refused; the programs of the others end at once.
  "answers/f12-drives.yaml": {
    ...ready(2, "mountPath C: is a whole drive"),
    not: ["mountPath D:", "mountPath E:", "mountPath G:"],
  },
  "answers/f13-subpath.yaml": {
    ...ready(0, "may stay in Terminating"),
    not: ["cannot mount single files"],
  },
  "answers/f13-subpath2.yaml": {
    ...ready(2, "its image starts cmd.exe, which ends at once"),
    not: ["cannot mount single files"],
  },
  "answers/f15-policies.yaml": ready(
    ...[0, "egress rule 1 (except)", "ingress rule 1 (a named port)", "egress rule 1 (notNets)"],
    "egress rule 3 (icmp)",
  ),
  "answers/f16-kube-proxy.json": terminating,
  "answers/f16-statefulset.json": terminating,
  "answers/f16-terminating.json": terminating,
  "answers/f16-volume.json": terminating,
  "answers/f18-deadline.json": unreachable("login.microsoftonline.com"),
  "answers/f18-endpoint.json": unreachable("login.microsoftonline.com"),
  "answers/f18-tls-timeout.json": unreachable("management.azure.com"),
  "answers/f19-claims.json": unscheduled,
  "answers/f19-directx.json": unscheduled,
  "answers/f19-gpu.json": unscheduled,
  "answers/f19-hugepages.json": unscheduled,
  "answers/f19-ports.json": unscheduled,
  "answers/f21-command.json": unreachable("management.azure.com"),
  "answers/f24-purchase-plan.json": found(["name no purchase plan"], ["marketplace: {urn"]),
  "answers/f25-smb.json": found(["for a reason that no rule recognizes"], ["HCS"]),
  "answers/f26-kubernetes-1.22.json": { tool: "import", code: 2, has: ["instead: kubernetesVersion"] },
};

/** Programs and settings of the reviewers, which are no inputs. */
const others = /\.(?:js|sh|kubeconfig)$/;

(cases === undefined ? describe.skip : describe)("inputs (skipped without CAPZ_WINDOWS_CASES)", () => {
  const folder = cases ?? "";

  it("are all known", () => {
    const files = ["security", "answers"].flatMap((kind) =>
      readdirSync(join(folder, kind)).map((name) => `${kind}/${name}`),
    );
    expect(files.filter((file) => !others.test(file)).sort()).toEqual(Object.keys(expected).sort());
  });

  it.each(Object.entries(expected))("%s", async (file, { tool, code, has, not = [] }) => {
    const answer = await said(() => tools[tool](join(folder, file)));
    const text = (answer.out + answer.err).replace(/\s+/g, " ");
    expect([answer.code, has.filter((part) => !text.includes(part.replace(/\s+/g, " ")))]).toEqual([
      code,
      [],
    ]);
    expect([...not, "    at "].filter((part) => (answer.out + answer.err).includes(part))).toEqual([]);
  });
});

import { parse } from "yaml";
import { uninitializedTaint, windowsKubeadmConfigSpec } from "../../bootstrap/windows";
import { publicKey } from "../support/stacks";
import { today } from "../support/platforms";

const args = { ...today, azureJsonSecret: "win1-azure-json", sshPublicKey: publicKey };
const spec = windowsKubeadmConfigSpec(args);
const file = (path: string) => spec.files?.find((one) => one.path === path);
const node = spec.joinConfiguration?.nodeRegistration;

describe("bootstrap data of a Windows node", () => {
  it("writes these files in this order", () => {
    expect(spec.files?.map(({ path, permissions }) => `${path} ${permissions ?? "-"}`)).toEqual([
      "c:/k/azure.json 0644",
      "C:/defender-exclude-calico.ps1 0744",
      "C:/k/patches/kubeletconfiguration0+strategic.yaml 0644",
      "C:/restart-kubelet.ps1 0744",
      "C:/ProgramData/ssh/administrators_authorized_keys 0640",
    ]);
  });

  it("takes azure.json from the secret that CAPZ creates for the pool", () => {
    expect(file("c:/k/azure.json")).toEqual({
      path: "c:/k/azure.json",
      owner: "root:root",
      permissions: "0644",
      contentFrom: { secret: { name: "win1-azure-json", key: "worker-node-azure.json" } },
    });
  });

  it("joins with the machine's computer name and containerd's named pipe", () => {
    expect(node?.name).toBe('{{ ds.meta_data["local_hostname"] }}');
    expect(node?.criSocket).toBe("npipe:////./pipe/containerd-containerd");
  });

  it("authorizes the SSH key in both files that sshd may read", () => {
    expect(spec.users).toEqual([{ name: "capi", groups: "Administrators", sshAuthorizedKeys: [publicKey] }]);
    expect(file("C:/ProgramData/ssh/administrators_authorized_keys")?.content).toBe(`${publicKey}\n`);
    expect(windowsKubeadmConfigSpec({ ...args, sshPublicKey: `  ${publicKey}\n` })).toEqual(spec);
  });

  it("runs one command before kubeadm join and two after", () => {
    expect(spec.preKubeadmCommands).toEqual([
      "icacls C:\\ProgramData\\ssh\\administrators_authorized_keys /inheritance:r /grant *S-1-5-18:F /grant *S-1-5-32-544:F",
    ]);
    expect(spec.postKubeadmCommands).toEqual([
      "powershell -NoProfile -ExecutionPolicy Bypass -File C:/restart-kubelet.ps1",
      "powershell -NoProfile -ExecutionPolicy Bypass -File C:/defender-exclude-calico.ps1",
    ]);
  });
});

describe("the taint that marks a new Windows node for the cloud node manager", () => {
  const patch = parse(file("C:/k/patches/kubeletconfiguration0+strategic.yaml")?.content ?? "") as unknown;

  it("is part of kubelet's config, which images with a native service and with nssm both read", () => {
    expect(patch).toEqual({
      apiVersion: "kubelet.config.k8s.io/v1beta1",
      kind: "KubeletConfiguration",
      registerWithTaints: [{ ...uninitializedTaint }],
      systemReserved: { cpu: "500m", memory: "2Gi" },
    });
    expect(spec.joinConfiguration?.patches).toEqual({ directory: "C:/k/patches" });
  });

  it("is added by kubelet itself on images where kubelet gets its flags", () => {
    expect(node?.kubeletExtraArgs).toContainEqual({ name: "cloud-provider", value: "external" });
  });

  it("has another effect than kubelet's own taint, because the API server rejects duplicates", () => {
    // kubelet adds this taint with --cloud-provider=external, regardless of its config and its flags.
    const kubelets = {
      key: "node.cloudprovider.kubernetes.io/uninitialized",
      value: "true",
      effect: "NoSchedule",
    };
    expect(uninitializedTaint.key).toBe(kubelets.key);
    expect(uninitializedTaint.effect).not.toBe(kubelets.effect);
    expect(node?.kubeletExtraArgs?.map(({ name }) => name)).not.toContain("register-with-taints");
    expect(node?.taints).toBeUndefined();
  });
});

describe("files and commands that a user adds to a Windows node", () => {
  const extra = windowsKubeadmConfigSpec({
    ...args,
    extraFiles: [{ path: "C:/mine.ps1", content: "Get-Date\n" }],
    preKubeadmCommands: ["echo before"],
    postKubeadmCommands: ["echo %PATH%", "echo 5 %% more"],
  });

  it("come after the built-in ones", () => {
    expect(extra.files?.slice(0, -1)).toEqual(spec.files);
    expect(extra.files?.at(-1)).toEqual({ path: "C:/mine.ps1", content: "Get-Date\n" });
    expect(extra.preKubeadmCommands).toEqual([...(spec.preKubeadmCommands ?? []), "echo before"]);
    expect(extra.postKubeadmCommands?.slice(2)).toEqual(["echo %PATH%", "echo 5 %% more"]);
  });

  it("cannot overwrite a built-in file by another spelling of its path", () => {
    expect(() =>
      windowsKubeadmConfigSpec({
        ...args,
        extraFiles: [{ path: "C:\\K\\azure.json", content: "{}\n" }],
      }),
    ).toThrow("files[0] (c:/k/azure.json) writes the same file");
  });

  const single = "cmd.exe drops a single %: the commands of a Windows node are lines of one batch file";
  const noCall = "a batch file that runs without call ends the batch";
  const words =
    "cmd.exe runs it, which does not know the words of PowerShell, and the batch goes on without it";
  const never = "no later command runs, not even kubeadm join";

  it.each([
    ["echo 50%", single],
    ["echo %1", single],
    ["echo 5% of 10%", single],
    ["C:/setup.cmd /quiet", `${noCall}: ${never}`],
    ['"C:\\setup.BAT"', `${noCall}: ${never}`],
    ["exit 0", `exit ends the batch: ${never}`],
    ["Set-Service -Name sshd -StartupType Automatic", words],
    ["  get-service", words],
    ["$env:PATH += ';C:/k'", words],
    ["& 'C:/k/setup.exe' /quiet", words],
  ])("must not include the command %s", (command, problem) => {
    expect(() => windowsKubeadmConfigSpec({ ...args, postKubeadmCommands: [command] })).toThrow(problem);
    expect(() => windowsKubeadmConfigSpec({ ...args, preKubeadmCommands: [command] })).toThrow(
      "preKubeadmCommands[1]",
    );
  });

  it.each([
    "call C:/setup.cmd",
    "cmd /c C:/setup.cmd",
    "powershell -File C:/exit.ps1",
    "echo %ProgramFiles(x86)%",
    'powershell -Command "Set-Service -Name sshd -StartupType Automatic"',
    "docker-compose up",
    "start-all.exe /quiet",
    "set PATH=C:/k",
  ])("may include the command %s", (command) => {
    expect(() => windowsKubeadmConfigSpec({ ...args, preKubeadmCommands: [command] })).not.toThrow();
  });
});

import { controlPlaneKubeadmConfigSpec } from "../../../bootstrap/controlPlane";
import { windowsKubeadmConfigSpec } from "../../../bootstrap/windows";
import { checkUserData, keysUnknownToCloudbaseInit, userDataBytes } from "../../../bootstrap/userData/checks";
import { renderUserData } from "../../../bootstrap/userData/renderUserData";
import { publicKey } from "../../support/stacks";
import { today } from "../../support/platforms";

const facts = {
  kubernetesVersion: "v1.35.6",
  clusterName: "demo",
  controlPlaneEndpoint: "h:6443",
  podCidr: "192.168.0.0/16",
};

const windows = (extraFiles: { path: string; content: string }[] = []): string =>
  renderUserData({
    ...facts,
    spec: windowsKubeadmConfigSpec({ ...today, azureJsonSecret: "s", sshPublicKey: publicKey, extraFiles }),
    os: "windows",
    role: "worker",
  });

const lines = (length: number): string => `${"a".repeat(length - 1)}\n`;

describe("the size of user data", () => {
  it("is counted in bytes of UTF-8", () => {
    expect(userDataBytes("aé→")).toBe(6);
  });

  it("is far below the limit without additions", () => {
    expect(userDataBytes(windows())).toBeLessThan(10_000);
    expect(checkUserData(windows(), "windows")).toEqual([]);
  });

  it("may be at most 60,000 bytes, and the problem names the largest file", () => {
    const files = [1, 2, 3, 4, 5].map((number) => ({
      path: `C:/${number}.txt`,
      content: lines(number === 3 ? 10_100 : 10_000),
    }));
    const rest = 60_000 - userDataBytes(windows([...files, { path: "C:/rest.txt", content: "a\n" }])) + 2;
    const sized = (bytes: number) => windows([...files, { path: "C:/rest.txt", content: lines(bytes) }]);
    expect(userDataBytes(sized(rest))).toBe(60_000);
    expect(checkUserData(sized(rest), "windows", "win1")).toEqual([]);
    const [problem, ...more] = checkUserData(sized(rest + 1), "windows", "win1");
    expect(more).toEqual([]);
    expect(problem).toEqual({
      path: "win1",
      problem: "the user data has 60,001 bytes; the largest file is C:/3.txt with 10,100 bytes",
      allowed: "up to 60,000 bytes (Azure allows 65,535 before base64; secrets are added later)",
      write: "a smaller C:/3.txt, or a command that downloads it",
    });
  });
});

describe("keys that cloudbase-init does not support", () => {
  const controlPlane = renderUserData({
    ...facts,
    spec: controlPlaneKubeadmConfigSpec({ ...today, clusterName: "demo", azureJsonSecret: "s" }),
    os: "linux",
    role: "init",
  });

  it("do not occur in the data for Windows", () => {
    expect(keysUnknownToCloudbaseInit(windows())).toEqual([]);
  });

  it("are reported for Windows and accepted on Linux", () => {
    expect(keysUnknownToCloudbaseInit(controlPlane)).toEqual(["disk_setup", "fs_setup", "mounts"]);
    expect(checkUserData(controlPlane, "windows", "win1")).toEqual([
      {
        path: "win1",
        problem: "cloudbase-init ignores disk_setup, fs_setup, mounts",
        allowed: "write_files, set_timezone, timezone, set_hostname, hostname, ntp, groups, users, runcmd",
        write: "commands or files with the same effect",
      },
    ]);
    expect(checkUserData(controlPlane, "linux")).toEqual([]);
  });
});

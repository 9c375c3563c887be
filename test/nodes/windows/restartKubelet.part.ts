import { describeOnWindows, runOnWindows, times, type Answer, type Scene } from "../powershell";

const script = "restart-kubelet.ps1";
const native = "C:/k/RestartKubelet.ps1";
const nssm = "C:/k/nssm.exe";
const runs: Answer = { out: [{ Status: "Running" }] };
const stopped: Answer = { out: [{ Status: "Stopped" }] };
const absent: Answer = { error: "Cannot find any service with service name 'kubelet'." };
const look = "Get-Service -Name kubelet -ErrorAction SilentlyContinue";
const pause = "Start-Sleep -Seconds 2";
const recovery = [
  "sc.exe failure kubelet reset= 3600 actions= restart/10000",
  "sc.exe failureflag kubelet 1",
];
const told = (change: Scene["answers"]) =>
  runOnWindows(script, { answers: { "Get-Service": runs, "sc.exe": {}, "Set-Service": {}, ...change } });

describeOnWindows("restart-kubelet.ps1", () => {
  describe("where kubelet is a native service", () => {
    it("runs the image's script once, and then gives the service its recovery actions", async () => {
      expect(await told({ [native]: { out: ["made anew"] } })).toMatchObject({
        code: 0,
        calls: [native, look, ...recovery, look],
        output: [`kubelet is a native service; ${native}, try 1`, "made anew", "kubelet runs."],
      });
    });

    it("prefers that script to nssm, and waits for a service that is not there yet or starts", async () => {
      const { calls, code } = await told({
        [native]: {},
        [nssm]: {},
        "Get-Service": [absent, stopped, runs],
      });
      expect(calls).toEqual([native, look, pause, look, pause, look, ...recovery, look]);
      expect(code).toBe(0);
    });

    it("runs the image's script again when kubelet does not run for half a minute", async () => {
      const answers = [...Array.from({ length: 15 }, () => absent), runs];
      const { calls, output, code } = await told({ [native]: {}, "Get-Service": answers });
      expect(calls).toEqual([native, ...times(15, look, pause), native, look, ...recovery, look]);
      expect(output).toEqual([
        `kubelet is a native service; ${native}, try 1`,
        `kubelet is a native service; ${native}, try 2`,
        "kubelet runs.",
      ]);
      expect(code).toBe(0);
    });

    it("gives up after three tries, says where the logs are, and fails", async () => {
      const { calls, output, code } = await told({ [native]: {}, "Get-Service": stopped });
      expect(calls).toEqual([
        ...times(3, native, ...times(15, look, pause)),
        ...recovery,
        ...times(15, look, pause),
      ]);
      expect(output).toEqual([
        ...[1, 2, 3].map((number) => `kubelet is a native service; ${native}, try ${number}`),
        "kubelet does not run; its logs are in C:\\var\\log\\kubelet.",
      ]);
      expect(code).toBe(1);
    });
  });

  it("where nssm runs kubelet, it starts at each boot from now on", async () => {
    expect(await told({ [nssm]: {} })).toMatchObject({
      code: 0,
      calls: [`${nssm} set kubelet start SERVICE_AUTO_START`, look],
      output: ["kubelet is run by nssm", "kubelet runs."],
    });
    expect((await told({ [nssm]: {}, "Get-Service": stopped })).code).toBe(1);
  });

  it("on any other image, it sets the start mode and says so", async () => {
    expect(await told({})).toMatchObject({
      code: 0,
      calls: ["Set-Service -Name kubelet -StartupType Automatic", look],
      output: [
        `This image has neither ${native} nor ${nssm}: only the start mode of kubelet is set.`,
        "kubelet runs.",
      ],
    });
  });
});

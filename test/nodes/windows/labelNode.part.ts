import { describeOnWindows, runOnWindows, times, type Answer } from "../powershell";

const kubectl = "C:/k/kubectl.exe";
const command = `${kubectl} --kubeconfig=C:/etc/kubernetes/kubelet.conf label node win1000000 --overwrite a=b c=`;
const pause = "Start-Sleep -Seconds 5";
const told = (...answers: Answer[]) =>
  runOnWindows("label-node.ps1", {
    args: { Labels: "a=b,c=" },
    answers: { hostname: { out: ["WIN1000000"] }, [kubectl]: answers },
  });
const refused: Answer = { out: ["Error from server (NotFound)"], code: 1 };
const labelled: Answer = { out: ["node/win1000000 labeled"], code: 0 };

describeOnWindows("label-node.ps1", () => {
  it("labels the node under its name in small letters, also the second time", async () => {
    expect(await told(labelled)).toMatchObject({
      code: 0,
      calls: ["hostname", command],
      output: ["node/win1000000 labeled", "win1000000 has its labels."],
    });
  });

  it("waits until the node is there", async () => {
    expect(await told(refused, refused, labelled)).toMatchObject({
      code: 0,
      calls: ["hostname", command, pause, command, pause, command],
      output: [
        ...times(2, "Error from server (NotFound)"),
        "node/win1000000 labeled",
        "win1000000 has its labels.",
      ],
    });
  });

  it("fails after five minutes, below what kubectl says", async () => {
    expect(await told(refused)).toMatchObject({
      code: 1,
      calls: ["hostname", ...times(60, command, pause)],
      output: [
        ...times(60, "Error from server (NotFound)"),
        "win1000000 does not have its labels after five minutes; kubectl says why above.",
      ],
    });
  });
});

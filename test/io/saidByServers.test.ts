import { ArmError } from "../../commands/azure/arm";
import { type Get, notKubernetes, problemOfError } from "capz-windows-doctor/cluster/answers";
import { managementKinds } from "capz-windows-doctor/cluster/kinds";
import { readCluster, readKubeconfigSecret } from "capz-windows-doctor/cluster/readCluster";
import { rewrite } from "capz-windows-doctor/encryption/rewrite";
import { liveText } from "../../commands/import/live";
import { Client } from "capz-windows-probe/client";
import { askPatiently } from "../../components/scaleDown/requests";
import { messageOf } from "capz-windows-kit/messageOf";

const message = `no\r\n::error::x\nAll is well.${"x".repeat(5_000)}`;
const body = { kind: "Status", message };
const get: Get = () => Promise.resolve({ status: 403, body });
const send = () => Promise.resolve({ status: 403, body, text: "", bytes: 1 });

it("is one line of a limited length in every message", async () => {
  const client = new Client(send, new AbortController().signal, 1);
  const thrown = await Promise.all(
    [
      client.get("/x"),
      client.nodes(),
      client.remove("/x"),
      Promise.reject(new ArmError(403, "Odd", message)),
      liveText(get, undefined),
      rewrite(send, "secrets"),
      askPatiently(send, 1, "/x", { method: "GET" }, []),
    ].map((answer) => answer.then(() => "no error", messageOf)),
  );
  const { problems } = await readCluster(get, managementKinds, "dev");
  const kubeconfig = await readKubeconfigSecret(get, "dev", "dev");
  const found = [
    ...[...problems, problemOfError(new Error(message), "Pod")],
    notKubernetes({ status: 200, body }, "Pod"),
    ...(typeof kubeconfig === "string" ? [] : [kubeconfig]),
  ];
  expect(found).toHaveLength(4);
  for (const said of [...thrown, ...found.map((problem) => problem.message)]) {
    expect(said).toContain("no⏎::error::x⏎All is well.xxx");
    expect(said).not.toMatch(/[\r\n]/);
    expect(said.length).toBeLessThan(3_300);
  }
});

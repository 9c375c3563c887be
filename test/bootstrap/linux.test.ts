import { linuxWorkerKubeadmConfigSpec } from "../../bootstrap/linux";
import { today } from "../support/platforms";

describe("bootstrap data of a Linux worker", () => {
  it("includes the user's files and commands, and omits empty lists, which Cluster API rejects", () => {
    const spec = linuxWorkerKubeadmConfigSpec({
      ...today,
      azureJsonSecret: "linux1-azure-json",
      extraFiles: [{ path: "/etc/motd", content: "hello\n" }],
      preKubeadmCommands: ["date +%s"],
      postKubeadmCommands: [],
    });
    expect(spec.files?.map(({ path }) => path)).toEqual(["/etc/kubernetes/azure.json", "/etc/motd"]);
    expect(spec.preKubeadmCommands).toEqual(["date +%s"]);
    expect(spec).not.toHaveProperty("postKubeadmCommands");
  });
});

import { planFrom } from "../../plan/cli/planStack";
import { type Plan } from "../../plan/model/plan";
import type { RegisteredResource } from "pulumi-plan-engine";
import { planOf } from "../support/plans";
import { readExample } from "../support/stacks";

/** Error message of a plan of the example dev with changed resources. */
async function refused(
  edit: (resources: readonly RegisteredResource[], run: "preview" | "update") => RegisteredResource[],
): Promise<string> {
  const { settings, preview, update } = await planOf("dev");
  const edited = (run: "preview" | "update", recording: Plan["update"]) => ({
    ...recording,
    resources: edit(recording.resources, run),
  });
  try {
    planFrom(readExample("dev"), settings, {
      preview: edited("preview", preview),
      update: edited("update", update),
    });
  } catch (error) {
    return (error as Error).message;
  }
  return "taken";
}

describe("a plan is refused", () => {
  it("not for the program itself", async () => {
    expect(await refused((resources) => [...resources])).toBe("taken");
  });

  it.each(["preview", "update"])(
    "if only the %s has a resource, because an apply has created it",
    async (only) => {
      const message = await refused((resources, run) =>
        resources.filter(({ name }) => run === only || name !== "network-node-nsg"),
      );
      expect(message).toBe(
        "These resources are not in both the preview and the update:\n" +
          "  urn:pulumi:dev::capz-windows::capz-windows:index:VirtualNetwork$azure-native:network:NetworkSecurityGroup::network-node-nsg",
      );
    },
  );

  it("if Azure would refuse the user data of a node", async () => {
    const filler = { path: "C:/filler.txt", content: "x".repeat(60_000) };
    const message = await refused((resources) =>
      resources.map((resource) => {
        const { spec } = resource.inputs as { spec?: { files?: object[] } };
        return resource.name === "pool-win1-bootstrap"
          ? { ...resource, inputs: { ...resource.inputs, spec: { ...spec, files: [filler] } } }
          : resource;
      }),
    );
    expect(message.replace(/has 6\d,\d{3} bytes/, "has N bytes")).toBe(
      [
        "User data: 1 problem",
        "",
        "  nodes/win1/user-data.txt",
        "    problem  the user data has N bytes; the largest file is C:/filler.txt with 60,001 bytes",
        "    allowed  up to 60,000 bytes (Azure allows 65,535 before base64; secrets are added later)",
        "    write    a smaller C:/filler.txt, or a command that downloads it",
      ].join("\n"),
    );
  });
});

import { adviceAfterKill } from "../../domain/killedRun";

const urn = "urn:pulumi:dev::capz-windows::azure-native:network:RouteTable::network-routes";

describe("an error that a killed run has left", () => {
  it("of Azure is answered by the import of what is there", () => {
    const id = "/subscriptions/1/resourceGroups/dev/providers/Microsoft.Network/routeTables/dev-node";
    expect(adviceAfterKill(urn, `cannot create already existing resource '${id}'`)).toBe(
      [
        "This exists in Azure and is not in the state. If a run of this stack was killed while it made it, take it over:",
        `  npx pulumi refresh --import-pending-creates '${urn}' --import-pending-creates '${id}'`,
        "Otherwise it belongs to something else, and this stack needs another name for it.",
      ].join("\n"),
    );
  });

  it("of the API server is answered by taking over", () => {
    expect(
      adviceAfterKill(urn, 'resource dev was not successfully created: namespaces "dev" already exists'),
    ).toBe(
      [
        'namespaces "dev" already exists, and is not in the state. If a run of this stack was killed while it made it, take it over:',
        "  PULUMI_K8S_UPSERT_EXISTING_OBJECTS=true npx pulumi up",
        "Otherwise it belongs to something else: another stack, or this one under another name of its management cluster.",
      ].join("\n"),
    );
  });

  it("is not seen in other errors", () => {
    for (const error of [
      'Code="QuotaExceeded" Message="Operation could not be completed"',
      'namespaces "dev" not found',
      'admission webhook "x" denied the request: the pool already exists',
    ]) {
      expect(adviceAfterKill(urn, error)).toBeUndefined();
    }
  });
});

import { stripVTControlCharacters } from "node:util";
import fc from "fast-check";
import { formatComparisons } from "../../../plan/reports/text";
import { anyReports, example, reportOf, unchanged } from "./comparisons";

describe("the report for a terminal", () => {
  it("tells impacts first, then properties", () => {
    expect(formatComparisons([...reportOf(unchanged), ...reportOf(example)])).toMatchInlineSnapshot(`
     "capz-windows, stack dev, against main (1a2b3c4): nothing changes (53 resources)

     capz-windows, stack dev, against main (1a2b3c4): 1 new, 1 changed, 1 replaced, 0 deleted, 50 unchanged

     Impact
       destroys  The VNET network-vnet is deleted and made again
                 why: its location cannot change
                 instead: make a new stack beside it
       rolls     Windows pool win1 rolls: 2 nodes, surge 1
                 why: the image is part of the machines

     Changes
       -/+ network-vnet  azure-native:network:VirtualNetwork
           ~ location: westeurope -> northeurope
           - protect: true
       ~   calico-part-1  kubernetes:core/v1:ConfigMap  (was calico-part-0)
           data["calico.yaml"]
             @@ -1 +1 @@
             -mtu: 1350
             +mtu: 1400
       +   x  kubernetes:core/v1:ConfigMap

     User data
           win1/user-data.txt
             @@ -1 +1 @@
             -a
             +b

     Outputs
           ~ mtu: 1400 -> 1350

     New warnings
       ! controlPlane.replicas: one machine

     Warnings that are gone
       azure.subscriptionId: the example's
     "
    `);
  });

  it("with colors is the same text", () => {
    const reports = reportOf(example);
    const colored = formatComparisons(reports, { color: true });
    expect(colored).toContain("\u001b[");
    expect(stripVTControlCharacters(colored)).toBe(formatComparisons(reports));
  });

  it("never lets a value drive the terminal", () => {
    fc.assert(
      fc.property(anyReports, (reports) => {
        expect(formatComparisons(reports)).not.toMatch(
          /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]/,
        );
      }),
      { numRuns: 50 },
    );
  });
});

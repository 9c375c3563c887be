import { run } from "../../commands/explain/cli";
import { said } from "../support/said";

it("prints a key as a person reads it", async () => {
  expect(await said(() => run(["windowsPools.win1.replicas"]))).toEqual({
    code: 0,
    err: "",
    out: `windowsPools.win1.replicas

Number of nodes; with autoscale, the autoscaler sets it, starting from min

type      whole number
default   2
allowed   a whole number from 0 to 1000
example   config:
            capz-windows:windowsPools:
              win1:
                replicas: 2
page      docs/config.md#linuxpools-and-windowspools
`,
  });
});

it("prints the keys of a mapping, and of the whole file, without the links of documents", async () => {
  const { out } = await said(() => run(["windowsPools.NAME.autoscale"]));
  expect(out).toContain("\nkeys\n  min  Minimum number of nodes\n  max  Maximum number of nodes\npage ");
  const whole = (await said(() => run([]))).out;
  expect(whole).toMatch(
    /^The keys of a stack file, below config: and with the prefix capz-windows:\n\n {2}clusterName {15}Name of /,
  );
  expect(whole).toMatch(/\n {2}wait .*\n(?:.*\n)*\nnpm run explain -- KEY explains one of them\.\n$/);
  expect(whole).not.toContain("](");
});

it("is JSON on request, and refuses what is no key", async () => {
  const { out } = await said(() => run(["windowsPools.a.replicas", "--json"]));
  expect(JSON.parse(out)).toMatchObject({ version: 1, path: "windowsPools.a.replicas", default: 2 });
  expect(await said(() => run(["windowsPools.a.replica"]))).toEqual({
    code: 64,
    out: "",
    err: "There is no key windowsPools.a.replica. Do you mean windowsPools.a.replicas?\nAll options: npm run explain -- --help\n",
  });
});

import { reach } from "capz-windows-doctor/ofStack";
import { factsOf, readRecordedStacks } from "capz-windows-test-kit/recordedStacks";

/** What probe and encryption say of a cluster that they cannot read: "could not ask" is not "is not there". */

readRecordedStacks();
const facts = factsOf("dev");
const projectDir = __dirname;

const run = (command: string) =>
  Promise.resolve({ ok: false, output: "", error: `${command} has no network` });

/** The message about the workload cluster, where the management cluster answers requests so; other answers are empty. */
const saidWhen = (path: string, answer: () => { readonly status: number; readonly message: string }) =>
  reach("workload", { stack: "dev", kubeconfig: "kc" }, facts, {
    ...{ projectDir, run },
    connect: () =>
      Promise.resolve(async (asked) => {
        await Promise.resolve();
        const { status, message } = asked.endsWith(path) ? answer() : { status: 200, message: "" };
        const kind = status === 404 ? { kind: "Status" } : {};
        return { status, body: { ...kind, message }, text: message };
      }),
  }).then(
    () => "nothing",
    (error: unknown) => (error as Error).message,
  );

const secret = "/namespaces/dev/secrets/dev-kubeconfig";

it("a management cluster that does not answer is not one without a kubeconfig", async () => {
  expect(
    await saidWhen("/version", () => {
      throw Object.assign(new Error("connect ECONNREFUSED 127.0.0.1:1"), { code: "ECONNREFUSED" });
    }),
  ).toBe(
    `The API server of the management cluster cannot be reached from here: it is stopped, its name does not resolve, or it does not accept connections from this address.
  proof: connect ECONNREFUSED 127.0.0.1:1
  do:    az aks list --query "[].{name:name, state:powerState.code, ranges:apiServerAccessProfile.authorizedIpRanges}" -o table
         capz-windows:management: {authorizedCidrs: [YOUR-ADDRESS/32]}   # your address: curl -4 https://ifconfig.me
         az aks start --resource-group GROUP --name NAME   # when it is stopped`,
  );
});

it("a login that has ended", async () => {
  expect(await saidWhen("/version", () => ({ status: 401, message: "Unauthorized" }))).toBe(
    `The credentials of the kubeconfig have expired or were rotated.
  proof: Unauthorized
  do:    npx pulumi refresh --stack dev   # reads the credentials again
         az login && kubelogin convert-kubeconfig -l azurecli   # with management.entra`,
  );
});

it("a Secret that may not be read", async () => {
  expect(
    await saidWhen(secret, () => ({ status: 403, message: 'secrets "dev-kubeconfig" is forbidden' })),
  ).toBe(
    `These credentials may not list Secret dev/dev-kubeconfig. What follows may be incomplete.
  proof: secrets "dev-kubeconfig" is forbidden
  do:    kubectl auth can-i list machines.cluster.x-k8s.io -n dev
         az role assignment create --role "Azure Kubernetes Service RBAC Reader" --assignee YOU --scope CLUSTER-ID`,
  );
});

it("an API server with an error", async () => {
  expect(await saidWhen(secret, () => ({ status: 500, message: "etcdserver: request timed out" }))).toBe(
    `The management cluster could not be read.
  proof: HTTP 500: etcdserver: request timed out
  do:    npm run doctor -- dev`,
  );
});

it("only an answer that it does not exist says so", async () => {
  expect(await saidWhen(secret, () => ({ status: 404, message: "not found" }))).toBe(
    "The management cluster has no kubeconfig of dev. Run `npm run doctor -- dev --kubeconfig kc`.",
  );
});

it("no kubeconfig of the management cluster, because neither program could be asked", async () => {
  await expect(reach("management", { stack: "dev" }, facts, { projectDir, run })).rejects.toThrow(
    `The kubeconfig of the management cluster could not be read: neither the Pulumi CLI nor the Azure CLI answered. Whether the cluster exists is not known.
  proof: pulumi stack output managementKubeconfig: pulumi has no network; az aks get-credentials --resource-group: az has no network
  do:    pulumi login && pulumi stack select dev
         az login
         npm run doctor -- dev --kubeconfig FILE   # with a kubeconfig of your own`,
  );
});

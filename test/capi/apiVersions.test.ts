import { apiVersions, reference } from "../../capi/apiVersions";

it("objects use the storage versions of Cluster API, so that no two versions mix", () => {
  // Source: the versions with storage: true in the CRDs of CAPI v1.14.2, CAPZ v1.27.0 and the operator 0.29.0.
  expect(apiVersions).toEqual({
    cluster: "cluster.x-k8s.io/v1beta2",
    controlPlane: "controlplane.cluster.x-k8s.io/v1beta2",
    bootstrap: "bootstrap.cluster.x-k8s.io/v1beta2",
    addons: "addons.cluster.x-k8s.io/v1beta2",
    azure: "infrastructure.cluster.x-k8s.io/v1beta1",
    operator: "operator.cluster.x-k8s.io/v1alpha2",
  });
});

it("a reference contains the group without a version", () => {
  expect(reference("cluster.x-k8s.io/v1beta2", "MachinePool", "win1")).toEqual({
    apiGroup: "cluster.x-k8s.io",
    kind: "MachinePool",
    name: "win1",
  });
});

import { clusterRoleDetails, peopleWith } from "../../../plan/model/cluster/clusterRoles";
import { loginRightsObjects } from "../../../addons/loginRights";
import { bindClusterRole, bindSubjects } from "../../../addons/rbac";
import { planOf } from "../../support/plans";

const own = loginRightsObjects({
  administrators: { groups: ["entra:a"], users: ["entra:ada"] },
  readers: { groups: [], users: [] },
});

it("people have a ClusterRole by any binding to it, each once; service accounts are no people", () => {
  const objects = [
    ...own,
    bindClusterRole("addon", "account", "cluster-admin"),
    bindSubjects("mine", "cluster-admin", [
      { kind: "Group", name: "entra:a" },
      { kind: "User", name: "entra:bob" },
    ]),
  ];
  expect(peopleWith("cluster-admin", objects)).toEqual(["group entra:a", "user entra:ada", "user entra:bob"]);
  expect(peopleWith("view", objects)).toEqual([]);
});

it("a role of another name with every right makes administrators, too, and is named", () => {
  const rules = [{ apiGroups: ["*"], resources: ["*"], verbs: ["*"] }];
  const powers = {
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "ClusterRole",
    metadata: { name: "ops" },
    rules,
  };
  const objects = [powers, bindSubjects("mine", "ops", [{ kind: "Group", name: "strangers" }])];
  expect(peopleWith("cluster-admin", objects)).toEqual(["group strangers (ClusterRole ops: every right)"]);
  expect(peopleWith("view", objects)).toEqual([]);
});

it("the plan says under the control plane who is administrator, and who reads", async () => {
  const { cluster } = await planOf("everything");
  expect(cluster.controlPlane?.details).toContain(
    "administrators: group entra:00000000-0000-0000-0000-000000000002; readers: group company:developers, user company:ada@example.com",
  );
});

it("the plan says nothing of a stack that binds no one", () => {
  expect(clusterRoleDetails([])).toEqual([]);
});

import {
  clientLabel,
  clientsNamespace,
  guardName,
  guardPolicyName,
} from "capz-windows-platform/cluster/clients";

/** Kubernetes objects that keep a management cluster while it has clients. */

/** Namespaces whose deletion would end the controllers or the objects that count the clients. */
const keptNamespaces = [
  clientsNamespace,
  ...["capi-system", "capi-kubeadm-bootstrap-system", "capi-kubeadm-control-plane-system", "capz-system"],
  ...["cert-manager", "capi-operator-system"],
];

const quoted = (names: readonly string[]): string => `[${names.map((name) => `'${name}'`).join(", ")}]`;

/** CRDs whose deletion would delete the objects of clusters. */
const keptCrds = ["cluster.x-k8s.io", "azure.com"];

const isKeptCrd = keptCrds.map((group) => `oldObject.spec.group.endsWith('${group}')`).join(" || ");

export const guardObject = {
  metadata: { name: guardName, namespace: clientsNamespace },
  data: {
    text: "The ValidatingAdmissionPolicy capz-windows-clients keeps this as long as there are clients.",
  },
};

/**
 * Denies what would end Cluster API under its clients. The ConfigMap of each client is a parameter, so the policy is
 * evaluated once for each of them, and not at all without any (parameterNotFoundAction). v1 since Kubernetes 1.30
 * (kubernetes.io/docs/reference/access-authn-authz/validating-admission-policy).
 */
export const policyObject = {
  metadata: { name: guardPolicyName },
  spec: {
    failurePolicy: "Fail",
    paramKind: { apiVersion: "v1", kind: "ConfigMap" },
    matchConstraints: {
      resourceRules: [
        {
          apiGroups: [""],
          apiVersions: ["v1"],
          resources: ["configmaps", "namespaces"],
          operations: ["DELETE"],
        },
        {
          ...{ apiGroups: ["apiextensions.k8s.io"], apiVersions: ["v1"] },
          ...{ resources: ["customresourcedefinitions"], operations: ["DELETE"] },
        },
        {
          ...{ apiGroups: ["operator.cluster.x-k8s.io"], apiVersions: ["*"] },
          ...{ resources: ["*"], operations: ["DELETE"] },
        },
      ],
    },
    matchConditions: [
      {
        name: "ends-cluster-api",
        expression: [
          `request.resource.resource == 'configmaps' ? (oldObject.metadata.namespace == '${clientsNamespace}' && oldObject.metadata.name == '${guardName}')`,
          `request.resource.resource == 'namespaces' ? (oldObject.metadata.name in ${quoted(keptNamespaces)})`,
          `request.resource.resource == 'customresourcedefinitions' ? (${isKeptCrd})`,
          "true",
        ].join(" : "),
      },
    ],
    validations: [
      {
        expression: "false",
        messageExpression:
          "'the cluster ' + params.data.cluster + ' of the stack ' + params.data.stack + ' lives on this management cluster: destroy that stack first'",
      },
    ],
  },
};

export const bindingObject = {
  metadata: { name: guardPolicyName },
  spec: {
    policyName: guardPolicyName,
    validationActions: ["Deny"],
    paramRef: {
      namespace: clientsNamespace,
      selector: { matchLabels: { [clientLabel]: "true" } },
      parameterNotFoundAction: "Allow",
    },
  },
};

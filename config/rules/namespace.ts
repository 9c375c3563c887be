import { present } from "capz-windows-kit/present";
import { providerNamespaces } from "capz-windows-platform/cluster/providerNamespaces";
import type { Problem } from "capz-windows-kit/problem";
import type { Settings } from "../settings";

/**
 * Namespaces of Kubernetes, which refuses to delete the first ones (kubernetes v1.36
 * plugin/pkg/admission/namespace/lifecycle), and of what the program installs. A stack that deletes its namespace would
 * take the controllers of every cluster along.
 */
const taken: readonly string[] = [
  ...["default", "kube-system", "kube-public", "kube-node-lease"],
  ...providerNamespaces,
];

/** A namespace that the stack creates and deletes must be its own. */
export const namespaceRules = ({ namespace, createNamespace }: Settings): Problem[] =>
  present(
    createNamespace &&
      taken.includes(namespace) && {
        path: "namespace",
        value: namespace,
        uses: ["namespace", "clusterName", "createNamespace"],
        problem:
          "the stack would create and delete this namespace, which belongs to Kubernetes or to Cluster API",
        allowed: `any other namespace than ${taken.join(", ")}`,
      },
  );

/** Commands that several rules name as remedy. What is in braces is filled in from the match. */

/** Begins a command for the workload cluster; the access command writes the kubeconfig. */
export const workloadKubectl = "kubectl --kubeconfig workload.kubeconfig";

export const describePod = `${workloadKubectl} describe pod {name} -n {podNamespace}`;

export const describeObject = "kubectl describe {kind} {name} -n {namespace}";

export const cloudControllerLogs = `${workloadKubectl} logs -n kube-system -l component=cloud-controller-manager --tail=30`;

/** Selects the Pods of the cloud node managers of Linux and Windows nodes. */
const cloudNodeManagers = "-l 'k8s-app in (cloud-node-manager, cloud-node-manager-windows)'";

export const cloudNodeManagerLogs = `${workloadKubectl} logs -n kube-system ${cloudNodeManagers} --prefix --tail=30`;

/** For Windows nodes whose HNS network is gone. `calicoPod` is the Pod of Calico on the node. */
export const calicoAgain = `${workloadKubectl} delete pod {calicoPod} -n calico-system   # makes the HNS network of the node again`;

/** For Pods whose containers do not start, although their definition is right. */
export const recreatePod = `${workloadKubectl} delete pod {name} -n {podNamespace}   # its Deployment makes another one`;

/** For nodes on which restarting a service does not help. */
export const cordonAndReplace = `${workloadKubectl} cordon {node}   # then kubectl delete machine {machine} -n {namespace}: replaces the node`;

export const replaceNode =
  "kubectl delete machine {machine} -n {namespace}   # when it stays: replaces the node";

export const replaceMachinesOfPool =
  "kubectl delete machine {machineName} -n {namespace}   # machines of a pool, one after the other: a new one has the new value";

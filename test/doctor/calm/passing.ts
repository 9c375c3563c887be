import { type Calm, iis } from "./calmState";
import { realEvent, realPod, terminated } from "./objects";

/** Faults that are over, and states that end by themselves. */

export const passing: readonly Calm[] = [
  {
    name: "Jobs have ended, one after a first try that failed",
    make: (p) => {
      realPod(p, {
        ...{
          namespace: "shop",
          name: "report-291-aaaaa",
          node: "linux1",
          owner: ["Job", "report-291"],
          age: 700,
          phase: "Succeeded",
        },
        state: terminated(p, 0, "Completed", 690),
      });
      realPod(p, {
        ...{
          namespace: "shop",
          name: "import-17-aaaaa",
          node: "win1",
          owner: ["Job", "import-17"],
          age: 400,
          phase: "Failed",
        },
        state: terminated(
          p,
          -532462766,
          "Error",
          395,
          "Unhandled exception. System.Net.Sockets.SocketException (11001): No such host is known.",
        ),
      });
      realPod(p, {
        ...{
          namespace: "shop",
          name: "import-17-bbbbb",
          node: "win1",
          owner: ["Job", "import-17"],
          age: 390,
          phase: "Succeeded",
        },
        state: terminated(p, 0, "Completed", 380),
      });
      realPod(p, {
        ...{
          namespace: "shop",
          name: "resize-3-aaaaa",
          node: "linux1",
          owner: ["Job", "resize-3"],
          age: 400,
          phase: "Failed",
        },
        state: terminated(p, 137, "OOMKilled", 395),
      });
      realPod(p, {
        namespace: "shop",
        name: "resize-3-bbbbb",
        node: "linux1",
        owner: ["Job", "resize-3"],
        age: 5,
      });
    },
  },
  {
    name: "containers that have ended in the past, and run since",
    make: (p) => {
      const ends = [
        [137, "OOMKilled", undefined],
        [-532462766, "Error", "Unhandled exception. System.OutOfMemoryException"],
        [-1073741819, "Error", undefined],
        [1, "Error", "getaddrinfo ENOTFOUND db"],
      ] as const;
      for (const [index, [code, reason, message]] of ends.entries()) {
        realPod(p, {
          ...{ namespace: "shop", name: `past-${index}-aaaaa`, node: "win1", age: 9000, restarts: 7 },
          lastState: terminated(p, code, reason, 4000, message),
        });
      }
      realPod(p, {
        ...{
          namespace: "kube-system",
          name: "coredns-5d78c9869d-past",
          node: "linux1",
          age: 9000,
          restarts: 3,
        },
        lastState: terminated(
          p,
          1,
          "Error",
          8000,
          "[FATAL] plugin/loop: Loop (127.0.0.1:1 -> :53) detected for zone",
        ),
      });
    },
  },
  {
    name: "a Pod was evicted two days ago, and its node is well since",
    make: (p) => {
      const pod = realPod(p, {
        ...{ namespace: "shop", name: "web-6f-old", node: "win1", age: 5000, phase: "Failed" },
        status: {
          ...{ phase: "Failed", reason: "Evicted" },
          message:
            "The node was low on resource: ephemeral-storage. Threshold quantity: 13Gi, available: 9Gi.",
        },
      });
      p.condition(pod, "DisruptionTarget", { status: "True", reason: "TerminationByKubelet", ago: 2900 });
    },
  },
  {
    name: "a slow start: probes fail until the program answers",
    make: (p) => {
      const pod = realPod(p, { namespace: "shop", name: "web-7d-slow", node: "win1", age: 12, image: iis });
      realEvent(
        p,
        pod,
        "Unhealthy",
        'Startup probe failed: Get "http://192.168.103.7:80/": context deadline exceeded (Client.Timeout exceeded while awaiting headers)',
        { count: 9, ago: 8 },
      );
      realEvent(
        p,
        pod,
        "Unhealthy",
        "Readiness probe errored and resulted in unknown state: rpc error: code = NotFound desc = failed to exec in container: failed to load task: no running task found: task 9d not found",
        { count: 1, ago: 9 },
      );
    },
  },
  {
    name: "metrics-server rolls, and an autoscaler of Pods has no metrics for a minute",
    make: (p) => {
      const service = p.all("APIService", "workload")[0]!;
      p.condition(service, "Available", {
        reason: "MissingEndpoints",
        message:
          'endpoints for service/metrics-server in "kube-system" have no addresses with port name "https"',
        ago: 2,
      });
      const scaler = p.add("workload", {
        kind: "HorizontalPodAutoscaler",
        apiVersion: "autoscaling/v2",
        metadata: { name: "web", namespace: "shop" },
      });
      realEvent(
        p,
        scaler,
        "FailedGetResourceMetric",
        "failed to get cpu utilization: unable to get metrics for resource cpu: unable to fetch metrics from resource metrics API: the server is currently unable to handle the request (get pods.metrics.k8s.io)",
        { count: 4, by: "horizontal-pod-autoscaler" },
      );
    },
  },
  {
    name: "a Service asks for its first address, a namespace is being deleted",
    make: (p) => {
      p.add("workload", {
        kind: "Service",
        metadata: { name: "new", namespace: "shop", creationTimestamp: p.ago(1) },
        spec: { type: "LoadBalancer" },
        status: { loadBalancer: {} },
      });
      const namespace = p.add("workload", {
        kind: "Namespace",
        metadata: { name: "preview-12", deletionTimestamp: p.ago(2) },
        status: { phase: "Terminating" },
      });
      p.condition(namespace, "NamespaceFinalizersRemaining", {
        status: "True",
        reason: "SomeFinalizersRemain",
        message:
          "Some content in the namespace has finalizers remaining: kubernetes.io/pvc-protection in 1 resource instances",
        ago: 2,
      });
    },
  },
  {
    name: "a Service has its address after a request that Azure throttled",
    make: (p) => {
      const service = p.add("workload", {
        kind: "Service",
        metadata: { name: "api", namespace: "shop", creationTimestamp: p.ago(5) },
        spec: { type: "LoadBalancer" },
        status: { loadBalancer: { ingress: [{ ip: "203.0.113.7" }] } },
      });
      realEvent(
        p,
        service,
        "SyncLoadBalancerFailed",
        "Error syncing load balancer: failed to ensure load balancer: RESPONSE 429: 429 Too Many Requests\nERROR CODE: AnotherOperationInProgress",
        { count: 1, ago: 4, by: "service-controller" },
      );
    },
  },
  {
    // Kubernetes v1.36.3 pkg/controller/volume/expand/expand_controller.go: of type Normal.
    name: "a claim of a CSI driver grows",
    make: (p) => {
      const claim = p.add("workload", {
        kind: "PersistentVolumeClaim",
        metadata: { name: "data-db-0", namespace: "shop", creationTimestamp: p.ago(900) },
        status: { phase: "Bound" },
      });
      const text = "waiting for an external controller to expand this PVC";
      realEvent(p, claim, "ExternalExpanding", text, { ago: 4, by: "volume_expand", type: "Normal" });
    },
  },
  {
    name: "a policy engine restarts, and two Pods were refused",
    make: (p) => {
      realPod(p, { namespace: "shop", name: "web-6f7d9c-later", node: "linux1", age: 18 });
      const owner = p.add("workload", {
        kind: "ReplicaSet",
        apiVersion: "apps/v1",
        metadata: { name: "web-6f7d9c", namespace: "shop" },
      });
      realEvent(
        p,
        owner,
        "FailedCreate",
        'Error creating: Internal error occurred: failed calling webhook "validate.kyverno.svc-fail": failed to call webhook: Post "https://kyverno-svc.kyverno.svc:443/validate/fail?timeout=10s": no endpoints available for service "kyverno-svc"',
        { count: 2, ago: 20, by: "replicaset-controller" },
      );
    },
  },
];

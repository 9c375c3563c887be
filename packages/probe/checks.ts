import { contains, parseCidr } from "capz-windows-platform/network/addressing";
import { numberAt, text } from "capz-windows-kit/untyped";
import { apiService, expectedMtu, outsideName } from "./expected";
import { httpPort, namespace, serverText } from "./objects";
import type { ProbePlace, PodOutcome, ProbeNode, ProbeRow, StepResult, ProbeWorld } from "./model";
import { adaptersOf, clockDifference, largestPacket } from "./results";
import { nextNode } from "./nodes";

/** The checks that pods make: which step of the scripts, with which arguments, and how its result is judged. */

/** A measured value beside the planned one. */
interface Judged {
  readonly where?: string;
  readonly expected: string;
  readonly measured: string;
  /** "unknown": the value could not be measured, and `measured` says why. */
  readonly ok: boolean | "unknown";
}

interface Ask {
  readonly argument: string;
  readonly where: string;
}

export interface Check {
  readonly id: string;
  /** What the report calls it. */
  readonly title: string;
  readonly places: readonly ProbePlace[];
  /** The name of a step in both scripts. */
  readonly step: string;
  /** The calls of the step on a node. */
  readonly asks: (from: ProbeNode, world: ProbeWorld, place: ProbePlace) => readonly Ask[];
  readonly judge: (
    result: StepResult,
    place: ProbePlace,
    from: ProbeNode,
    world: ProbeWorld,
  ) => readonly Judged[];
  readonly remedy: string;
}

const isIn = (cidr: string, address: string): boolean => {
  const [network, one] = [parseCidr(cidr), parseCidr(`${address}/32`)];
  return network !== undefined && one !== undefined && contains(network, one);
};

/** Packets of pods on a node to the next pod that answers, on each system. Of two Linux nodes the plan says nothing. */
function pairs(
  from: ProbeNode,
  { nodes, servers }: ProbeWorld,
  onlyToWindows = false,
): (Ask & { ip: string })[] {
  const answering = nodes.filter(({ name }) => servers.has(name));
  const systems =
    from.os === "linux" || onlyToWindows ? (["windows"] as const) : (["windows", "linux"] as const);
  return systems.flatMap((os) => {
    const to = nextNode(answering, from, os);
    const ip = to === undefined ? undefined : servers.get(to.name);
    return to === undefined || ip === undefined
      ? []
      : [{ argument: ip, ip, where: `${from.os} ${from.name} → ${to.os} ${to.name}` }];
  });
}

/** On Windows windows-mtu gives a new pod its MTU within ten seconds (docs/mtu.md). */
const settleSeconds = 15;

const adapters: Check = {
  id: "mtu",
  title: "MTU of adapters",
  places: ["host", "pod"],
  step: "adapters",
  asks: ({ name, os }, _world, place) => [
    { argument: os === "windows" && place === "pod" ? String(settleSeconds) : "", where: name },
  ],
  judge: (result, place, from, { facts }) => {
    const all = adaptersOf(result);
    const rows = all.flatMap(({ name, mtu, addresses }): Judged[] => {
      const overlay =
        addresses.some((address) => isIn(facts.network.podCidr, address)) || /^cali[0-9a-f]+$/.test(name);
      const out = addresses.includes(from.ip);
      if (name === "lo" || (place === "host" && !out && !overlay)) {
        return [];
      }
      const { bytes, orLess } = expectedMtu(facts, from.os, place === "host" && out ? "host" : "pod");
      return [
        {
          where: `${from.os} ${place} ${from.name}, ${name}`,
          expected: orLess ? `at most ${bytes}` : String(bytes),
          measured: String(mtu),
          ok: orLess ? mtu <= bytes : mtu === bytes,
        },
      ];
    });
    const hasOwn =
      place === "pod" ? rows.length > 0 : all.some(({ addresses }) => addresses.includes(from.ip));
    if (hasOwn) {
      return rows;
    }
    const where = `${from.os} ${place} ${from.name}`;
    return [
      ...rows,
      { where, expected: "", measured: `the pod read no adapter of the ${place}`, ok: "unknown" },
    ];
  },
  remedy: "Large packets are lost or fragmented. Read which part sets this MTU in docs/mtu.md.",
};

const packets: Check = {
  id: "packets",
  title: "largest packet that is not fragmented",
  places: ["pod"],
  step: "packets",
  asks: (from, world) => pairs(from, world),
  judge: (result, _place, from, { facts, nodes, servers }) => {
    const to = nodes.find(({ name }) => servers.get(name) === result.argument);
    const ends = [from, ...(to === undefined ? [] : [to])].map(({ os }) => expectedMtu(facts, os, "pod"));
    const bytes = Math.min(...ends.map((end) => end.bytes));
    const orLess = ends.some((end) => end.orLess);
    const expected = orLess ? `at most ${bytes}` : String(bytes);
    const found = largestPacket(result);
    if ("why" in found) {
      // Whether the pods reach each other at all is what `transfer` measures.
      return [{ expected, measured: found.why, ok: found.unanswered ? "unknown" : false }];
    }
    // Whoever sends too much must be told so: a packet that is lost without an answer is sent again and again.
    const lost = found.above === "TimedOut";
    return [
      {
        expected,
        measured: lost ? `${found.bytes}, larger ones are lost without an answer` : String(found.bytes),
        ok: !lost && (orLess ? found.bytes <= bytes : found.bytes === bytes),
      },
    ];
  },
  remedy:
    "Compare with the rows of mtu: a path carries no more than the smallest adapter on it, docs/mtu.md.",
};

const megabyte = String(2 ** 20);

const transfer: Check = {
  id: "transfer",
  title: "a megabyte by TCP each way",
  places: ["pod"],
  step: "transfer",
  asks: (from, world) =>
    pairs(from, world, true).map(({ ip, where }) => ({ argument: `http://${ip}:${httpPort}`, where })),
  judge: (result) => {
    const { sent, received } = result;
    const ok = sent === megabyte && received === megabyte;
    return [
      {
        expected: `${megabyte} bytes each way`,
        measured: ok
          ? `${megabyte} bytes each way in ${((numberAt(result, "ms") ?? NaN) / 1000).toFixed(1)} s`
          : `sent: ${text(sent)}; received: ${text(received)}`,
        ok,
      },
    ];
  },
  remedy:
    "If packets of 576 bytes pass and this does not, the MTU is wrong: compare the rows of mtu and packets.",
};

const names: Check = {
  id: "dns",
  title: "names inside and outside the cluster",
  places: ["pod"],
  step: "names",
  asks: ({ name }, { facts }) =>
    ["kubernetes.default.svc.cluster.local", outsideName(facts)].map((argument) => ({
      argument,
      where: `pod on ${name}, ${argument}`,
    })),
  judge: ({ argument, addresses }, _place, _from, { facts }) => {
    const inside = argument.endsWith(".cluster.local");
    const found = text(addresses);
    return [
      {
        expected: inside ? apiService(facts) : "an address",
        measured: found === "" ? "no address" : found,
        ok: inside ? found === apiService(facts) : found !== "",
      },
    ];
  },
  remedy:
    "Run `npm run doctor -- NAME`: it knows why CoreDNS does not answer. A name outside is asked at the DNS servers of the VNET.",
};

const guarded = ["168.63.129.16:80", "168.63.129.16:32526", "169.254.169.254:80"];

const refused: Check = {
  id: "metadata",
  title: "pods do not reach the wireserver and the instance metadata",
  places: ["pod"],
  step: "refused",
  asks: ({ name }) => guarded.map((argument) => ({ argument, where: `pod on ${name}, ${argument}` })),
  judge: ({ open }, _place, _from, { facts }) => {
    const { blocked, allowedNamespaces } = facts.addons.azureMetadata;
    if (!blocked || allowedNamespaces.includes(namespace)) {
      return [
        { expected: "", measured: "addons.azureMetadata does not deny them to these pods", ok: "unknown" },
      ];
    }
    if (typeof open !== "boolean") {
      return [{ expected: "refused", measured: "no result", ok: false }];
    }
    return [{ expected: "refused", measured: open ? "open" : "refused", ok: !open }];
  },
  remedy:
    "Pods can use the identities of their machine. Look whether Calico has the policy: kubectl get globalnetworkpolicies.crd.projectcalico.org capz-windows.azure-metadata -o yaml",
};

const service: Check = {
  id: "service",
  title: "Service and NodePort",
  places: ["pod"],
  step: "service",
  asks: (from, { service: found, nodes }) => {
    if (found === undefined) {
      return [];
    }
    const doors = (["linux", "windows"] as const).flatMap((os) => nextNode(nodes, from, os) ?? []);
    return [
      { argument: `http://${found.clusterIp}:80/`, where: `pod on ${from.name} → Service` },
      ...doors.map(({ os, name, ip }) => ({
        argument: `http://${ip}:${found.nodePort}/`,
        where: `pod on ${from.name} → NodePort of ${os} ${name}`,
      })),
    ];
  },
  judge: ({ answer }) => [
    {
      expected: "an answer",
      measured: text(answer) === serverText ? "an answer" : text(answer) || "no answer",
      ok: text(answer) === serverText,
    },
  ],
  remedy: "Look at kube-proxy and HNS of both nodes: kubectl -n kube-system get pods -o wide.",
};

/** Seconds. Tokens, certificates and logs of machines whose clocks differ more are hard to compare. */
const clockLimit = 2;

const clock: Check = {
  id: "clock",
  title: "clock, compared with that of the API server",
  places: ["pod"],
  step: "clock",
  asks: ({ name }, { facts }) => [{ argument: `https://${apiService(facts)}:443/livez`, where: name }],
  judge: (result) => {
    const difference = clockDifference(result);
    return [
      {
        expected: `at most ${clockLimit} s`,
        measured:
          difference === undefined ? "the API server did not answer" : `${(difference / 1000).toFixed(1)} s`,
        ok: difference === undefined ? "unknown" : Math.abs(difference) <= clockLimit * 1000,
      },
    ];
  },
  remedy:
    "Linux: chronyc sources. Windows: w32tm /query /status. Azure gives every machine the time of its host.",
};

export const checks: readonly Check[] = [adapters, packets, transfer, names, refused, service, clock];

/** The steps of a pod, as the scripts take them. */
export const stepsOf = (place: ProbePlace, from: ProbeNode, world: ProbeWorld): string =>
  checks
    .filter(({ places }) => places.includes(place))
    .flatMap(({ step, asks }) => asks(from, world, place).map(({ argument }) => `${step} ${argument}`.trim()))
    .join(";");

function verdictOf(ok: Judged["ok"]): ProbeRow["verdict"] {
  if (ok === "unknown") {
    return "not measured";
  }
  return ok ? "as planned" : "finding";
}

/** The rows of what a pod has measured, and of what it should have measured. */
export const podRows = (
  place: ProbePlace,
  from: ProbeNode,
  world: ProbeWorld,
  outcome: PodOutcome,
): ProbeRow[] =>
  checks
    .filter(({ places }) => places.includes(place))
    .flatMap(({ id, step, asks, judge, remedy }) =>
      asks(from, world, place).flatMap(({ argument, where }): ProbeRow[] => {
        const result = outcome.results.find((each) => each.step === step && each.argument === argument);
        const why = result === undefined ? outcome.problem || "the pod wrote no result" : text(result.error);
        if (result === undefined || why !== "") {
          return [{ check: id, where, expected: "", measured: why, verdict: "not measured" }];
        }
        return judge(result, place, from, world).map(({ ok, ...judged }) => ({
          ...{ check: id, where, ...judged, verdict: verdictOf(ok) },
          ...(ok === false ? { remedy } : {}),
        }));
      }),
    );

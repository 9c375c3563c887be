import type { Problem } from "capz-windows-kit/problem";
import { ownValue } from "capz-windows-kit/untyped";
import { goDuration, goSeconds, goWhole, hostsIn, isAddress } from "./goValues";
import { isCipherSuite } from "./tls";

/** Source: etcd v3.6.8 and v3.7.0 server/embed/config.go, server/features/etcd_features.go; Kubernetes v1.36.3 cmd/kubeadm/app/phases/etcd/local.go. */

interface Flag {
  readonly name: string;
  readonly value: string;
}

/** Flags of etcd that set a feature gate, which may then not be in feature-gates too. */
const gatesOfFlags: Readonly<Record<string, string>> = {
  "experimental-compact-hash-check-enabled": "CompactHashCheck",
  "experimental-enable-lease-checkpoint": "LeaseCheckpoint",
  "experimental-enable-lease-checkpoint-persist": "LeaseCheckpointPersist",
  "experimental-initial-corrupt-check": "InitialCorruptCheck",
  "experimental-stop-grpc-service-on-defrag": "StopGRPCServiceOnDefrag",
  "experimental-txn-mode-write-with-shared-buffer": "TxnModeWriteWithSharedBuffer",
};

/** What kubeadm gives etcd 3.6, unless extraArgs have the same flags. */
const ofKubeadm: readonly Flag[] = [
  { name: "feature-gates", value: "InitialCorruptCheck=true" },
  { name: "watch-progress-notify-interval", value: "5s" },
];

type Fault = Pick<Problem, "problem" | "allowed"> | undefined;

export const compactionModeFault = (value: string): Fault =>
  value === "" ? { problem: "there is no such choice", allowed: "periodic, revision" } : undefined;

/** Source: etcd v3.6.8 server/embed/etcd.go, parseCompactionRetention. */
export const retentionFault = (value: string): Fault =>
  /^(?:\+?\d+)?$/.test(value) || goDuration.test(value)
    ? undefined
    : { problem: "it is no number and no duration", allowed: "a number, or a duration such as 5m" };

/** Source: etcd client/pkg/tlsutil/cipher_suites.go. Nothing is a suite without a name to it. */
export function suitesFault(value: string): Fault {
  const unknown = value.split(",").filter((name) => !isCipherSuite(name));
  return unknown.length === 0
    ? undefined
    : {
        problem: `there is no cipher suite ${unknown.join(", ") || '""'}`,
        allowed: "cipher suites of Go's crypto/tls",
      };
}

/** Source: checkBindURLs. */
export const bindFault = (value: string): Fault =>
  value === "" ||
  hostsIn(value)?.every((host) => host === undefined || host === "localhost" || isAddress(host))
    ? undefined
    : { problem: "etcd listens at addresses alone", allowed: "URLs with an IP address or localhost" };

export const positiveFault = (value: string): Fault =>
  (goSeconds(value) ?? 0) > 0 ? undefined : { problem: "the duration is too short", allowed: "more than 0s" };

/** Versions of TLS that leave none, and suites beside TLS 1.3, of which Go chooses them itself. */
function tlsFault(name: string, all: readonly Flag[]): Fault {
  const given = (flag: string): string => all.findLast((one) => one.name === flag)?.value ?? "";
  if (name !== "tls-min-version" || given(name) !== "TLS1.3") {
    return undefined;
  }
  if (given("tls-max-version") === "TLS1.2") {
    return { problem: "tls-max-version is below it", allowed: "at most tls-max-version" };
  }
  return all.some((one) => one.name === "cipher-suites")
    ? { problem: "TLS 1.3 takes no cipher-suites", allowed: "TLS1.3 without cipher-suites" }
    : undefined;
}

/** Milliseconds; etcd's own where a flag is not given. */
const electionDefaults: Readonly<Record<string, string>> = {
  "heartbeat-interval": "100",
  "election-timeout": "1000",
};

/** An election takes five heartbeats or more, and 50 seconds at most. */
function electionFault(name: string, all: readonly Flag[]): Fault {
  if (ownValue(electionDefaults, name) === undefined) {
    return undefined;
  }
  const [heartbeat, election] = Object.entries(electionDefaults).map(([flag, byDefault]) =>
    goWhole(all.findLast((one) => one.name === flag)?.value ?? byDefault),
  );
  // What is no number is another fault.
  if (heartbeat === undefined || election === undefined) {
    return undefined;
  }
  if (heartbeat > 0n && election >= 5n * heartbeat && election <= 50_000n) {
    return undefined;
  }
  return {
    problem: `heartbeat-interval is ${heartbeat} ms, and election-timeout ${election} ms`,
    allowed: "a heartbeat-interval above 0, and an election-timeout of five times as much, at most 50000",
  };
}

/** Two flags that do not go together, or an experimental flag beside the feature gate or the flag that replaces it: etcd does not start with both. */
export function etcdFault(name: string, all: readonly Flag[]): Fault {
  const pair = electionFault(name, all) ?? tlsFault(name, all);
  if (pair !== undefined) {
    return pair;
  }
  const own = ofKubeadm.filter((one) => !all.some((its) => its.name === one.name));
  const gate = ownValue(gatesOfFlags, name);
  const flag = gate === undefined ? name.replace(/^experimental-/, "") : "feature-gates";
  const other = [...own, ...all].findLast((one) => one.name === flag);
  if (other === undefined || flag === name || !other.value.includes(gate ?? "")) {
    return undefined;
  }
  const which = `${flag}${own.includes(other) ? ", which kubeadm sets," : ""}`;
  return gate === undefined
    ? { problem: `${which} replaces it`, allowed: `${flag} alone` }
    : { problem: `${which} has ${gate} too`, allowed: `${gate} in feature-gates alone` };
}

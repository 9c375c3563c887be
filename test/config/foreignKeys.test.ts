import { allGuards } from "../../capi/overrides/guards";
import { exampleOf } from "../../config/advice/examples";
import { foreignKeyAt, foreignKeys, keysHere, placesAt } from "../../config/foreignKeys/lookup";
import type { ForeignKey } from "../../config/foreignKeys/foreignKey";
import { keysOf, nodeAt } from "../../config/jsonSchema";
import { optionPaths } from "../../config/schemaDocs";
import { unknownKeyProblem } from "../../config/unknownKeys";
import { faults, foundIn, problemsOfText, stackText } from "../support/advice";
import { isThorough } from "../support/sample";
import { inVnet, keysAt, type Raw, withPools } from "./foreignUses";
import {
  agentPoolFields,
  apimodelFields,
  azureClusterFields,
  machinePoolFields,
  managedClusterFields,
  places,
  templateVariables,
  withinOthers,
} from "./foreignVocabulary";
import { plainName } from "../../config/words";

/** Keys of other tools: each has an answer, and following it makes the stack file valid. */

function configWith(path: readonly (string | number)[], key: string, value: unknown): Raw {
  const config = path.join(".") === "network.existing" ? { ...withPools(), network: inVnet } : withPools();
  const parent = path.reduce<unknown>((map, step) => ((map as Raw)[step] ??= {}), config) as Raw;
  parent[key] = value;
  return config;
}

/** Every foreign key in every mapping in which it may be. */
const uses = foreignKeys().flatMap((key) =>
  (key.in ?? ["cluster", "windowsPools"]).flatMap((place) =>
    (place === "pool" ? ["linuxPools", "windowsPools"] : [place]).flatMap((one) =>
      key.names
        // Keys that this mapping itself has are left out.
        .filter((name) => key.in !== undefined || !keysAt(one).includes(name))
        .map((name) => ({ key, place: one, name })),
    ),
  ),
);

/** One name of each key and mapping is enough for its answer, which is the same for the others. */
const firstUses = uses.filter(
  ({ key, place }, index) =>
    !(place in withinOthers) && uses.findIndex((use) => use.key === key && use.place === place) === index,
);

describe("the table of foreign keys", () => {
  it("names only mappings that exist", () => {
    const unknown = foreignKeys()
      .flatMap((key) => key.in ?? [])
      .filter((place) => place !== "pool" && !(place in places));
    expect(unknown).toEqual([]);
    Object.entries(places).forEach(([place, path]) => {
      expect(placesAt(path)).toContain(place);
    });
  });

  it("names no key that exists in the same mapping", () => {
    const stale = uses.filter(
      ({ key, place, name }) =>
        key.in !== undefined && keysAt(place).some((real) => plainName(real) === plainName(name)),
    );
    expect(
      stale.map(({ place, name }) => `${place}.${name} is a key: take it out of config/foreignKeys/`),
    ).toEqual([]);
  });

  /** Whether an answer contains a key, as its whole path or as its last part. */
  const names = ({ meaning }: ForeignKey, key: string): boolean => {
    const text = "here" in meaning ? meaning.here.join(" ") : `${meaning.problem} ${meaning.allowed}`;
    return new RegExp(`\\b${key.split(".").at(-1) ?? ""}\\b`).test(text);
  };

  it("calls no key missing that exists elsewhere", () => {
    // Names of one word, such as `name`, mean something else in each mapping.
    const real = optionPaths()
      .map((path) => path.split(".").at(-1) ?? "")
      .filter((name) => /[a-z][A-Z]/.test(name));
    const anywhere = foreignKeys().filter(
      ({ in: places = ["cluster"], meaning }) =>
        !("here" in meaning) && (places.includes("cluster") || places.includes("pool")),
    );
    const silent = anywhere.flatMap((key) =>
      key.names.flatMap((name) => {
        const own = [...new Set(real.filter((other) => plainName(other) === plainName(name)))];
        return own.every((other) => names(key, other)) ? [] : [`${name}: ${own.join(", ")}`];
      }),
    );
    expect(silent).toEqual([]);
  });

  /** Fields of CAPZ and Cluster API with a key of their own, with which an override of them is refused. */
  const withKey = allGuards.flatMap(({ kinds, path, instead }) =>
    instead === undefined || instead === "networkInterfaces"
      ? []
      : [{ field: path.split(".").at(-1) ?? "", key: instead.split(/[ ,]/)[0] ?? "", kinds }],
  );

  it("leads from each field of CAPZ that has a key to this key", () => {
    const wrong = withKey.flatMap(({ field, key, kinds }) => {
      const place = kinds.some((kind) => /Pool|Deployment|Template/.test(kind))
        ? ["windowsPools", "win1"]
        : kinds.includes("KubeadmControlPlane")
          ? ["controlPlane"]
          : [];
      const found = keysOf(nodeAt(place)).includes(field) ? undefined : foreignKeyAt([...place, field]);
      // A field may have several meanings in CAPZ, as storageAccountType of disks and of boot diagnostics.
      const keys = withKey.filter((other) => other.field === field).map((other) => other.key);
      return found === undefined || keys.some((other) => names(found, other))
        ? []
        : [`${[...place, field].join(".")}: ${key}`];
    });
    expect(withKey.length).toBeGreaterThan(25);
    expect(wrong).toEqual([]);
  });

  it("names overrides for fields of CAPZ that have no key", () => {
    const guarded = new Set(allGuards.map(({ path }) => path.split(".").at(-1)));
    const silent = machinePoolFields
      .filter((field) => !guarded.has(field))
      .flatMap((field) => {
        const found = foreignKeyAt(["windowsPools", "win1", field]);
        return found === undefined || "here" in found.meaning || names(found, "overrides") ? [] : [field];
      });
    expect(silent).toEqual([]);
  });

  it("leads to keys that exist", () => {
    const dead = foreignKeys().flatMap(({ meaning }) =>
      "here" in meaning
        ? meaning.here.filter(
            (here) =>
              !/^(file|dataDisk|issuer|manifest|peering|policyException|vmExtension)\./.test(here) &&
              keysHere(here).length === 0,
          )
        : [],
    );
    expect(dead).toEqual([]);
  });

  it("has one meaning for a name in a mapping", () => {
    const seen = new Map<string, unknown>();
    const twice = foreignKeys().flatMap((key) =>
      [...new Set(key.names.map(plainName))].flatMap((name) =>
        (key.in ?? ["everywhere"])
          .flatMap((place) => (place === "pool" ? ["linuxPools", "windowsPools"] : [place]))
          .map((place) => `${place}.${name}`)
          .filter((use) => {
            const before = seen.get(use);
            seen.set(use, key);
            return before !== undefined;
          }),
      ),
    );
    expect(twice).toEqual([]);
  });

  it("answers to each of its names", () => {
    const others = uses.filter(
      ({ key, place, name }) => foreignKeyAt([...(places[place] ?? []), name]) !== key,
    );
    expect(others.map(({ place, name }) => `${place}.${name}`)).toEqual([]);
  });

  it.each([...new Set(firstUses.map(({ place }) => place))])(
    "has advice for %s that can be followed",
    (place) => {
      // A third of the keys, and all of them in CI.
      const tried = firstUses
        .filter((use) => use.place === place)
        .filter((_, index) => isThorough || index % 3 === 0);
      const wrong = tried.flatMap(({ name }) => {
        const text = stackText(configWith(places[place] ?? [], name, "value"));
        const found = foundIn(text).filter(({ path }) => path.endsWith(name) || path.endsWith(`["${name}"]`));
        return found.length === 1 ? faults(text) : [`${place}.${name}: ${found.length} problems`];
      });
      expect(wrong).toEqual([]);
    },
  );

  it("moves a valid value to the key with its meaning", () => {
    const unmoved = (isThorough ? uses.filter(({ place }) => !(place in withinOthers)) : firstUses).flatMap(
      ({ key: { meaning }, place, name }) => {
        if (!("here" in meaning) || meaning.as !== undefined) {
          return [];
        }
        const path = [...(places[place] ?? []), name];
        const targets = meaning.here
          .map((here) =>
            here
              .replace(/^pool/, "windowsPools.win1")
              .replace(/^(file|dataDisk|vmExtension)\b/, "windowsPools.win1.$1s")
              .replace(/^issuer\b/, "controlPlane.authentication.oidc.0")
              .replace(/^peering\b/, "network.peerings.hub")
              .replace(/^manifest\b/, "extraManifests.web")
              .replace(/^policyException\b/, "policyExceptions.0")
              .split("."),
          )
          .filter(
            ([first = "", ...rest]) =>
              rest.length === 0 || placesAt(path.slice(0, -1)).includes(first) || place === "windowsPools",
          );
        const [target = []] = targets;
        const node = nodeAt(target, withPools());
        const config = configWith(places[place] ?? [], name, node && exampleOf(node));
        const [problem] = problemsOfText(stackText(config)).filter((one) => one.path.endsWith(name));
        // A key of another kind of management cluster is for the next report.
        return node === undefined || targets.length !== 1 || /^(rename|move) /.test(problem?.write ?? "")
          ? []
          : [`${path.join(".")}: ${problem?.write ?? "no problem"}`];
      },
    );
    // If the target already has a value, the advice is to remove the key.
    expect(unmoved.filter((text) => !text.includes(": remove"))).toEqual([]);
  });
});

describe("every key has an answer", () => {
  const privateNetworkKeys = [
    ...["existing", "byoVnet", "private", "privateCluster", "firewall", "udr", "outboundType", "subnetId"],
  ];

  const without = (place: string, names: readonly string[]): string[] =>
    names.filter((name) => {
      const path = [...(places[place] ?? []), name];
      return !keysAt(place).includes(name) && unknownKeyProblem(path, withPools()).problem === "unknown key";
    });

  it.each([
    ["CAPZ's AzureMachinePool", "windowsPools", machinePoolFields, 20],
    ["CAPZ's AzureCluster", "cluster", azureClusterFields, 15],
    ["the pools of AKS", "windowsPools", agentPoolFields, 40],
    ["ManagedCluster of AKS", "cluster", managedClusterFields, 35],
    ["ManagedCluster of AKS, for the management cluster", "management", managedClusterFields, 35],
    ["templates of clusterctl", "cluster", templateVariables, 25],
    ["apimodels of aks-engine", "cluster", apimodelFields.cluster, 30],
    ["master profiles of aks-engine", "controlPlane", apimodelFields.controlPlane, 8],
    ["pools of aks-engine", "windowsPools", apimodelFields.pool, 15],
    ["networks that exist, or are private", "network", privateNetworkKeys, 8],
    [
      "encryption, audit logs and logins",
      "controlPlane",
      ["kms", "encryptionAtRest", "encryptSecrets", "auditLog", "oidc", "oidcIssuerUrl", "aad", "entra"],
      8,
    ],
  ] as const)("%s", (_what, place, names, atLeast) => {
    expect(names.length).toBeGreaterThanOrEqual(atLeast);
    expect(without(place, names)).toEqual([]);
  });
});

it("oidcIssuerUrl of the control plane is a login, and not the issuer of the management cluster", () => {
  expect(unknownKeyProblem(["controlPlane", "oidcIssuerUrl"], withPools())).toMatchObject({
    problem:
      "people log in to the workload cluster by its kubeconfig, and by other issuers where the control plane has the key for them",
    allowed:
      "authentication: {oidc: [{issuerUrl: ..., audiences: [...]}]} in controlPlane; " +
      "management.oidcIssuerUrl, for the issuer of the management cluster's service accounts",
  });
});

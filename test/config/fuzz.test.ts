import fc from "fast-check";
import { optionPaths } from "../support/optionPaths";
import { loadSettings } from "../../config/load";
import { ConfigError } from "capz-windows-kit/problem";
import { asText, pathsOf } from "../support/rawConfigs";
import { rightConfig } from "../support/rightConfigs";
import { isThorough } from "capz-windows-test-kit/sample";
import { minimal, publicKey } from "../support/stacks";

type Config = Record<string, unknown>;

/** A mistake in a config, the keys that it changes, and the path at which the report must name it. */
interface Mistake {
  readonly keys: readonly string[];
  readonly make: (config: Config) => void;
  readonly path: string;
}

const section = (config: Config, name: string): Config => {
  const found = (config[name] ?? {}) as Config;
  config[name] = found;
  return found;
};

const set =
  (name: string, key: string, value: unknown) =>
  (config: Config): void => {
    section(config, name)[key] = value;
  };

const planted = "PLANTED-0123456789";
const privateKey = `-----BEGIN RSA PRIVATE KEY-----\n${planted}\n-----END RSA PRIVATE KEY-----`;

const wrongText = fc.constantFrom("", " ", "A_B", "ä", "x".repeat(500), "../..", "${VAR}", "{{ x }}");
const wrongNumber = fc.constantFrom(-1, 0.5, 1e12, Number.MAX_SAFE_INTEGER, "3", true, null, [], {});
const typo = (word: string) =>
  fc
    .constantFrom(word.slice(0, -1), `${word}s`, word.replace(/[aeiou]/, ""), word.toUpperCase(), `${word}x`)
    .filter((text) => text !== word);

const mistakes: readonly fc.Arbitrary<Mistake>[] = [
  wrongText.map((value) => ({
    keys: ["clusterName"],
    path: "clusterName",
    make: (config) => void (config.clusterName = value),
  })),
  fc.constantFrom("1.35", "latest", "v1.21.0", "v1.40.1", "v2.0.0", "v1.35.6-rc.1").map((value) => ({
    keys: ["kubernetesVersion", "pools"],
    path: "kubernetesVersion",
    make: (config) => void (config.kubernetesVersion = value),
  })),
  wrongNumber.map((value) => ({ keys: ["mtu"], path: "network.mtu", make: set("network", "mtu", value) })),
  fc.constantFrom("10.0.0.0", "10.0.0.1/8", "fd00::/8", "10.10.0.0/16/1", 10, null).map((value) => ({
    keys: ["podCidr"],
    path: "network.podCidr",
    make: set("network", "podCidr", value),
  })),
  fc.constantFrom("10.10.0.0/16", "10.10.4.0/22", "10.0.0.0/8").map((value) => ({
    keys: ["podCidr"],
    path: "network.podCidr",
    make: set("network", "podCidr", value),
  })),
  fc.constantFrom(2, 4, 6).map((value) => ({
    keys: ["controlPlane"],
    path: "controlPlane.replicas",
    make: set("controlPlane", "replicas", value),
  })),
  wrongNumber.map((value) => ({
    keys: ["controlPlane"],
    path: "controlPlane.replicas",
    make: set("controlPlane", "replicas", value),
  })),
  fc.constantFrom("windows", "Linux", 1).map((value) => ({
    keys: ["os"],
    path: "controlPlane.os",
    make: set("controlPlane", "os", value),
  })),
  fc
    .tuple(
      fc.stringMatching(/^[a-z]{6,12}$/),
      fc.stringMatching(/^[a-z]{6,12}$/),
      fc.stringMatching(/^[a-z0-9]{5}$/),
    )
    .filter(([a, b]) => a < b)
    .map(([a, b, end]) => ({
      keys: ["pools"],
      path: `windowsPools.${b}${end}`,
      make: (config) => {
        Object.assign(section(config, "windowsPools"), { [`${a}${end}`]: {}, [`${b}${end}`]: {} });
      },
    })),
  fc.constantFrom("v1.36.0", "v1.31.0").map((value) => ({
    keys: ["pools"],
    path: "windowsPools.skewed.kubernetesVersion",
    make: set("windowsPools", "skewed", { kubernetesVersion: value }),
  })),
  wrongNumber.map((value) => ({
    keys: ["disk"],
    path: "linuxPools.disk.osDiskGB",
    make: set("linuxPools", "disk", { osDiskGB: value }),
  })),
  typo("vmSize").map((key) => ({
    keys: ["size"],
    path: `linuxPools.size.${key}`,
    make: set("linuxPools", "size", { [key]: "Standard_D4s_v5" }),
  })),
  typo("windowsPools").map((key) => ({
    keys: ["top"],
    path: key,
    make: (config) => void (config[key] = {}),
  })),
  fc
    .constantFrom(privateKey, planted, `ssh-ed25519 ${planted}`, `${publicKey}\n${publicKey}`)
    .map((value) => ({
      keys: ["access"],
      path: "access.sshPublicKey",
      make: set("access", "sshPublicKey", value),
    })),
  fc.constantFrom({ autoscale: { min: 3, max: 2 } }).map((pool) => ({
    keys: ["scaled"],
    path: "linuxPools.scaled.autoscale",
    make: set("linuxPools", "scaled", pool),
  })),
  fc.constantFrom(`token: ${planted}`, planted, privateKey, "").map((value) => ({
    keys: ["management"],
    path: "managementKubeconfig",
    make: (config) => {
      config.management = {
        kind: "existing",
        name: "m",
        egressCidrs: ["198.51.100.4/32"],
        oidcIssuerUrl: "https://i.example/",
      };
      config.managementKubeconfig = value;
    },
  })),
  fc.constantFrom("subscriptionId", "tenantId", "location").map((key) => ({
    keys: ["azure"],
    path: `azure.${key}`,
    make: (config) => {
      config.azure = Object.fromEntries(
        Object.entries(config.azure as Config).filter(([name]) => name !== key),
      );
    },
  })),
];

const combinations = fc
  .shuffledSubarray(mistakes as fc.Arbitrary<Mistake>[], { minLength: 1, maxLength: 6 })
  .chain((chosen) => fc.tuple(...chosen))
  .map((chosen) => {
    const taken = new Set<string>();
    return chosen.filter(({ keys }) => {
      const free = keys.every((key) => !taken.has(key));
      keys.forEach((key) => free && taken.add(key));
      return free;
    });
  });

it("invalid configs get a report that names every mistake and shows no secret", () => {
  fc.assert(
    fc.property(combinations, fc.boolean(), (chosen, text) => {
      const config = structuredClone(minimal());
      chosen.forEach(({ make }) => {
        make(config);
      });
      let error: unknown;
      try {
        loadSettings(text ? asText(config) : config, "Pulumi.fuzz.yaml");
      } catch (caught) {
        error = caught;
      }
      expect(error).toBeInstanceOf(ConfigError);
      const { message } = error as ConfigError;
      for (const { path } of chosen) {
        expect(message).toContain(`\n  ${path}\n`);
      }
      expect(message).not.toContain(planted);
      expect(message).not.toMatch(/\n\s+at |undefined|\[object Object\]/);
    }),
    { numRuns: isThorough ? 250 : 50 },
  );
});

describe("valid configs from the whole range of options", () => {
  // Few enough to be quick, but enough that an option which one config in thirty has is always included.
  const configs = fc.sample(rightConfig, 250);

  it("are accepted, as values and as text", () => {
    configs.slice(0, isThorough ? 250 : 60).forEach((config, index) => {
      const raw = index % 2 === 0 ? config : asText(config);
      expect(() => loadSettings(raw, "Pulumi.fuzz.yaml")).not.toThrow();
    });
  });

  it("cover every option of the schema", () => {
    const used = new Set(configs.flatMap((config) => pathsOf(config)));
    let missing = optionPaths().filter((path) => !used.has(path));
    // By some seeds, 250 configs lack an option that only a few kinds of stacks can have. More of them begin with the same ones.
    for (let count = 500; missing.length > 0 && count <= 2000; count *= 2) {
      const others = new Set(fc.sample(rightConfig, count).flatMap((config) => pathsOf(config)));
      missing = missing.filter((path) => !others.has(path));
    }
    expect(missing).toEqual([]);
  });
});

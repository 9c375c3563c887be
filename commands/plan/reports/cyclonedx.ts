import { createHash } from "node:crypto";
import { type Material, materialsOf } from "../model/materials";
import type { StackReport } from "./stackReport";

/**
 * What a stack deploys, as CycloneDX 1.6 (cyclonedx.org/docs/1.6/json). Equal plans give the same bytes: the serial number is
 * that of the content, and only SOURCE_DATE_EPOCH (reproducible-builds.org) gives a time.
 */

/** As packageurl.org writes the parts of a purl. */
const encoded = (text: string): string =>
  encodeURIComponent(text).replaceAll("%3A", ":").replaceAll("%2F", "/");

const qualified = (purl: string, qualifiers: Readonly<Record<string, string>>): string => {
  const given = Object.entries(qualifiers).filter(([, value]) => value !== "");
  return given.length === 0
    ? purl
    : `${purl}?${given.map(([key, value]) => `${key}=${encoded(value)}`).join("&")}`;
};

/** Without a registry it is on Docker Hub, and there, without a namespace, in `library`. */
function repositoryOf(name: string): string {
  const [first = "", ...rest] = name.split("/");
  return rest.length === 0
    ? `docker.io/library/${name}`
    : /[.:]/.test(first) || first === "localhost"
      ? name
      : `docker.io/${name}`;
}

/** The type of a purl is one of packageurl.org's; machine images and AKS have none there, and charts are generic. */
function purlOf({ kind, name, version, sha256, source = "" }: Material): string | undefined {
  switch (kind) {
    case "container image": {
      const repository = repositoryOf(name);
      const last = repository.split("/").at(-1) ?? "";
      const digest = sha256 === undefined ? "" : `@sha256:${sha256}`;
      return qualified(`pkg:oci/${encoded(last.toLowerCase())}${digest}`, {
        repository_url: repository,
        tag: version,
      });
    }
    case "chart":
      return qualified(`pkg:generic/${encoded(name)}@${encoded(version)}`, { repository_url: source });
    case "manifest":
      return qualified(`pkg:generic/${encoded(name)}${version === "" ? "" : `@${encoded(version)}`}`, {
        checksum: `sha256:${sha256 ?? ""}`,
        download_url: source,
      });
    case "provider":
    case "Kubernetes":
      return /^[\w.-]+\/[\w.-]+$/.test(source) ? `pkg:github/${source}@${encoded(version)}` : undefined;
    case "machine image":
    case "AKS":
      return undefined;
  }
}

const types: Readonly<Record<Material["kind"], string>> = {
  "container image": "container",
  chart: "application",
  manifest: "file",
  provider: "application",
  "machine image": "operating-system",
  Kubernetes: "application",
  AKS: "platform",
};

const property = (name: string, value: string) => ({ name: `capz-windows:${name}`, value });

function component(material: Material) {
  const { kind, name, version, sha256, source, usedBy } = material;
  const purl = purlOf(material);
  return {
    type: types[kind],
    "bom-ref": [kind, name, version, sha256 ?? ""].filter((part) => part !== "").join(" "),
    name,
    ...(version === "" ? {} : { version }),
    ...(sha256 === undefined ? {} : { hashes: [{ alg: "SHA-256", content: sha256 }] }),
    ...(purl === undefined ? {} : { purl }),
    ...(source?.includes("://") === true
      ? { externalReferences: [{ type: "distribution", url: source }] }
      : {}),
    properties: [property("kind", kind), ...usedBy.map((one) => property("usedBy", one))],
  };
}

/** A UUID of version 8, whose bits are the program's (RFC 9562, 5.8). */
function serialNumber(text: string): string {
  const bytes = createHash("sha256").update(text).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return `urn:uuid:${bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-")}`;
}

const timestamp = ({ SOURCE_DATE_EPOCH: seconds = "" }: NodeJS.ProcessEnv) =>
  /^\d{1,11}$/.test(seconds) ? { timestamp: new Date(Number(seconds) * 1000).toISOString() } : {};

export function cyclonedx({ plan, stack, program = "" }: StackReport, env = process.env): unknown {
  if (plan === undefined) {
    throw new Error(`stack ${stack} has no plan`);
  }
  const { materials, unknown } = materialsOf(plan);
  const components = materials.map(component);
  const root = `stack ${stack}`;
  const content = {
    version: 1,
    metadata: {
      ...timestamp(env),
      tools: {
        components: [
          { type: "application", name: "capz-windows", ...(program === "" ? {} : { version: program }) },
        ],
      },
      component: { type: "platform", "bom-ref": root, name: stack },
      properties: unknown.map((what) => property("notListed", what)),
    },
    components,
    dependencies: [{ ref: root, dependsOn: components.map((one) => one["bom-ref"]) }],
    // What is not listed is in the properties above.
    compositions: [{ aggregate: unknown.length === 0 ? "complete" : "incomplete", assemblies: [root] }],
  };
  return {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    ...{ bomFormat: "CycloneDX", specVersion: "1.6", serialNumber: serialNumber(JSON.stringify(content)) },
    ...content,
  };
}

import { objectSchema, type Schema } from "../../capi/overrides/crdSchema";
import { mergePatch } from "capz-windows-kit/mergePatch";
import type { KubeadmConfigSpec } from "capz-types";
import { keysOf, nodeAt } from "../../config/jsonSchema";
import { overrideRules } from "../../config/rules/overrides";
import type { Settings } from "../../config/settings";
import { controlPlane, linux, read, render } from "../bootstrap/userData/support";
import type { NodeRole } from "../../bootstrap/userData/renderUserData";
import { settingsWith } from "../support/stacks";

/** Control characters and ends of lines in the texts of overrides: none of them changes the bootstrap data of a node. */

/** The only schema to which others refer. */
const bootstrap: Schema = objectSchema("KubeadmConfig").properties?.spec ?? {};

type Path = readonly string[];

/** The paths of all texts of a schema: "[0]" is an element of a list, "own" a name that users choose. */
function textsOf(schema: Schema, path: Path = []): Path[] {
  if (schema.$ref !== undefined) {
    return textsOf(bootstrap, path);
  }
  const { properties = {}, additionalProperties, items, type, enum: values } = schema;
  const isText = values === undefined && [type].flat().includes("string");
  return [
    ...(isText ? [path] : []),
    ...Object.entries(properties).flatMap(([key, inner]) => textsOf(inner, [...path, key])),
    ...(typeof additionalProperties === "object" ? textsOf(additionalProperties, [...path, "own"]) : []),
    ...(items === undefined ? [] : textsOf(items, [...path, "[0]"])),
  ];
}

function patchWith([key, ...rest]: Path, text: string): unknown {
  if (key === undefined) {
    return text;
  }
  return key === "[0]" ? [patchWith(rest, text)] : { [key]: patchWith(rest, text) };
}

const pathText = (path: Path): string => path.join(".").replaceAll(".[0]", "[0]");

/** Where each kind may be patched, with the settings of a stack with that patch. */
const places: readonly (readonly [place: string, settings: (overrides: object) => Settings])[] = [
  ["", (overrides) => ({ ...settingsWith({}), overrides })],
  [
    "controlPlane",
    (overrides) => {
      const settings = settingsWith({});
      return { ...settings, controlPlane: { ...settings.controlPlane, overrides } };
    },
  ],
  ...(["linuxPools", "windowsPools"] as const).map(
    (pools) =>
      [
        `${pools}.own`,
        (overrides: object) => {
          const settings = settingsWith({ [pools]: { own: {} } });
          const kind = Object.keys(overrides)[0] ?? "";
          const single = /Deployment|Template|HealthCheck/.test(kind);
          const pool = {
            ...settings[pools].own,
            kind: single ? "MachineDeployment" : "MachinePool",
            overrides,
          };
          return { ...settings, [pools]: { own: pool } };
        },
      ] as const,
  ),
];

const cases = places.flatMap(([place, settings]) =>
  keysOf(nodeAt([...place.split(".").filter(Boolean), "overrides"])).map(
    (kind) => [place, kind, settings] as const,
  ),
);

it("there are kinds and texts to judge", () => {
  expect(cases.map(([place, kind]) => `${place} ${kind}`)).toHaveLength(15);
  expect(textsOf(objectSchema("KubeadmConfigTemplate")).length).toBeGreaterThan(100);
});

const problemsAt = (settings: Settings, place: string, kind: string, path: Path) =>
  overrideRules(settings).filter(
    (problem) => problem.path === `${place === "" ? "" : `${place}.`}overrides.${kind}.${pathText(path)}`,
  );

describe.each(cases)("in the patch at %j of a %s", (place, kind, settingsOf) => {
  it("a control character in any text is refused", () => {
    const accepted = textsOf(objectSchema(kind)).filter((path) => {
      const settings = settingsOf({ [kind]: patchWith(path, "a\u001b[31mb") });
      return !problemsAt(settings, place, kind, path).some(
        ({ problem }) => problem === "has the control character U+001B, with which the object is no YAML",
      );
    });
    expect(accepted.map(pathText)).toEqual([]);
  });
});

const payloads = [
  "a\nINJECTEDKEY:\n  - touch /x",
  "a'\nINJECTEDKEY: x\n'",
  "a: b",
  "a #b",
  "]\nINJECTEDKEY: [",
  "x: {",
];

/** Why a text is refused; not that the patch lacks a field beside it, which an author would add. */
const refusal = /^(?:an override may not change|Cluster API writes this text|has the control character)/;

/** Keys of the user data, and how many commands and files an unpatched node has. */
function outlineOf(spec: KubeadmConfigSpec, role: NodeRole) {
  const { runcmd, write_files: files, ...others } = read(render(spec, { role }));
  return { keys: Object.keys(others), commands: runcmd.length, files: files.length };
}

it.each([
  ["linuxPools.own", "KubeadmConfig", ["spec"], linux, "worker"],
  ["controlPlane", "KubeadmControlPlane", ["spec", "kubeadmConfigSpec"], controlPlane, "init"],
] as const)(
  "no accepted text at %s of a %s ends its place in the user data",
  (place, kind, spec, own, role) => {
    const [, settingsOf] = places.find(([one]) => one === place) ?? places[0]!;
    const outlineWith = (path: Path, text: string) =>
      outlineOf(mergePatch(own, patchWith(path, text)) as KubeadmConfigSpec, role);
    let accepted = 0;
    const changed = textsOf(bootstrap).flatMap((path) =>
      payloads.flatMap((payload) => {
        const settings = settingsOf({ [kind]: patchWith([...spec, ...path], payload) });
        if (overrideRules(settings).some(({ problem }) => refusal.test(problem))) {
          return [];
        }
        accepted += 1;
        const [found, harmless] = [payload, "a"].map((text) => JSON.stringify(outlineWith(path, text)));
        return found === harmless ? [] : [`${pathText(path)}: ${payload}`];
      }),
    );
    expect(changed).toEqual([]);
    // Most fields belong to the program; of the others, those of kubeadm take every text, because Cluster API quotes it.
    expect(accepted).toBeGreaterThan(20);
  },
);

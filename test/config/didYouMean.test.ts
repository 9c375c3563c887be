import { foreignKeys } from "../../config/foreignKeys/lookup";
import { optionPaths } from "../../config/schemaDocs";
import { unknownKeyProblem } from "../../config/unknownKeys";
import {
  agentPoolFields,
  machinePoolFields,
  managedClusterFields,
  nearWords,
  places,
} from "./foreignVocabulary";
import { keysAt, withPools } from "./foreignUses";
import { plainName } from "../../config/words";

/** Words of the field, which are no misspelled keys. */

describe("did you mean", () => {
  const words = [
    ...new Set([
      ...foreignKeys().flatMap(({ names }) => names),
      ...optionPaths().map((path) => path.split(".").at(-1) ?? ""),
      ...machinePoolFields,
      ...agentPoolFields,
      ...managedClusterFields,
    ]),
  ];

  /** Whether two names are the same word, in singular or plural. */
  const sameWord = (one: string, other: string): boolean =>
    plainName(one).replace(/s$/, "") === plainName(other).replace(/s$/, "");

  it("never leads from a word of the field to another key", () => {
    const stack = withPools();
    const pairs = Object.entries(places).flatMap(([place, path]) =>
      words
        .filter((word) => !keysAt(place).includes(word))
        .flatMap((word) => {
          const { problem } = unknownKeyProblem([...path, word], stack);
          const meant = /did you mean (\w+)\?/.exec(problem)?.[1];
          return meant === undefined || sameWord(meant, word) ? [] : [`${place}.${word}: ${meant}`];
        }),
    );
    expect(pairs.sort()).toEqual(nearWords);
  });

  it.each([
    ["windowsPools", "zone", "zones"],
    ["windowsPools", "replica", "replicas"],
    ["windowsPools", "count", "replicas"],
    ["windowsPools", "nodeCount", "replicas"],
    ["controlPlane", "count", "replicas"],
    ["management", "count", "nodeCount"],
    ["windowsPools", "osDiskSizeGB", "osDiskGB"],
    ["windowsPools", "minCount", "autoscale.min"],
    ["windowsPools", "maxSurge", "rollout.maxSurge"],
    ["access", "sshKey", "sshPublicKey"],
    ["cluster", "region", "azure.location"],
    ["cluster", "KUBERNETES_VERSION", "kubernetesVersion"],
    ["network", "clusterSubnet", "podCidr"],
    ["file", "mode", "permissions"],
  ])("%s.%s is %s", (place, key, target) => {
    const { problem, allowed } = unknownKeyProblem([...(places[place] ?? []), key], withPools());
    expect(`${problem} ${allowed}`).toContain(target);
    expect(problem).toMatch(/^unknown key( here)?; (did you mean|write .* as|it belongs in) /);
  });
});

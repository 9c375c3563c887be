import { Document, isScalar, visit } from "yaml";
import { yamlValues, type YamlLimits } from "capz-windows-kit/boundedYaml";
import { formatCount } from "capz-windows-kit/problem";

/** A machine's bootstrap data has less room. */
export const policyLimits: YamlLimits = { bytes: 200_000, values: 20_000 };

/** The policy in a text, with merge keys as the API server reads them. @throws YamlError when it is too large or no YAML */
export const readAuditPolicy = (text: string): unknown => yamlValues(text, policyLimits, { merge: true })[0];

/**
 * An audit policy as the file that API servers read. Comments and the layout of a policy are no part of it, so they make no
 * machine roll. Lists of words are on one line, because Cluster API limits the length of a file.
 */
export function auditPolicyText(policy: unknown): string {
  const document = new Document(policy, { aliasDuplicateObjects: false, compat: "yaml-1.1" });
  visit(document, {
    Seq: (_key, list) => {
      if (list.items.length > 0 && list.items.every(isScalar)) {
        list.flow = true;
      }
    },
  });
  return document.toString({ lineWidth: 0, flowCollectionPadding: false, indentSeq: false });
}

/** CAPI v1.14.2, CRD kubeadmconfigs, version v1beta2: characters of the content of a file. */
const mostCharacters = 10_240;

/** Whether Cluster API takes a policy; a text that YAML or Jinja would alter is encoded in base64, which is longer. */
export function auditPolicyLength(policy: unknown): { readonly problem?: string; readonly allowed: string } {
  const { length } = Array.from(auditPolicyText(policy));
  const allowed = `${formatCount(mostCharacters)} characters, which is Cluster API's limit for a file`;
  return length <= mostCharacters
    ? { allowed }
    : { allowed, problem: `the policy has ${formatCount(length)} characters, without comments` };
}

import type { BootstrapFile } from "capz-types";

/** A file of the user, with its content or a reference to a secret one. */
export interface UserFile {
  readonly path: string;
  readonly content?: string | undefined;
  readonly contentFrom?:
    | {
        /** Name of a content that the stack itself delivers. */
        readonly secretFile?: string | undefined;
        readonly secret?: { readonly name: string; readonly key: string } | undefined;
      }
    | undefined;
  readonly permissions?: string | undefined;
}

/** The Secret in which the stack puts the contents of its secret files. */
export const secretFilesName = (clusterName: string): string => `${clusterName}-secret-files`;

/**
 * A content as the Secret has it, and as the node decodes it: templates and YAML leave base64 alone, and no one looks
 * into a secret before the bootstrap provider writes it into the user data.
 */
export const secretFileText = (content: string): string => Buffer.from(content, "utf8").toString("base64");

/** A file as Cluster API takes it. */
export function userFile(
  { path, content, contentFrom, permissions }: UserFile,
  clusterName: string,
): BootstrapFile {
  const { secretFile, secret } = contentFrom ?? {};
  const mode = permissions === undefined ? {} : { permissions };
  if (secretFile !== undefined) {
    return {
      path,
      ...mode,
      encoding: "base64",
      contentFrom: { secret: { name: secretFilesName(clusterName), key: secretFile } },
    };
  }
  return contentFrom === undefined
    ? { path, content: content ?? "", ...mode }
    : // The rules of the stack file report a place that is missing.
      { path, ...mode, contentFrom: { secret: { name: secret?.name ?? "", key: secret?.key ?? "" } } };
}

/** A published file of which every byte is known: the project names it and contains no copy of it. */
export interface PinnedManifest {
  readonly name: string;
  /** As upstream tags it, with a leading v. */
  readonly version: string;
  readonly url: string;
  /** 64 lower-case hexadecimal digits. */
  readonly sha256: string;
  /** Size of the file, for people who look at a plan. */
  readonly bytes?: number;
}

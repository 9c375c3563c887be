/** A published manifest, pinned by its digest. The repository contains no copy of it. */
export interface PinnedManifest {
  readonly name: string;
  /** Upstream tag, with a leading v. */
  readonly version: string;
  readonly url: string;
  /** 64 lower-case hexadecimal digits. */
  readonly sha256: string;
  /** Size of the file in bytes, shown in plans. */
  readonly bytes?: number;
}

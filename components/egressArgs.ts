/** How nodes reach registries and the Internet. */
export interface EgressArgs {
  /** HTTP proxy of containerd, kubelet and the operating system. Default: none. */
  proxy?: ProxyArgs | undefined;
  /** Registry from which containerd pulls instead of the original ones. Default: none. */
  registryMirror?: RegistryMirrorArgs | undefined;
  /** Certificate authorities that the nodes trust, each one certificate in PEM. Default: none. */
  trustedCertificates?: string[] | undefined;
}

/** An HTTP proxy. */
export interface ProxyArgs {
  /** http://HOST:PORT, used for http and https. */
  url: string;
  /**
   * All hosts, domains and networks that are reached directly. The function noProxy lists those that a cluster needs.
   */
  noProxy: string[];
}

/** A pull-through cache. */
export interface RegistryMirrorArgs {
  /** https://HOST or https://HOST/PATH, below which images are found under the name of their registry. */
  url: string;
  /** Path of a registry in the mirror, if it is not the registry's name; also for further registries. Default: none. */
  paths?: Record<string, string> | undefined;
  /** Whether nodes ask the registry itself for images that the mirror does not have. Default: false. */
  fallback?: boolean | undefined;
}

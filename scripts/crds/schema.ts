/** The part of a structural schema (apiextensions.k8s.io/v1) that the generator reads. */
export interface CrdNode {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly nullable?: boolean;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, CrdNode>>;
  readonly additionalProperties?: CrdNode | boolean;
  readonly items?: CrdNode;
  readonly default?: unknown;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly "x-kubernetes-int-or-string"?: boolean;
  readonly "x-kubernetes-preserve-unknown-fields"?: boolean;
  readonly "x-kubernetes-embedded-resource"?: boolean;
  readonly "x-kubernetes-list-type"?: "atomic" | "set" | "map";
  readonly "x-kubernetes-list-map-keys"?: readonly string[];
}

/** One kind at one API version. */
export interface KindSchema {
  /** For instance `cluster.x-k8s.io/v1beta2`. */
  readonly apiVersion: string;
  readonly kind: string;
  /** The release that the CRD is from: "Cluster API v1.14.2". */
  readonly release: string;
  /** Schema of the whole object. */
  readonly schema: CrdNode;
}

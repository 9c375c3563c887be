/** A VNET with which the stack peers its own. */
export interface PeeringModel {
  /** In the stack file. */
  readonly name: string;
  /** Of the stack's side. */
  readonly azureName: string;
  readonly vnetId: string;
  readonly cidrs: readonly string[];
  /** Whether packets come in that the other VNET only forwards. */
  readonly forwarded: boolean;
  /** Whether the gateway of the other VNET is used. */
  readonly gateway: boolean;
  /** The other side: its name, or the command with which others make it. */
  readonly remote:
    { readonly by: "stack"; readonly name: string } | { readonly by: "others"; readonly command: string };
}

/** A private API server, and how its name is resolved. */
export interface PrivateModel {
  readonly ip: string;
  readonly zone: string;
  /** Whether the plan has the record, and in whose zone; "others" is by hand. */
  readonly record: "zone of the stack" | "zone of others" | "others";
  /** ARM ID of a zone of others. */
  readonly zoneId?: string;
  /** Names of the VNETs in which the name resolves; none where others make the record. */
  readonly links: readonly string[];
  readonly link?: PrivateLinkModel;
}

/** A private link, by which the management cluster reaches the API server. */
export interface PrivateLinkModel {
  /** Of its service, which CAPZ makes. */
  readonly id: string;
  /** Subscriptions whose private endpoints are accepted. */
  readonly subscriptions: readonly string[];
  /** ARM ID of the subnet in which the stack makes the endpoint; missing where others make it. */
  readonly subnetId?: string;
  /** What others run. */
  readonly commands: readonly string[];
}

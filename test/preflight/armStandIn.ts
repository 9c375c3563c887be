import type { IncomingMessage, ServerResponse } from "node:http";
import { skuList } from "../life/azure/skus";
import { HttpStandIn } from "capz-windows-test-kit/standIn";

/** Fake of Azure Resource Manager, with answers as its REST API documents them. By default nothing obstructs a stack. */

export interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** Returns the answer to a request, or undefined for the default answer. */
export type Change = (method: string, url: URL, body: unknown) => Reply | undefined;

const subscription = "/subscriptions/11111111-2222-4333-8444-555555555555";
const usage = (value: string, localizedValue: string, currentValue: number, limit: number) => ({
  name: { value, localizedValue },
  currentValue,
  limit,
  unit: "Count",
});

const sku = skuList("westeurope") as { value: { name: string; capabilities: unknown[] }[] };
export const skus = sku.value.map((size) => ({
  ...size,
  family: `standard${/^Standard_([A-Z]+)/.exec(size.name)?.[1] ?? ""}Sv5Family`,
}));

const ok = (body: unknown): Reply => ({ body });
const missing = (path: string): Reply => ({
  status: 404,
  body: { error: { code: "ResourceNotFound", message: `The Resource '${path}' was not found.` } },
});

function usual(method: string, { pathname }: URL): Reply {
  const path = pathname.replace(subscription, "");
  if (path === "") {
    return ok({
      subscriptionId: subscription.split("/")[2],
      displayName: "Platform",
      state: "Enabled",
      tenantId: "11111111-2222-4333-8444-666666666666",
    });
  }
  const answers: readonly (readonly [RegExp, unknown])[] = [
    [
      /^\/providers$/,
      {
        value: ["Compute", "Network", "ManagedIdentity", "Storage", "ContainerService"].map((name) => ({
          namespace: `Microsoft.${name}`,
          registrationState: "Registered",
        })),
      },
    ],
    [/\/providers\/Microsoft.Authorization\/permissions$/, { value: [{ actions: ["*"], notActions: [] }] }],
    [/^\/providers\/Microsoft.Compute\/skus$/, { value: skus }],
    [
      /^\/providers\/Microsoft.Compute\/locations\/westeurope\/usages$/,
      {
        value: [
          usage("cores", "Total Regional vCPUs", 10, 200),
          usage("standardDSv5Family", "Standard DSv5 Family vCPUs", 10, 100),
        ],
      },
    ],
    [
      /^\/providers\/Microsoft.Network\/locations\/westeurope\/usages$/,
      {
        value: [
          usage("PublicIPAddresses", "Public IP Addresses", 3, 20),
          usage("IPv4StandardSkuPublicIpAddresses", "Public IPv4 Addresses - Standard", 3, 20),
        ],
      },
    ],
    [
      /\/communityGalleries\/[^/]+\/images\/[^/]+\/versions\/[^/]+$/,
      { name: "1.35.6", location: "westeurope", properties: { publishedDate: "2026-01-01T00:00:00Z" } },
    ],
    [/\/CheckDnsNameAvailability$/, { available: true }],
    [/^\/providers\/Microsoft.Features\/.*\/features\/\w+$/, { properties: { state: "Registered" } }],
  ];
  const [, found] = answers.find(([pattern]) => pattern.test(path)) ?? [];
  return found === undefined || method !== "GET" ? missing(pathname) : ok(found);
}

export class ArmStandIn extends HttpStandIn {
  readonly asked: string[] = [];
  change: Change = () => undefined;

  protected respond(request: IncomingMessage, response: ServerResponse, text: string): void {
    const url = new URL(request.url ?? "/", "http://127.0.0.1");
    const method = request.method ?? "GET";
    this.asked.push(
      `${method} ${url.pathname} ${url.searchParams.get("api-version") ?? ""} ${request.headers.authorization ?? ""}`,
    );
    const reply = this.change(method, url, text === "" ? undefined : JSON.parse(text)) ?? usual(method, url);
    response
      .writeHead(reply.status ?? 200, { "content-type": "application/json", ...reply.headers })
      .end(JSON.stringify(reply.body));
  }
}

/** `fetch` for the own public address. */
export const own =
  (address: string): typeof fetch =>
  () =>
    Promise.resolve(new Response(`${address}\n`));

/** An answer to requests for such paths. */
export const at =
  (path: RegExp, reply: (url: URL, body: unknown) => Reply): Change =>
  (_, url, body) =>
    path.test(decodeURIComponent(url.pathname)) ? reply(url, body) : undefined;

/** A refusal of Azure. */
export const refused = (status: number, code: string, message = code): Reply => ({
  status,
  body: { error: { code, message } },
});

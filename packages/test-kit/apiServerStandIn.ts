import type { IncomingMessage, ServerResponse } from "node:http";
import { HttpStandIn } from "./standIn";

interface Kind {
  readonly kind: string;
  readonly group: string;
  readonly versions: readonly string[];
  readonly plural: string;
}

interface KubeObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly namespace?: string };
}

/** Groups that every API server has. */
const builtIn = (kinds: readonly Kind[]) =>
  kinds
    .filter(({ group }) => /^(?:apps|batch|.*\.k8s\.io)$/.test(group) && !group.includes("x-k8s"))
    .map(({ group, versions }) => [group, new Set(versions)] as const);

/** A fake API server that answers lists from recorded objects, in pages of two. */
export class ApiServerStandIn extends HttpStandIn {
  readonly asked: string[] = [];

  constructor(
    /** Those that a client may ask for. */
    private readonly kinds: readonly Kind[],
    private readonly objects: readonly KubeObject[],
    /** The refusal of a request. Undefined: it is answered. */
    private readonly refuse: (
      path: string,
    ) => { readonly status: number; readonly message: string } | undefined = () => undefined,
  ) {
    super();
  }

  protected respond(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? "/", "http://127.0.0.1");
    this.asked.push(`${request.method ?? ""} ${url.pathname} ${request.headers.accept ?? ""}`);
    const refused = this.refuse(url.pathname);
    const { status, body } = refused
      ? { status: refused.status, body: { kind: "Status", message: refused.message } }
      : this.answer(url);
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  }

  private answer(url: URL): { status: number; body: unknown } {
    if (url.pathname === "/apis") {
      const versions = new Map<string, Set<string>>(builtIn(this.kinds));
      for (const { apiVersion } of this.objects) {
        const [group = "", version] = apiVersion.split("/");
        if (version !== undefined) {
          versions.set(group, new Set(versions.get(group)).add(version));
        }
      }
      const groups = [...versions].map(([name, all]) => ({
        name,
        versions: [...all].map((version) => ({ version })),
      }));
      return { status: 200, body: { kind: "APIGroupList", groups } };
    }
    const [, root, namespace, plural = ""] =
      /^\/(api\/v1|apis\/[^/]+\/[^/]+)(?:\/namespaces\/([^/]+))?\/([^/]+)$/.exec(url.pathname) ?? [];
    const wanted = this.kinds.find((kind) => kind.plural === plural);
    if (wanted === undefined || root === undefined) {
      return { status: 404, body: { kind: "Status", message: `the server could not find ${url.pathname}` } };
    }
    const fields = (url.searchParams.get("fieldSelector") ?? "").split(",").filter((term) => term !== "");
    const all = this.objects.filter(
      (object) =>
        object.kind === wanted.kind &&
        (namespace === undefined || object.metadata.namespace === namespace) &&
        fields.every((term) =>
          Object.entries(object).some(([field, value]) => `${field}=${String(value)}` === term),
        ),
    );
    const from = Number(url.searchParams.get("continue") ?? 0);
    // Items of a list have neither kind nor apiVersion.
    const items = all
      .slice(from, from + 2)
      .map((object) => ({ ...object, kind: undefined, apiVersion: undefined }));
    return {
      status: 200,
      body: { metadata: from + 2 < all.length ? { continue: String(from + 2) } : {}, items },
    };
  }
}

import { parse } from "yaml";
import { azureDiskObjects } from "../../addons/storage/azureDisk";
import { azureFileObjects } from "../../addons/storage/azureFile";
import { sha256 } from "../../addons/pinnedManifest";
import { components } from "capz-windows-platform/compatibility";
import type { KubernetesObject } from "capz-types";
import { at, list, numberAt, textAt } from "capz-windows-kit/untyped";
import { splitDocuments } from "capz-windows-platform/manifests/yamlStream";
import { cachedFile } from "./fixtures";

/**
 * This project has manifests of its own for the CSI drivers. They are compared with those that the drivers' projects
 * publish for the same release; all differences are listed here.
 */

const published = {
  azuredisk: {
    folder: `azuredisk-csi-driver-${components.azureDisk.version}`,
    files: {
      "csi-azuredisk-controller.yaml": "da5af9aadfa4c34b090720f3e06053fca527fb1cc71adf04ed0c0a8a08ee228e",
      "csi-azuredisk-node.yaml": "5d2bb0d4f976f8d712f37d48c13594b478ccc6dcb3f6d5fe638de35c1dd4c2c8",
      "csi-azuredisk-node-windows-hostprocess.yaml":
        "fc3c3ce53d48f509664e7f2c538b1b47aa0aaf03d509a5e4759a9c1a7e9d5861",
      "csi-azuredisk-driver.yaml": "e9d47846ae9ac890be1d524b08211c42a16f55361e5ae8a3dd6114c1d996edc1",
      "rbac-csi-azuredisk-controller.yaml":
        "df673ac2ae5016a500e65d1a0cb9e930e0dc57f43a1a8ce8f2fd070ad437e4c7",
      "rbac-csi-azuredisk-node.yaml": "ce96533b7eeaa439b2ccb6664e8843591090e3de97be49dfcba2c87796033038",
    },
    own: azureDiskObjects({
      version: components.azureDisk.version,
      defaultClass: "managed-csi",
      replicas: 2,
    }),
  },
  azurefile: {
    folder: `azurefile-csi-driver-${components.azureFile.version}`,
    files: {
      "csi-azurefile-controller.yaml": "c4c7b9541341db68e1cc68587a8d6468ccec88e6be8f3eea4b8e24a1b37a90ad",
      "csi-azurefile-node.yaml": "6753ca7c35318a135f31a064d5312bd864a8883a812648c9c4e0d2152bf2cbd5",
      "csi-azurefile-node-windows-hostprocess.yaml":
        "21b30af310757e9dd79db3e838c3d5008d370d0ee38a46b380800648724582f0",
      "csi-azurefile-driver.yaml": "d3bfd9ae9ec5cdd9c6dc43784efd7fcbba9325891ab46fbb6081aef72ed3cd0a",
      "rbac-csi-azurefile-controller.yaml":
        "aad3f4469ba16655adb934cfec0a7c3844a8d452d3866a53f7490370f2499321",
      "rbac-csi-azurefile-node.yaml": "f94b8b20aa9688562b9a32def88997065abf8b017164c32ddde80741298db916",
    },
    own: azureFileObjects({ version: components.azureFile.version, defaultClass: "none", replicas: 2 }),
  },
} as const;

const podOf = (object: KubernetesObject): unknown => at(object, "spec", "template", "spec");

/** An argument in a form that can be compared: with values for variables, two dashes, and no quotes of Go. */
const plainArgument = (argument: string, env: ReadonlyMap<string, string>): string =>
  `--${argument.replace(/^-{1,2}/, "").replace(/\$\((\w+)\)/g, (all, name: string) => env.get(name) ?? all)}`;

/** The settings of a workload's containers, as lines that can be compared. */
function facts(object: KubernetesObject): string[] {
  const pod = podOf(object);
  const containers = (["initContainers", "containers"] as const).flatMap((field) => list(at(pod, field)));
  return containers.flatMap((container) => {
    const env = new Map(list(container.env).map((one) => [String(one.name), textAt(one, "value")]));
    const health = numberAt(container, "livenessProbe", "httpGet", "port");
    const memory = textAt(container, "resources", "limits", "memory");
    const lines = [
      `image ${String(container.image)}`,
      ...((container.command ?? []) as string[]).map((word) => `command ${word}`),
      ...((container.args ?? []) as string[]).map((word) => `argument ${plainArgument(word, env)}`),
      ...[...env].filter(([name]) => name.startsWith("AZCOPY")).map(([name, value]) => `${name}=${value}`),
      ...list(container.volumeMounts).map(
        ({ mountPath }) =>
          `mount ${String(mountPath)
            .replace(/\/$/, "")
            .replace(/^\/root\b/, "~")}`,
      ),
      ...list(container.ports).map(({ containerPort }) => `port ${String(containerPort)}`),
      ...(health === undefined ? [] : [`health ${health}`]),
      ...(memory === "" ? [] : [`memory ${memory}`]),
      ...(at(container, "lifecycle") === undefined ? [] : ["waits when it is stopped"]),
      ...(at(container, "securityContext", "privileged") === true ? ["privileged"] : []),
    ];
    return lines.map((line) => `${String(container.name)}: ${line}`);
  });
}

/** Who may do what to which resource: "account: group/resource [name] [in kube-system]: verbs". */
function rights(objects: readonly KubernetesObject[]): string[] {
  const roles = new Map(objects.map((object) => [`${object.kind} ${object.metadata.name}`, object]));
  const verbs = new Map<string, Set<string>>();
  for (const binding of objects.filter(({ kind }) => /^(Cluster)?RoleBinding$/.test(kind))) {
    const role = roles.get(
      `${String(at(binding, "roleRef", "kind"))} ${String(at(binding, "roleRef", "name"))}`,
    )!;
    const account = String(list(at(binding, "subjects"))[0]?.name);
    for (const rule of list(at(role, "rules")) as Record<string, string[]>[]) {
      for (const resource of rule.resources!) {
        const of = [rule.apiGroups![0], resource].filter((part) => part !== "").join("/");
        const scope = binding.kind === "RoleBinding" ? ["in kube-system"] : [];
        const what = `${account}: ${[of, ...(rule.resourceNames ?? []), ...scope].join(" ")}`;
        verbs.set(what, new Set([...(verbs.get(what) ?? []), ...rule.verbs!]));
      }
    }
  }
  return [...verbs].map(([what, allowed]) => `${what}: ${[...allowed].sort().join(" ")}`);
}

/** The lines that only one side has: `-` for those that are only published, `+` for those that are only here. */
const difference = (theirs: Iterable<string>, own: Iterable<string>): string[] => {
  const [before, after] = [new Set(theirs), new Set(own)];
  return [
    ...[...before].filter((line) => !after.has(line)).map((line) => `- ${line}`),
    ...[...after].filter((line) => !before.has(line)).map((line) => `+ ${line}`),
  ].sort((a, b) => (a.slice(2) < b.slice(2) ? -1 : 1));
};

type Driver = keyof typeof published;

/** Differences in all workloads: no snapshotter, less verbose logs, a user agent suffix for Azure's statistics. */
const everywhere = /^. (csi-snapshotter: |\w+: argument --(v=|user-agent-suffix))/;

function compared(driver: Driver) {
  const { folder, files, own } = published[driver];
  const texts = Object.entries(files).map(
    ([file, digest]) => [cachedFile(`${folder}/${file}`, `the published ${file}`), digest] as const,
  );
  const theirs = () =>
    texts.flatMap(([text, digest]) => {
      expect(sha256(text!)).toBe(digest);
      return splitDocuments(text!).map((document) => parse(document) as KubernetesObject);
    });
  const spec = (objects: readonly KubernetesObject[]) =>
    Object.entries(objects.find(({ kind }) => kind === "CSIDriver")!.spec as object).map(
      ([key, value]) => `${key} ${JSON.stringify(value)}`,
    );
  return {
    whenCached: texts.some(([text]) => text === undefined) ? it.skip : it,
    workloads: () => {
      const workloads = theirs().filter((object) => podOf(object) !== undefined);
      expect(workloads).toHaveLength(3);
      return workloads.map((their) => {
        const mine = own.find(
          ({ kind, metadata }) => kind === their.kind && metadata.name === their.metadata.name,
        );
        const lines = difference(facts(their), facts(mine!)).filter((line) => !everywhere.test(line));
        return [their.metadata.name, ...lines];
      });
    },
    rights: () => difference(rights(theirs()), rights(own)),
    driver: () => difference(spec(theirs()), spec(own)),
  };
}

describe("Azure Disk beside its published manifests", () => {
  const { whenCached, workloads, rights: own, driver } = compared("azuredisk");

  whenCached("has the same containers, but", () => {
    expect(workloads()).toMatchInlineSnapshot(`
     [
       [
         "csi-azuredisk-controller",
         "- csi-provisioner: argument --feature-gates=Topology=true,VolumeAttributesClass=true",
         "- csi-resizer: argument --feature-gates=RecoverVolumeExpansionFailure=true,VolumeAttributesClass=true",
       ],
       [
         "csi-azuredisk-node",
         "- azuredisk: port 29603",
         "+ node-driver-registrar: health 29607",
         "- node-driver-registrar: port 29607",
       ],
       [
         "csi-azuredisk-node-win",
       ],
     ]
    `);
  });

  whenCached("has fewer rights", () => {
    expect(own()).toMatchInlineSnapshot(`
     [
       "+ csi-azuredisk-controller-sa: coordination.k8s.io/leases in kube-system: create delete get list patch update watch",
       "- csi-azuredisk-controller-sa: coordination.k8s.io/leases: create delete get list patch update watch",
       "- csi-azuredisk-controller-sa: csi.storage.k8s.io/csinodeinfos: get list watch",
       "+ csi-azuredisk-controller-sa: secrets azure-cloud-provider in kube-system: get",
       "- csi-azuredisk-controller-sa: secrets: get list",
       "- csi-azuredisk-controller-sa: snapshot.storage.k8s.io/volumesnapshotclasses: get list watch",
       "- csi-azuredisk-controller-sa: snapshot.storage.k8s.io/volumesnapshotcontents/status: patch update",
       "- csi-azuredisk-controller-sa: snapshot.storage.k8s.io/volumesnapshotcontents: create delete get list patch update watch",
       "+ csi-azuredisk-controller-sa: snapshot.storage.k8s.io/volumesnapshotcontents: get list",
       "+ csi-azuredisk-node-sa: secrets azure-cloud-provider in kube-system: get",
       "- csi-azuredisk-node-sa: secrets: get",
     ]
    `);
  });

  whenCached("is the same driver", () => {
    expect(driver()).toEqual([]);
  });
});

describe("Azure File beside its published manifests", () => {
  const { whenCached, workloads, rights: own, driver } = compared("azurefile");

  whenCached("has the same containers, but nothing that installs itself on the host", () => {
    expect(workloads()).toMatchInlineSnapshot(`
     [
       [
         "csi-azurefile-controller",
         "- csi-resizer: argument --feature-gates=RecoverVolumeExpansionFailure=true",
       ],
       [
         "csi-azurefile-node",
         "- azfilesrefresh: command azfilesrefresh",
         "- azfilesrefresh: image mcr.microsoft.com/oss/v2/kubernetes-csi/azurefile-csi:v1.35.7",
         "- azfilesrefresh: memory 100Mi",
         "- azfilesrefresh: mount /etc/azfilesauth",
         "- azfilesrefresh: mount /var/lib/kubelet",
         "- azfilesrefresh: mount /var/log",
         "- azfilesrefresh: privileged",
         "- azurefile: argument --azurefile-proxy-endpoint=unix:///csi/azurefile-proxy.sock",
         "- azurefile: argument --enable-azurefile-proxy=true",
         "- azurefile: argument --enable-kata-cc-mount=true",
         "- azurefile: mount /dev",
         "- azurefile: mount /etc/azfilesauth",
         "- azurefile: mount /run/kata-containers/shared/direct-volumes",
         "- azurefile: mount /var/log",
         "+ azurefile: port 29615",
         "- install-azurefile-proxy: command /azurefile-proxy/init.sh",
         "- install-azurefile-proxy: image mcr.microsoft.com/oss/v2/kubernetes-csi/azurefile-csi:v1.35.7",
         "- install-azurefile-proxy: mount /host/etc",
         "- install-azurefile-proxy: mount /host/usr",
         "- install-azurefile-proxy: mount /var/lib/kubelet",
         "- install-azurefile-proxy: privileged",
         "+ liveness-probe: argument --probe-timeout=10s",
         "- liveness-probe: argument --probe-timeout=3s",
         "+ node-driver-registrar: health 29617",
         "- node-driver-registrar: port 29617",
       ],
       [
         "csi-azurefile-node-win",
         "- azurefile: argument --metrics-address="0.0.0.0:29615"",
         "+ azurefile: argument --metrics-address=0.0.0.0:29615",
         "+ azurefile: port 29615",
       ],
     ]
    `);
  });

  whenCached("has fewer rights", () => {
    expect(own()).toMatchInlineSnapshot(`
     [
       "+ csi-azurefile-controller-sa: coordination.k8s.io/leases in kube-system: create delete get list patch update watch",
       "- csi-azurefile-controller-sa: coordination.k8s.io/leases: create delete get list patch update watch",
       "- csi-azurefile-controller-sa: csi.storage.k8s.io/csinodeinfos: get list watch",
       "+ csi-azurefile-controller-sa: pods: get list watch",
       "+ csi-azurefile-controller-sa: secrets azure-cloud-provider in kube-system: get",
       "- csi-azurefile-controller-sa: snapshot.storage.k8s.io/volumesnapshotclasses: get list watch",
       "- csi-azurefile-controller-sa: snapshot.storage.k8s.io/volumesnapshotcontents/status: patch update",
       "- csi-azurefile-controller-sa: snapshot.storage.k8s.io/volumesnapshotcontents: create delete get list patch update watch",
       "+ csi-azurefile-controller-sa: snapshot.storage.k8s.io/volumesnapshotcontents: get list",
       "- csi-azurefile-controller-sa: storage.k8s.io/volumeattachments/status: get list patch update watch",
       "- csi-azurefile-controller-sa: storage.k8s.io/volumeattachments: get list patch update watch",
       "+ csi-azurefile-controller-sa: storage.k8s.io/volumeattributesclasses: get list watch",
       "- csi-azurefile-node-sa: node.k8s.io/runtimeclasses: get list",
       "- csi-azurefile-node-sa: pods: get",
       "+ csi-azurefile-node-sa: secrets azure-cloud-provider in kube-system: get",
     ]
    `);
  });

  whenCached("is a driver that mounts with the key of an account only", () => {
    expect(driver()).toMatchInlineSnapshot(`
     [
       "- requiresRepublish true",
       "- tokenRequests [{"audience":"api://AzureADTokenExchange","expirationSeconds":3600}]",
     ]
    `);
  });
});

import { loadSettings } from "../../config/load";
import { latestPatch, oldestMaintainedMinor } from "capz-windows-platform/kubernetesReleases";
import { supportedMinors } from "capz-windows-platform/versions";
import { minimal } from "../support/stacks";

/** Values that a dated table knows, and values that it does not know, which are accepted. */

const warningsWith = (change: object, about: RegExp) =>
  loadSettings({ ...minimal(), ...change }, "test")
    .warnings.filter(({ path, message }) => about.test(`${path} ${message}`))
    .map(({ path, message }) => `${path}: ${message}`);

const own = { computeGallery: { gallery: "mine", name: "own", version: "1.2.3" } };
const win = (pool: object) => ({ windowsPools: { win1: { image: own, ...pool } } });

describe("a release of Kubernetes", () => {
  const about = /newest release/;

  it("that is newer than the table passes with a note", () => {
    expect(warningsWith({ kubernetesVersion: "v1.35.99" }, about)).toEqual([
      "kubernetesVersion: v1.35.99 is newer than v1.35.10, the newest release of 1.35 that was known on 2026-11-22: check that it exists, with its images",
    ]);
    expect(
      warningsWith({ kubernetesVersion: "v1.36.6", ...win({ kubernetesVersion: "v1.35.11" }) }, about),
    ).toEqual([expect.stringMatching(/^windowsPools\.win1\.kubernetesVersion: v1\.35\.11 is newer/)]);
  });

  it("in the table passes without one", () => {
    expect(warningsWith({ kubernetesVersion: "v1.35.10" }, about)).toEqual([]);
  });

  it("is in the table for each minor that the providers support", () => {
    const { oldest, newest } = supportedMinors;
    const minors = Array.from({ length: newest - oldest + 1 }, (_, index) => oldest + index);
    expect(minors.map((minor) => latestPatch(minor)?.split(".")[1])).toEqual(minors.map(String));
    expect(minors).toContain(oldestMaintainedMinor);
  });
});

describe("an MTU of more than Azure carries everywhere", () => {
  const notChecked = (change: object) => warningsWith(change, /^network\.mtu /);

  it("says what was not checked", () => {
    const always =
      "what the load balancer of the API server carries; what HNS does with packets of Linux pods that are larger than the 1450 bytes of a Windows pod. `npm run probe` measures it on a first cluster (docs/mtu.md)";
    expect(notChecked({ network: { mtu: 3900 } })).toEqual([`network.mtu: not checked: ${always}`]);
    expect(notChecked({ network: { mtu: 3900 }, ...win({ vmSize: "Standard_D2s_v3" }) })).toEqual([
      `network.mtu: not checked: whether Standard_D2s_v3 of windowsPools.win1 carries 3,900 bytes; ${always}`,
    ]);
  });

  it("the default has no such warning", () => {
    expect(notChecked({})).toEqual([]);
  });
});

describe("a release of Kubernetes with a known fault of kube-proxy", () => {
  const about = /^kubernetesVersion kube-proxy v/;
  const stack = (kubernetesVersion: string, addons: object = {}) => {
    const controlPlane = { image: own };
    const more = kubernetesVersion.startsWith("v1.37") ? { cloudProviderAzureTag: "v1.37.0" } : {};
    return { kubernetesVersion, controlPlane, ...win({}), addons: { ...addons, ...more } };
  };

  it.each([
    ["v1.36.4", "ends with a panic when HNS lists a load balancer without ports; v1.36.5 mends it"],
    ["v1.37.0", "ends with a panic when HNS lists a load balancer without ports; v1.37.1 mends it"],
    [
      "v1.35.10",
      "ends with a panic when HNS lists a load balancer without ports; no patch of 1.35 that mends it was known on 2026-11-22, v1.36.5 mends it",
    ],
    [
      "v1.33.0",
      "ends with a panic when HNS lists a load balancer without ports; no patch of 1.33 that mends it was known on 2026-11-22, v1.36.5 mends it",
    ],
  ])("%s has a warning with the release that mends it", (version, text) => {
    expect(warningsWith(stack(version), about)).toEqual([
      `kubernetesVersion: kube-proxy ${version} on Windows nodes ${text} (kubernetes #141707, #141681)`,
    ]);
  });

  it("has one for each fault", () => {
    expect(warningsWith(stack("v1.35.0"), about)).toEqual([
      expect.stringContaining("; no patch of 1.35 that mends it was known"),
      "kubernetesVersion: kube-proxy v1.35.0 on Windows nodes looks at its rules only once an hour, so that those which HNS has lost are missing until then; v1.35.1 mends it (kubernetes #136123, #136122)",
    ]);
    expect(warningsWith(stack("v1.35.1"), about)).toHaveLength(1);
    expect(warningsWith(stack("v1.34.4"), about)).toHaveLength(1);
  });

  it.each(["v1.36.5", "v1.37.1", "v1.37.2"])("%s has none", (version) => {
    expect(warningsWith(stack(version), about)).toEqual([]);
  });

  it("has none without Windows nodes, or with another kube-proxy", () => {
    const kubernetesVersion = "v1.36.4";
    expect(warningsWith({ kubernetesVersion, windowsPools: {} }, about)).toEqual([]);
    const kubeProxyWindowsImage = "registry.example/kube-proxy:v1.36.5";
    expect(warningsWith(stack(kubernetesVersion, { kubeProxyWindowsImage }), about)).toEqual([]);
    expect(warningsWith(stack(kubernetesVersion, { kubeProxyWindows: false }), about)).toEqual([]);
  });

  it("says of the minor after those of Cluster API that it is not checked", () => {
    const addons = { cloudProviderAzureTag: "v1.38.0" };
    expect(warningsWith({ kubernetesVersion: "v1.38.0", addons }, /not checked: Cluster API/)).toEqual([
      "kubernetesVersion: not checked: Cluster API 1.14 supports Kubernetes up to 1.37, and 1.38 comes with v1.15.1, planned for 2026-12-15; only what this program passes to its programs was held against v1.38.0-beta.0",
    ]);
    expect(warningsWith({ kubernetesVersion: "v1.36.6" }, /not checked: Cluster API/)).toEqual([]);
  });

  it("takes other patches of Cluster API and CAPZ, and says that their managers were not judged", () => {
    const clusterApi = { coreVersion: "v1.14.3", azureVersion: "v1.26.1" };
    expect(warningsWith({ clusterApi }, /never run/)).toEqual([
      "clusterApi.coreVersion: not checked: the managers of Cluster API v1.14.3 were never run against this program; those of v1.14.2 were",
      "clusterApi.azureVersion: not checked: the managers of CAPZ v1.26.1 were never run against this program; those of v1.27.0 were",
    ]);
    expect(warningsWith({ clusterApi: { coreVersion: "v1.14.2" } }, /never run/)).toEqual([]);
  });
});

describe("a release of Windows", () => {
  const about = /not tested with Windows Server/;

  it.each([
    ["2019", "v1.34.2", []],
    [
      "2019",
      "v1.35.6",
      [
        "windowsPools.win1.windowsServer: Kubernetes 1.35 is not tested with Windows Server 2019: its documentation lists newer releases only",
      ],
    ],
    ["2022", "v1.35.6", []],
    ["2025", "v1.29.15", []],
    [
      "2025",
      "v1.28.15",
      [
        "windowsPools.win1.windowsServer: Kubernetes 1.28 is not tested with Windows Server 2025: the first reference images came with 1.29",
      ],
    ],
  ])("%s with %s", (windowsServer, kubernetesVersion, warnings) => {
    const controlPlane = { image: own };
    expect(warningsWith({ kubernetesVersion, controlPlane, ...win({ windowsServer }) }, about)).toEqual(
      warnings,
    );
  });
});

describe("a VM size", () => {
  it.each([
    [
      "Standard_D4s_v6",
      [
        "windowsPools.win1.vmSize: Standard_D4s_v6 boots images of Hyper-V generation 2 only, with NVMe disks: the image definition must say V2 and DiskControllerTypes SCSI,NVMe",
      ],
    ],
    [
      "Standard_DC4as_v5",
      [
        "windowsPools.win1.vmSize: Standard_DC4as_v5 boots images of Hyper-V generation 2 only: the image definition must say V2",
      ],
    ],
    ["Standard_D4s_v5", []],
    ["Standard_Quantum_v9", []],
  ])("%s with an image of one's own", (vmSize, warnings) => {
    expect(warningsWith(win({ vmSize }), /vmSize/)).toEqual(warnings);
  });

  it("with Arm processors needs an image for them", () => {
    const linuxPools = { linux1: { vmSize: "Standard_D4ps_v5", image: own } };
    expect(warningsWith({ linuxPools }, /vmSize/)).toEqual([
      "linuxPools.linux1.vmSize: Standard_D4ps_v5 has Arm processors: the image must be for them, and so must those of your pods",
      "linuxPools.linux1.vmSize: Standard_D4ps_v5 boots images of Hyper-V generation 2 only: the image definition must say V2",
    ]);
  });
});

describe("zones", () => {
  const azure = (location: string) => ({ azure: { ...(minimal().azure as object), location } });
  const zoned = { windowsPools: { win1: { zones: ["1"] } } };
  const about = /availability zones/;

  it("in a region that had none get a note", () => {
    expect(warningsWith({ ...azure("northcentralus"), ...zoned }, about)).toEqual([
      "azure.location: northcentralus had no availability zones when this was written, and pools have zones: az vm list-skus --location northcentralus --zone --resource-type virtualMachines -o table lists sizes with zones, if there are any now",
    ]);
    expect(warningsWith({ ...azure("westeurope"), ...zoned }, about)).toEqual([]);
    expect(warningsWith(azure("northcentralus"), about)).toEqual([]);
  });
});

describe("the name of a managed image", () => {
  const id = (name: string) => ({
    windowsPools: {
      win1: {
        image: {
          id: `/subscriptions/s/resourceGroups/windows2019/providers/Microsoft.Compute/images/${name}`,
        },
      },
    },
  });

  it("that contains another release gets a note", () => {
    expect(warningsWith(id("capi-windows-2019-x"), /name mentions/)).toEqual([
      "windowsPools.win1.image.id: the name mentions Windows Server 2019, but windowsServer of the pool is 2022: labels, RuntimeClasses and the check of images rely on windowsServer",
    ]);
    expect(warningsWith(id("capi-windows-2022-x"), /name mentions/)).toEqual([]);
    expect(warningsWith(id("mine-20190101"), /name mentions/)).toEqual([]);
  });
});

/**
 * What ends, on which day, and where that is written. Azure's days are those of Azure/EOL service_list.json of 2025-12-18, by
 * the number of the announcement; a row that is missing here may still end. Windows Server is in windowsReleases.ts.
 */

export interface Retirement {
  /** What ends, as the subject of a sentence. */
  readonly what: string;
  /** The day, such as 2027-02-28. */
  readonly on: string;
  /** What happens then, and what takes its place. */
  readonly then: string;
  readonly instead: string;
  readonly source: string;
}

const announcement = (id: number): string => `https://azure.microsoft.com/updates/?id=${id}`;

const series = (
  names: string,
  on: string,
  source: string,
  sizes: RegExp,
): Retirement & { sizes: RegExp } => ({
  what: `the VM series ${names}`,
  on,
  then: "Azure stops its machines and makes no new ones",
  instead: "a vmSize of a newer series",
  source,
  sizes,
});

/** VM series with the names of their sizes. */
export const vmSeriesEnds: readonly (Retirement & { readonly sizes: RegExp })[] = [
  series("DCsv2", "2026-06-30", announcement(496104), /^Standard_DC\d+s_v2$/),
  series("NVv3", "2026-09-30", announcement(500573), /^Standard_NV\d+s_v3$/),
  series("NVv4", "2026-09-30", announcement(500578), /^Standard_NV\d+as_v4$/),
  series(
    "Mv2 with 192 vCPUs",
    "2027-03-31",
    "https://azure.microsoft.com/updates/community-support-for-standardm192idsv2-is-ending-on-31-march-2027/",
    /^Standard_M192i\w*_v2$/,
  ),
  series(
    "D, Ds, Dv2, Dsv2 and Ls",
    "2028-05-01",
    announcement(485569),
    /^Standard_(DS?\d+(-\d+)?(_v2)?|L\d+s)$/,
  ),
  series(
    "F, Fs, Fsv2, Lsv2, G, Gs, Av2, Amv2 and B",
    "2028-11-15",
    announcement(500682),
    /^Standard_(F\d+s?|F\d+s_v2|L\d+s_v2|GS?\d+(-\d+)?|A\d+m?_v2|B\d+[a-z]*)$/,
  ),
];

/** OS disks of the type Standard_LRS. */
export const hardDiskEnd: Retirement = {
  what: "an OS disk of the type Standard_LRS",
  on: "2028-09-08",
  then: "Azure supports no machine with it",
  instead: "osDiskType: StandardSSD_LRS",
  source: announcement(500157),
};

/** CAPZ v1.27.0 azure/services/inboundnatrules: one rule for each machine of the control plane, for SSH. */
export const natRulesEnd: Retirement = {
  what: "the kind of inbound NAT rules (V1) that CAPZ makes for SSH to the control plane's machines",
  on: "2027-09-30",
  then: "Azure has rules of version 2 only",
  instead: "a newer CAPZ that makes those, or network.apiServer.private",
  source:
    "https://azure.microsoft.com/updates/v2/Retirement-notice-Azure-Load-Balancer-Inbound-NAT-rule-V1-for-Azure-VMs-and-Azure-VMSS-will-be-retired",
};

/** Last days of Kubernetes minors that get patches. */
const kubernetesDays: Readonly<Record<number, string>> = {
  35: "2027-02-28",
  36: "2027-06-28",
  37: "2027-10-28",
};

/** The end of a Kubernetes minor; `undefined` where it has passed already or is not known. */
export function kubernetesEnd(minor: number): Retirement | undefined {
  const on = kubernetesDays[minor];
  return on === undefined
    ? undefined
    : {
        what: `Kubernetes 1.${minor}`,
        on,
        then: "after that it gets no more security fixes",
        instead: `kubernetesVersion: a release of 1.${minor + 1}`,
        source: `https://kubernetes.io/releases/1.${minor}/`,
      };
}

/** Days before an end from which on it is announced. */
const announcedDays = 180;

/** Days from one day to another; negative for one that has passed. */
const daysBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / 86_400_000;

/** "in 91 days, on 2027-02-28"; `undefined` for an end that is further away than it is announced. */
export function endText(on: string, today: string, announced = announcedDays): string | undefined {
  const days = daysBetween(today, on);
  if (days > announced) {
    return undefined;
  }
  if (days < 0) {
    return `ended on ${on}`;
  }
  return days === 0 ? `ends today, on ${on}` : `ends in ${days} ${days === 1 ? "day" : "days"}, on ${on}`;
}

/**
 * Is it a VM size with one vCPU? CAPZ gives up on such machines for good ("vm size should be bigger or equal to at least
 * 2 vCPUs", CAPZ v1.27.0 azure/services/virtualmachines/spec.go, scalesets.go), and so does kubeadm for a control plane.
 * The number in the name is that of the vCPUs in these families (Azure documentation, VM sizes); G1 has two.
 */
export const hasSingleCpu = (vmSize: string): boolean =>
  /^(Standard|Basic)_(A0|(A|B|D|DC|DS|F)1)(?!\d)/.test(vmSize);

import { settingsWith } from "../support/stacks";
import { dockershim } from "../support/networks";

const none = { addons: { cni: "none" } };

it("a CNI of one's own has no rule of Calico's Typha", () => {
  const few = { controlPlane: { replicas: 1 }, windowsPools: { win1: { replicas: 2 } } };
  expect(() => settingsWith(few)).toThrow("Typha");
  expect(settingsWith({ ...few, ...none })).toBeDefined();
});

it("kube-proxy for Windows is off by default only with a CNI of one's own", () => {
  const kubeProxy = (change: Record<string, unknown>): boolean =>
    settingsWith(change).addons.kubeProxyWindows;
  expect(kubeProxy({})).toBe(true);
  expect(kubeProxy(none)).toBe(false);
  expect(kubeProxy({ addons: { cni: "none", kubeProxyWindows: true } })).toBe(true);
  expect(kubeProxy(dockershim)).toBe(true);
});

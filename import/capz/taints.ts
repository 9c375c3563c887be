/** `dedicated=web:NoSchedule`, as kubelet and AKS write a taint; several with commas in between. */
export function taintsIn(texts: string): { key: string; value?: string; effect: string }[] {
  return texts
    .split(",")
    .filter((one) => one !== "")
    .map((one) => {
      const [, key = one, value = "", effect = "NoSchedule"] =
        /^([^=:]+)(?:=([^:]*))?(?::(\w+))?$/.exec(one) ?? [];
      return { key, ...(value === "" ? {} : { value }), effect };
    });
}

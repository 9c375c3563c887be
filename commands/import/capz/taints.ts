/** Parses taints as kubelet and AKS write them, separated by commas: `dedicated=web:NoSchedule`. */
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

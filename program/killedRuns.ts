import * as pulumi from "@pulumi/pulumi";
import { adviceAfterKill } from "../domain/killedRun";

/**
 * Says at each resource of the program that cannot be made what to do if a killed run has made it. A hook of the program,
 * because components are used by others, too.
 */
export function adviseAfterKills(): void {
  const hook = new pulumi.ErrorHook(
    "advice-after-kill",
    ({ urn, failedOperation, errors: [newest = ""] }) => {
      const advice = failedOperation === "create" ? adviceAfterKill(urn, newest) : undefined;
      if (advice !== undefined) {
        void pulumi.log.error(advice);
      }
      return false;
    },
  );
  pulumi.runtime.registerResourceTransform(({ custom, props, opts }) =>
    custom
      ? {
          props,
          opts: { ...opts, hooks: { ...opts.hooks, onError: [...(opts.hooks?.onError ?? []), hook] } },
        }
      : undefined,
  );
}

#!/usr/bin/env node
import { UsageError } from "capz-windows-kit/commandLine/arguments";
import { stackReader } from "capz-windows-kit/commandLine/stackReader";
import { main } from "./cli/main";

/** The command of the doctor's own package, for clusters of any origin. Stack files are read by capz-windows. */

const noStacks = (): never => {
  throw new UsageError(
    "This package reads no stack files: name a cluster with --kubeconfig FILE --cluster NAME, or a recording with --from FILE.",
  );
};

stackReader.fill(() => ({
  factsOfStack: noStacks,
  ownOfStack: noStacks,
  withLines: (_projectDir, error) => error,
}));

main(process.argv.slice(2));

#!/usr/bin/env node
import { refuseStacks } from "capz-windows-kit/commandLine/withoutStacks";
import { main } from "./cli";

/** The command of the package of its own, for clusters of any origin. */

refuseStacks(
  "name the release of the Windows nodes with --release YEAR, or a cluster with --kubeconfig FILE",
);
main(process.argv.slice(2));

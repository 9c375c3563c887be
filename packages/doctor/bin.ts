#!/usr/bin/env node
import { refuseStacks } from "capz-windows-kit/commandLine/withoutStacks";
import { main } from "./cli/main";

/** The command of the doctor's own package, for clusters of any origin. */

refuseStacks("name a cluster with --kubeconfig FILE --cluster NAME, or a recording with --from FILE");
main(process.argv.slice(2));

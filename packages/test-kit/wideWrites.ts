/** Commands that change several objects at once: whoever pastes them changes objects without having looked at them. */

const writes =
  /\b(?:delete|patch|annotate|label|scale|apply|create|replace|edit|cordon|drain|taint|update|start|stop|restart|deallocate|reimage|redeploy|detach|attach|assign|remove|rmi|rmp|rm|up|destroy)\b|kubectl\b.* set |\b(?:Restart|Remove|Stop)-/;
const severalObjects =
  /(?:^|\s)(?:-l|--selector|--field-selector|-A|--all|--all-namespaces|--prune)\b|^xargs\b|\*|\b(?:delete|restart|scale|patch|annotate|label) \w+ (?:-|$)/;
const program =
  /^(?:sudo )?(?:xargs .*)?\b(?:kubectl|az|npx|helm|clusterctl|crictl|ctr)\b|^(?:Restart|Remove|Stop)-/;

/** Whether a command changes objects that it does not name. */
export const isWideWrite = (command: string): boolean =>
  program.test(command) &&
  !command.includes(" --dry-run=server ") &&
  writes.test(command.replace(/--(?:query|kubeconfig)[ =](?:"[^"]*"|\S+)/g, "")) &&
  severalObjects.test(command.replace(/--query "[^"]*"/g, ""));

/** The commands of a line, with those that its comment names, that change objects that they do not name. */
export const wideWrites = (line: string): string[] =>
  line
    .split(/;|&&|\|(?!\|)| {3}#|[:(,] (?=(?:sudo )?(?:kubectl|az|npx|crictl|ctr) )/)
    .map((part) => part.trim())
    .filter(isWideWrite);

/**
 * A node's logs through the API server: kubelet serves the files below /var/log, on Windows those of C:\var\log, and with
 * `enableSystemLogQuery` also what a service logs (Kubernetes 1.36 pkg/kubelet/kubelet.go, kubelet_server_journal.go).
 */

/** Path of the files; a folder lists them. Only `enableSystemLogHandler: false` closes it, and its default is true. */
export const nodeLogs = (node: string): string => `/api/v1/nodes/${node}/proxy/logs/`;

/**
 * Path of a service's log: journald on Linux; on Windows the Application log, and where the service has no provider there, the
 * first of its files SERVICE, SERVICE.log and SERVICE/SERVICE.log.
 */
export const logQuery = (node: string, service: string): string => `${nodeLogs(node)}?query=${service}`;

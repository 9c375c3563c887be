import { connect, createServer, type AddressInfo, type Socket } from "node:net";

/** A TCP proxy to an API server whose connections can be cut. */
export interface TcpProxy {
  readonly port: number;
  /** Ends all connections, and refuses new ones until `open`. */
  readonly cut: () => void;
  readonly open: () => void;
  readonly stop: () => void;
}

export function startProxy(port: number): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  let isOpen = true;
  const cut = () => {
    isOpen = false;
    sockets.forEach((socket) => socket.destroy());
  };
  const server = createServer((client) => {
    if (!isOpen) {
      client.destroy();
      return;
    }
    const upstream = connect(port, "127.0.0.1");
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.pipe(to);
      from.on("error", () => to.destroy());
      from.on("close", () => {
        sockets.delete(from);
        to.destroy();
      });
    }
  });
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      resolve({
        port: (server.address() as AddressInfo).port,
        cut,
        open: () => (isOpen = true),
        stop: () => {
          cut();
          server.close();
        },
      });
    });
  });
}

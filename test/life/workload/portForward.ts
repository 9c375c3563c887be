import type { IncomingMessage } from "node:http";
import { connect, type Socket } from "node:net";

/**
 * `kubectl port-forward` as the control plane provider uses it: SPDY/3.1 frames over an upgraded connection, one stream
 * for errors and one for data. Compressed headers are not read, because the pod's name is enough.
 * https://www.chromium.org/spdy/spdy-protocol/spdy-protocol-draft3-1/
 */

const controlBit = 0x80;
const types = { synStream: 1, synReply: 2, ping: 6, goAway: 7 } as const;
const fin = 1;

/**
 * A header block without headers: a stored deflate block and an empty one, at which readers flush.
 * The first block of a connection starts the zlib stream.
 */
const noHeaders = (first: boolean): Buffer =>
  Buffer.from([...(first ? [0x78, 0x01] : []), 0, 4, 0, 0xfb, 0xff, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff]);

function frame(head: Buffer, flags: number, payload: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(payload.length);
  length[0] = flags;
  return Buffer.concat([head, length, payload]);
}

const control = (type: number, payload: Buffer): Buffer =>
  frame(Buffer.from([controlBit, 3, 0, type]), 0, payload);

function word(value: number): Buffer {
  const buffer = Buffer.alloc(4);
  buffer.writeUInt32BE(value);
  return buffer;
}

const data = (stream: number, flags: number, payload: Buffer): Buffer => frame(word(stream), flags, payload);

const status = (socket: Socket, line: string): void => {
  socket.end(`HTTP/1.1 ${line}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`);
};

class Connection {
  private buffered = Buffer.alloc(0);
  private streams: number[] = [];
  private backend: Socket | undefined;

  constructor(
    private readonly socket: Socket,
    private readonly port: number,
  ) {
    socket.on("close", () => this.backend?.destroy());
    socket.on("error", () => socket.destroy());
  }

  read(chunk: Buffer): void {
    this.buffered = Buffer.concat([this.buffered, chunk]);
    while (this.buffered.length >= 8) {
      const end = 8 + (this.buffered.readUInt32BE(4) & 0xffffff);
      if (this.buffered.length < end) {
        return;
      }
      const [head, payload] = [this.buffered.subarray(0, 8), this.buffered.subarray(8, end)];
      this.buffered = this.buffered.subarray(end);
      if ((head[0]! & controlBit) === 0) {
        this.takeData(head.readUInt32BE(0), head[4]!, payload);
      } else {
        this.takeControl(head.readUInt16BE(2), payload);
      }
    }
  }

  private takeControl(type: number, payload: Buffer): void {
    if (type === types.ping) {
      this.socket.write(control(types.ping, payload));
    } else if (type === types.goAway) {
      this.socket.end();
    } else if (type === types.synStream) {
      const stream = payload.readUInt32BE(0) & 0x7fffffff;
      const reply = Buffer.concat([word(stream), noHeaders(this.streams.length === 0)]);
      this.socket.write(control(types.synReply, reply));
      this.streams.push(stream);
      if (this.streams.length === 2) {
        this.forward(stream);
      }
    }
  }

  private takeData(stream: number, flags: number, payload: Buffer): void {
    if (stream !== this.streams[1]) {
      return;
    }
    if (payload.length > 0) {
      this.backend?.write(payload);
    }
    if ((flags & fin) !== 0) {
      this.backend?.end();
    }
  }

  private forward(stream: number): void {
    const send = (flags: number, payload: Buffer): void => {
      if (this.socket.writable) {
        this.socket.write(data(stream, flags, payload));
      }
    };
    this.backend = connect(this.port, "127.0.0.1");
    this.backend.on("data", (chunk) => {
      send(0, chunk);
    });
    this.backend.on("end", () => {
      send(fin, Buffer.alloc(0));
    });
    this.backend.on("error", () => {
      send(fin, Buffer.alloc(0));
    });
  }
}

/**
 * Answers the upgrade of a port-forward request. Refuses WebSocket, so that clients fall back to SPDY.
 * @param portOf - the local port for a pod; undefined if there is no such pod
 */
export function portForward(
  request: IncomingMessage,
  socket: Socket,
  head: Buffer,
  portOf: (pod: string) => number | undefined,
): void {
  const [, pod = ""] = /\/pods\/([^/]+)\/portforward/.exec(request.url ?? "") ?? [];
  if (request.headers.upgrade?.toLowerCase() !== "spdy/3.1") {
    status(socket, "400 Bad Request");
    return;
  }
  const port = portOf(pod);
  if (port === undefined) {
    status(socket, "404 Not Found");
    return;
  }
  socket.write(
    "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\n" +
      "X-Stream-Protocol-Version: portforward.k8s.io\r\n\r\n",
  );
  const connection = new Connection(socket, port);
  socket.on("data", (chunk: Buffer) => {
    connection.read(chunk);
  });
  if (head.length > 0) {
    connection.read(head);
  }
}
